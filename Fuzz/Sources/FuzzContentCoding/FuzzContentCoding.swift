import Stagecoach

@testable import StagecoachContentCoding

/// The first byte chooses a coding or a chain of them, the second one how the rest is cut and how much room there
/// is. However it is cut, the same bytes come out, and an error if there is one: the same, unless two codings of
/// a chain have one each, of which either may come first.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count >= 2 else { return 0 }
  let codings = codings(start[0])
  let coded = UnsafeRawBufferPointer(start: start + 2, count: count - 2)
  let size = Int(start[1]) + 1
  let whole: Outcome
  let cut: Outcome
  if codings.count == 1 {
    whole = decode(coded, as: codings[0], cutInto: max(1, coded.count), room: 65_536)
    cut = decode(coded, as: codings[0], cutInto: size, room: size)
  } else {
    whole = decode(coded, through: codings, cutInto: max(1, coded.count))
    cut = decode(coded, through: codings, cutInto: size)
  }
  let common = min(whole.bytes.count, cut.bytes.count)
  precondition(whole.bytes.prefix(common) == cut.bytes.prefix(common), "cut into \(size): other bytes")
  guard !whole.isCut, !cut.isCut else { return 0 }
  let failures = "\(String(describing: whole.failure)), in pieces \(String(describing: cut.failure))"
  precondition((whole.failure == nil) == (cut.failure == nil), failures)
  precondition(whole.failure?.reason == cut.failure?.reason || codings.count > 1, failures)
  // What Brotli calls an error, and how many good bytes it keeps to itself then, depends on the pieces.
  guard whole.failure == nil || !codings.contains(where: { $0 is BrotliCoding }) else { return 0 }
  precondition(whole.failure == cut.failure || codings.count > 1, failures)
  precondition(whole.bytes.count == cut.bytes.count, "cut into \(size): more or less bytes")
  return 0
}

private let codings: [any ContentCoding] = [
  GzipCoding(), GzipCoding(passesPlainContent: true), DeflateCoding(), BrotliCoding(), ZstandardCoding(),
]

/// One coding for each of the first numbers; those after them are chains of two, three and four.
private func codings(_ number: UInt8) -> [any ContentCoding] {
  var rest = Int(number)
  var chosen = [codings[rest % codings.count]]
  rest /= codings.count
  while rest > 0 {
    rest -= 1
    chosen.append(codings[rest % codings.count])
    rest /= codings.count
  }
  return chosen
}

/// What came out of decoding a body: the bytes, and what ended it if not the end of the content.
private struct Outcome {
  /// How many bytes are more than anybody wants to compare.
  static let limit = 100_000

  var bytes: [UInt8] = []
  var failure: ContentCodingError?
  /// Whether there would have been more bytes.
  var isCut = false
}

/// Copies of exactly this size, so that the sanitizer sees who reads beyond them.
private func pieces(_ coded: UnsafeRawBufferPointer, of size: Int) -> [[UInt8]] {
  stride(from: 0, to: coded.count, by: size).map { Array(coded[$0..<min($0 + size, coded.count)]) }
}

private func decode(
  _ coded: UnsafeRawBufferPointer,
  as coding: any ContentCoding,
  cutInto size: Int,
  room: Int
) -> Outcome {
  var outcome = Outcome()
  do throws(ContentCodingError) {
    let decoder = try coding.makeDecoder()
    let output = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 1)
    defer { output.deallocate() }
    for chunk in pieces(coded, of: size) {
      try feed(chunk, to: decoder, output, &outcome)
      guard !outcome.isCut else { return outcome }
    }
    try decoder.finish()
  } catch {
    outcome.failure = error
  }
  return outcome
}

private func feed(
  _ chunk: [UInt8],
  to decoder: any ContentDecoder,
  _ output: UnsafeMutableRawBufferPointer,
  _ outcome: inout Outcome
) throws(ContentCodingError) {
  var rest = chunk[...]
  var wasFilled = false
  while !rest.isEmpty || wasFilled, !outcome.isCut {
    let step = try Bytes(rest).withUnsafeBytes { input throws(ContentCodingError) in
      try decoder.decode(input, into: output)
    }
    precondition(0...rest.count ~= step.consumed && 0...output.count ~= step.produced, "impossible: \(step)")
    // The data has ended, and what follows is ignored.
    if !rest.isEmpty, step.consumed + step.produced == 0 { return }
    outcome.bytes.append(contentsOf: output.prefix(step.produced))
    outcome.isCut = outcome.bytes.count > Outcome.limit
    rest = rest.dropFirst(step.consumed)
    wasFilled = step.produced == output.count
  }
}

private func decode(
  _ coded: UnsafeRawBufferPointer,
  through codings: [any ContentCoding],
  cutInto size: Int
) -> Outcome {
  var outcome = Outcome()
  var rest = pieces(coded, of: size)[...]
  do throws(ExchangeError) {
    var chain = try DecodingChain(codings, options: options)
    while true {
      switch try chain.next() {
      case .chunk(let chunk):
        precondition(chunk.count > 0, "an empty chunk")
        outcome.bytes.append(contentsOf: [UInt8](chunk))
      case .needsInput: chain.append(rest.popFirst().map { Bytes($0) })
      case .end: return outcome
      }
    }
  } catch {
    outcome.failure = error.underlying as? ContentCodingError
    outcome.isCut = error.kind == .limit(.decodedBody)
    precondition(outcome.isCut || outcome.failure != nil, "\(error)")
  }
  return outcome
}

private let options = {
  var options = RequestOptions()
  options.decodedBodyLimit = Int64(Outcome.limit)
  return options
}()
