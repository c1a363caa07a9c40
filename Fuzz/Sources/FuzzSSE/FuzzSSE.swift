import Dispatch
import HTTPTypes
import Stagecoach
import Synchronization

/// The first byte says how the rest is cut into chunks. However it is cut, an event stream gives the same events,
/// lines the same lines, and JSON texts the same values; and what is given keeps the rules of its format.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let octets = Array(UnsafeBufferPointer(start: start, count: count))
  guard let seed = octets.first else { return 0 }
  let content = Array(octets.dropFirst())
  let done = DispatchSemaphore(value: 0)
  Task {
    await checkEvents(content, seed)
    await checkLines(content, seed)
    await checkTexts(content, seed)
    done.signal()
  }
  done.wait()
  return 0
}

/// The most bytes of an element: small, so that limits are reached.
private let limit = 64

private func checkEvents(_ content: [UInt8], _ seed: UInt8) async {
  let whole = await read(content, nil, as: ServerSentEventResponseSerializer())
  let cut = await read(content, seed, as: ServerSentEventResponseSerializer())
  precondition(whole == cut, "\(whole) or \(cut)")
  for event in whole.elements {
    precondition(!event.type.isEmpty, "no type")
    precondition(!event.id.utf8.contains { $0 == 0 || $0 == 0x0A || $0 == 0x0D }, "the ID \(event.id)")
    precondition(!event.data.utf8.contains(0x0D), "a line end in \(event.data)")
    // A byte may become the three of U+FFFD.
    precondition(event.data.utf8.count <= 3 * limit, "\(event.data.utf8.count) bytes")
  }
}

private func checkLines(_ content: [UInt8], _ seed: UInt8) async {
  for mode in [Charset.Mode.strict, .lossy] {
    let serializer = LinesResponseSerializer(mode: mode)
    let whole = await read(content, nil, as: serializer)
    let cut = await read(content, seed, as: serializer)
    precondition(whole == cut, "\(whole) or \(cut)")
    for line in whole.elements {
      precondition(!line.utf8.contains { $0 == 0x0A || $0 == 0x0D }, "a line end in \(line)")
    }
  }
}

private func checkTexts(_ content: [UInt8], _ seed: UInt8) async {
  let lines = JSONLinesResponseSerializer(JSONValue.self)
  let wholeLines = await read(content, nil, as: lines)
  let cutLines = await read(content, seed, as: lines)
  precondition(wholeLines == cutLines, "\(wholeLines) or \(cutLines)")
  let sequence = JSONSequenceResponseSerializer(JSONValue.self)
  let wholeSequence = await read(content, nil, as: sequence)
  let cutSequence = await read(content, seed, as: sequence)
  precondition(wholeSequence == cutSequence, "\(wholeSequence) or \(cutSequence)")
}

/// What came, and the error at the end.
private struct Outcome<Element: Equatable & Sendable>: Equatable, Sendable {
  var elements: [Element] = []
  var error: String?
}

private func read<Serializer: ResponseSerializer>(
  _ content: [UInt8],
  _ seed: UInt8?,
  as serializer: Serializer
) async -> Outcome<Serializer.Output.Element>
where Serializer.Output: AsyncSequence, Serializer.Output.Element: Equatable & Sendable {
  var outcome = Outcome<Serializer.Output.Element>()
  do {
    let transport = HandlerTransport(recordLimit: 0) { _ in
      Response(.ok, body: Response.Body(source: Chunks(content, seed)))
    }
    let response = try await Pipeline(over: transport, stages: []).send(request)
    for try await next in try await serializer.serialize(response) { outcome.elements.append(next) }
  } catch {
    // Without the time that it took.
    outcome.error = (error as? ExchangeError)?.message ?? "\(error)"
  }
  return outcome
}

private let request: Request = {
  let head = HTTPRequest(method: .get, scheme: "http", authority: "fuzz.example", path: "/")
  return Request(head: head).with(ElementLimit.self, limit)
}()

/// Content in chunks of a few bytes, whose sizes follow from the seed; whole without one.
private final class Chunks: BodySource {
  private let state: Mutex<(rest: ArraySlice<UInt8>, step: UInt8?)>

  init(_ content: [UInt8], _ seed: UInt8?) {
    state = Mutex((content[...], seed))
  }

  func next() async throws -> Bytes? {
    state.withLock { state in
      guard !state.rest.isEmpty else { return nil }
      let size = state.step.map { Int($0 & 7) + 1 } ?? state.rest.count
      state.step = state.step.map { $0 &* 5 &+ 3 }
      defer { state.rest = state.rest.dropFirst(size) }
      return Bytes(state.rest.prefix(size))
    }
  }

  func cancel() {}
}
