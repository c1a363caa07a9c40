@testable import Stagecoach

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The first byte says how the rest is cut into chunks. However it is cut, an event stream gives the same events,
/// lines the same lines, and JSON texts the same values; and what is given keeps the rules of its format.
///
/// The decoders are driven by themselves: the sequences around them need a task, and what a task frees on a
/// thread of its own is taken for a leak, which is then looked for after every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 0 else { return 0 }
  let content = Bytes(Array(UnsafeBufferPointer(start: start + 1, count: count - 1)))
  checkEvents(content, start[0])
  checkLines(content, start[0])
  checkTexts(content, start[0])
  return 0
}

/// The most bytes of an element: small, so that limits are reached.
private let limit = 64

private func checkEvents(_ content: Bytes, _ seed: UInt8) {
  let events = same(content, seed, ServerSentEventDecoder(lastEventID: "", limit: limit))
  for event in events {
    precondition(!event.type.isEmpty, "no type")
    precondition(!event.id.utf8.contains { $0 == 0 || $0 == 0x0A || $0 == 0x0D }, "the ID \(event.id)")
    precondition(!event.data.utf8.contains(0x0D), "a line end in \(event.data)")
    // A byte may become the three of U+FFFD.
    precondition(event.data.utf8.count <= 3 * limit, "\(event.data.utf8.count) bytes")
  }
}

private func checkLines(_ content: Bytes, _ seed: UInt8) {
  for mode in [Charset.Mode.strict, .lossy] {
    let text = LineText(charset: .utf8, mode: mode, heedsMark: true)
    for line in same(content, seed, LineDecoder(text, limit: limit)) {
      precondition(!line.utf8.contains { $0 == 0x0A || $0 == 0x0D }, "a line end in \(line)")
    }
  }
}

private func checkTexts(_ content: Bytes, _ seed: UInt8) {
  for format in [JSONElementFormat.lines, .sequence(report: { _ in }), .sequence(report: { throw $0 })] {
    _ = same(content, seed, JSONElementDecoder<JSONValue>(format, limit: limit, decoder: JSONDecoder()))
  }
}

/// The elements of content, which are the same in chunks of a few bytes, whose sizes follow from the seed.
private func same<Decoder: ElementDecoder>(_ content: Bytes, _ seed: UInt8, _ decoder: Decoder) -> [Decoder
  .Element]
where Decoder.Element: Equatable {
  var whole = Outcome(decoder)
  whole.read(content)
  whole.finish()
  var cut = Outcome(decoder)
  var (rest, step) = (content.array[...], seed)
  while !rest.isEmpty {
    cut.read(Bytes(rest.prefix(Int(step & 7) + 1)))
    rest = rest.dropFirst(Int(step & 7) + 1)
    step = step &* 5 &+ 3
  }
  cut.finish()
  precondition(whole.elements == cut.elements, "\(whole.elements) or \(cut.elements)")
  precondition(whole.error == cut.error, "\(whole.error ?? "no error") or \(cut.error ?? "no error")")
  return whole.elements
}

/// What a decoder gives, up to its first error.
private struct Outcome<Decoder: ElementDecoder> {
  private var decoder: Decoder
  private(set) var elements: [Decoder.Element] = []
  private(set) var error: String?

  init(_ decoder: Decoder) {
    self.decoder = decoder
  }

  mutating func read(_ chunk: Bytes) {
    guard error == nil else { return }
    decoder.append(chunk)
    do {
      while let element = try decoder.next() { elements.append(element) }
    } catch {
      self.error = "\(error)"
    }
  }

  mutating func finish() {
    guard error == nil else { return }
    do {
      if let last = try decoder.finish() { elements.append(last) }
    } catch {
      self.error = "\(error)"
    }
  }
}
