import HTTPTypes
import StagecoachCore

extension CacheRules {
  /// The head that the caller gets: with the current Age, and with what a part, 304 or 416 needs.
  func head(of response: CachedResponse, _ serving: Serving) -> HTTPResponse {
    var head = response.head
    head.headerFields[.age] = String(serving.age)
    switch serving.content {
    case .whole: break
    case .notModified:
      head.status = .notModified
      let hasTag = head.headerFields.entityTag != nil
      head.headerFields.removeAll(Self.representationFields)
      // A 304 describes no content but what its receiver needs to update its own (RFC 9110 15.4.5).
      if hasTag { head.headerFields[.lastModified] = nil }
    case .part(let range, let total):
      head.status = .partialContent
      head.headerFields.removeAll(Self.digestFields)
      head.headerFields[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)"
      head.headerFields[.contentLength] = String(range.count)
    case .unsatisfiable(let total):
      head.status = .rangeNotSatisfiable
      head.headerFields.removeAll(Self.representationFields)
      head.headerFields[.eTag] = nil
      head.headerFields[.lastModified] = nil
      head.headerFields[.contentRange] = "bytes */\(total)"
      head.headerFields[.contentLength] = "0"
    }
    return head
  }

  /// Fields about all of the content that they came with (RFC 9530 2).
  static let digestFields: Set<String> = ["content-digest", "content-md5"]

  private static let representationFields: Set<String> = [
    "content-length", "content-type", "content-encoding", "content-language", "content-range", "content-md5",
    "content-digest", "repr-digest", "content-disposition",
  ]
}

extension HTTPFields {
  mutating func removeAll(_ names: Set<String>) {
    var kept = HTTPFields()
    kept.reserveCapacity(count)
    for field in self where !names.contains(field.name.canonicalName) { kept.append(field) }
    self = kept
  }
}
