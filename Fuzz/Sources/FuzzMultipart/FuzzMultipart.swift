import HTTPTypes
import Stagecoach

/// The first octet is a size; the rest, with the boundary `B`, is refused or read, in chunks of that size as it
/// is whole: the same fields, the same contents, the same error. What is read stays within its limits.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 0 else { return 0 }
  let content = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
  let whole = Reading(content, size: max(1, content.count))
  let pieces = Reading(content, size: max(1, Int(start[0])))
  precondition(whole == pieces, "chunks of \(start[0]) read differently")
  precondition(whole.isClosed == (whole.error == nil), "closed, and \(String(describing: whole.error))")
  precondition(whole.parts.count <= Reading.limits.partCount, "\(whole.parts.count) parts")
  precondition(whole.parts.reduce(0) { $0 + $1.content.count } <= content.count, "more than there was")
  for part in whole.parts {
    precondition(
      part.fields.reduce(0) { $0 + $1.name.rawName.utf8.count } <= Reading.limits.headSize,
      "a long head"
    )
    _ = part.fields.contentDisposition?.fileName
  }
  let collected = try? MultipartPart.all(
    in: Bytes(content),
    of: MediaType("multipart/mixed; boundary=B"),
    limits: Reading.limits
  )
  precondition(
    collected.map { $0.map { [UInt8]($0.content) } == whole.parts.map(\.content) } ?? (whole.error != nil)
  )
  return 0
}

private struct Reading: Equatable {
  static let limits = {
    var limits = MultipartLimits()
    (limits.partCount, limits.headSize, limits.preambleSize) = (8, 64, 32)
    return limits
  }()

  struct Part: Equatable {
    var fields: HTTPFields
    var content: [UInt8] = []
    var isComplete = false
  }

  var parts: [Part] = []
  var isClosed = false
  var error: MultipartError?

  init(_ content: [UInt8], size: Int) {
    do throws(MultipartError) {
      var parser = try MultipartParser(boundary: "B", limits: Self.limits)
      var rest = content[...]
      while !rest.isEmpty {
        parser.feed(Bytes(rest.prefix(size)))
        rest = rest.dropFirst(size)
        try take(from: &parser)
      }
      parser.finish()
      try take(from: &parser)
    } catch {
      self.error = error
    }
  }

  private mutating func take(from parser: inout MultipartParser) throws(MultipartError) {
    while let event = try parser.next() {
      switch event {
      case .partStarted(let fields): parts.append(Part(fields: fields))
      case .content(let bytes):
        precondition(!bytes.isEmpty, "empty content")
        parts[parts.count - 1].content += [UInt8](bytes)
      case .partEnded: parts[parts.count - 1].isComplete = true
      case .ended: isClosed = true
      @unknown default: break
      }
    }
  }
}
