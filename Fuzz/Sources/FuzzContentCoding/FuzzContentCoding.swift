import Stagecoach
import StagecoachContentCoding

/// The first byte chooses a coding, the second one how the rest is cut and how much room there is. However it
/// is cut, the same bytes come out, and the same error if there is one.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count >= 2 else { return 0 }
  let coding = codings[Int(start[0]) % codings.count]
  let coded = UnsafeRawBufferPointer(start: start + 2, count: count - 2)
  let size = Int(start[1]) + 1
  let whole = decode(coded, as: coding, cutInto: max(1, coded.count), room: 65_536)
  let cut = decode(coded, as: coding, cutInto: size, room: size)
  let common = min(whole.bytes.count, cut.bytes.count)
  precondition(whole.bytes.prefix(common) == cut.bytes.prefix(common), "cut into \(size): other bytes")
  guard !whole.isCut, !cut.isCut else { return 0 }
  precondition(whole.bytes.count == cut.bytes.count, "cut into \(size): more or less bytes")
  precondition(whole.failure == cut.failure, "cut into \(size): \(String(describing: cut.failure))")
  return 0
}

private let codings: [any ContentCoding] = [
  GzipCoding(), GzipCoding(passesPlainContent: true), DeflateCoding(),
]

private struct Outcome {
  var bytes: [UInt8] = []
  var failure: ContentCodingError?
  /// Whether there would have been more than anybody wants to compare.
  var isCut: Bool { bytes.count > 100_000 }
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
    var position = 0
    while position < coded.count {
      // A copy of exactly this size, so that the sanitizer sees who reads beyond it.
      let chunk = Array(coded[position..<min(position + size, coded.count)])
      position += chunk.count
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
    precondition(rest.isEmpty || step.consumed + step.produced > 0, "no progress")
    outcome.bytes.append(contentsOf: output.prefix(step.produced))
    rest = rest.dropFirst(step.consumed)
    wasFilled = step.produced == output.count
  }
}
