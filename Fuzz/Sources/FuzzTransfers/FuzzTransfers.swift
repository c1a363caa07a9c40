import HTTPTypes

@testable import StagecoachCore
@testable import StagecoachFormats
@testable import StagecoachTransfers

/// Any octets as a journal say something that holds together, and are written as they are read; any text as
/// Content-Range or a digest is refused or within its bounds; and a reply with it is never appended at another place.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let octets = Array(UnsafeBufferPointer(start: start, count: count))
  if let journal = TransferJournal(octets) {
    precondition(
      (try? journal.encoded()).flatMap { TransferJournal($0) } == journal,
      "written in another way"
    )
    for size in [0, 1, 1 << 20, Int64.max] {
      guard let kept = journal.kept(for: journal, size: size) else { continue }
      precondition(kept.isConsistent, "kept content has gaps")
      precondition(kept.count >= 0 && kept.count <= max(size, 0), "more is kept than the file holds")
    }
  }
  let text = String(decoding: octets, as: UTF8.self)
  if let range = ContentRange(text), let bytes = range.bytes {
    precondition(
      bytes.lowerBound >= 0 && bytes.upperBound <= range.total ?? Int64.max,
      "out of bounds"
    )
    var content = PartialContent(validator: .entityTag("\"a\""), total: range.total)
    content.spans[0].next = 1
    var head = HTTPResponse(status: .partialContent)
    head.headerFields[.contentRange] = text
    let decision = ReplyDecision(
      head,
      length: Int64(bytes.count),
      askedFor: content.spans[0],
      of: content
    )
    precondition(decision != .append || bytes.lowerBound == 1, "appended at another place")
  }
  if let checksum = Checksum(digestField: text) {
    precondition(checksum.value.count == checksum.algorithm.length, "a hash of another length")
  }
  if let checksum = Checksum(text) {
    precondition(Checksum(checksum.description) == checksum, "written in another way")
  }
  return 0
}
