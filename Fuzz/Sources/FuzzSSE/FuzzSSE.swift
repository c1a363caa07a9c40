import Dispatch
import HTTPTypes
import Synchronization

@testable import StagecoachCore
@testable import StagecoachSerializers

/// The first byte says how the rest is cut into chunks. However it is cut, an event stream gives the same events,
/// lines the same lines, and JSON texts the same values; and what is given keeps the rules of its format.
///
/// The decoders are driven by themselves: the sequences around them need a task, and what a task frees on a
/// thread of its own is taken for a leak, which is then looked for after every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 0 else { return 0 }
  let content = Bytes(Array(UnsafeBufferPointer(start: start + 1, count: count - 1)))
  let chunks = cut(content, start[0])
  checkEvents(content, chunks)
  checkLines(content, chunks)
  checkTexts(content, chunks)
  return 0
}

/// The most bytes of an element: small, so that limits are reached.
private let limit = 64

private let events = makeSequence(ServerSentEventResponseSerializer())
private let strictLines = makeSequence(LinesResponseSerializer(mode: .strict))
private let lossyLines = makeSequence(LinesResponseSerializer(mode: .lossy))
private let jsonLines = makeSequence(JSONLinesResponseSerializer(JSONValue.self))
private let jsonSequence = makeSequence(JSONSequenceResponseSerializer(JSONValue.self))

/// The sequence that a serializer makes, of a body without content: only its decoder is of interest.
private func makeSequence<Serializer: ResponseSerializer>(_ serializer: Serializer) -> Serializer.Output {
  var response = Response(.ok, body: .bytes(Bytes()))
  response.request = Request.get("http://fuzz.example/").with(\.elementLimit, limit)
  let (done, sequence) = (DispatchSemaphore(value: 0), Slot<Serializer.Output>())
  Task { [response] in
    let made = try? await serializer.serialize(response)
    sequence.value.withLock { $0 = made }
    done.signal()
  }
  done.wait()
  guard let made = sequence.value.withLock({ $0 }) else { preconditionFailure("no sequence") }
  return made
}

private final class Slot<Value: Sendable>: Sendable {
  let value = Mutex<Value?>(nil)
}

private func checkEvents(_ content: Bytes, _ chunks: [Bytes]) {
  for event in same(content, chunks, events) {
    precondition(!event.type.isEmpty, "no type")
    precondition(!event.id.utf8.contains { $0 == 0 || $0 == 0x0A || $0 == 0x0D }, "the ID \(event.id)")
    precondition(!event.data.utf8.contains(0x0D), "a line end in \(event.data)")
    // A byte may become the three of U+FFFD.
    precondition(event.data.utf8.count <= 3 * limit, "\(event.data.utf8.count) bytes")
  }
}

private func checkLines(_ content: Bytes, _ chunks: [Bytes]) {
  for lines in [strictLines, lossyLines] {
    for line in same(content, chunks, lines) {
      precondition(!line.utf8.contains { $0 == 0x0A || $0 == 0x0D }, "a line end in \(line)")
    }
  }
}

private func checkTexts(_ content: Bytes, _ chunks: [Bytes]) {
  for texts in [jsonLines, jsonSequence] {
    _ = same(content, chunks, texts)
  }
}

/// Content in chunks of a few bytes, each in memory of its own, whose sizes follow from the seed.
private func cut(_ content: Bytes, _ seed: UInt8) -> [Bytes] {
  var (chunks, rest, step): ([Bytes], _, _) = ([], [UInt8](content)[...], seed)
  while !rest.isEmpty {
    let size = Int(step & 7) + 1
    chunks.append(Bytes(Array(rest.prefix(size))))
    rest = rest.dropFirst(size)
    step = step &* 5 &+ 3
  }
  return chunks
}

/// The elements of content, which are the same in chunks.
private func same<Element: Equatable>(
  _ content: Bytes,
  _ chunks: [Bytes],
  _ sequence: BodyElements<Element>
) -> [Element] {
  let whole = Outcome(sequence.makeAsyncIterator().decoder, [content])
  let pieces = Outcome(sequence.makeAsyncIterator().decoder, chunks)
  precondition(whole.elements == pieces.elements, "\(whole.elements) or \(pieces.elements)")
  precondition(whole.error == pieces.error, "\(whole.error ?? "no error") or \(pieces.error ?? "no error")")
  return whole.elements
}

/// What a decoder gives, up to its first error.
private struct Outcome<Element> {
  private(set) var elements: [Element] = []
  private(set) var error: String?

  init(_ decoder: any ElementDecoder<Element>, _ chunks: [Bytes]) {
    var decoder = decoder
    do {
      for chunk in chunks {
        decoder.append(chunk)
        while let element = try decoder.next() { elements.append(element) }
      }
      if let last = try decoder.finish() { elements.append(last) }
    } catch {
      self.error = "\(error)"
    }
  }
}
