import HTTPTypes

extension HTTPFields {
  /// The codings of Content-Encoding in lower case, in the order in which they were applied, without `identity` (RFC
  /// 9110 8.4).
  var contentCodings: [String] {
    var codings: [String] = []
    for field in self where field.name == .contentEncoding {
      for element in field.value.utf8.split(separator: UInt8(ascii: ",")) {
        let name = Substring(element).trimmingBlanks.lowercased()
        if !name.isEmpty, name != "identity" { codings.append(name) }
      }
    }
    return codings
  }

  /// Removes the fields that only apply to the encoded content, and keeps these codings.
  ///
  /// - Returns: The original fields.
  mutating func removeDescriptionOfCodedContent(leaving codings: [String]) -> HTTPFields {
    var (kept, removed) = (HTTPFields(), HTTPFields())
    var wasLeft = codings.isEmpty
    for field in self {
      guard field.name == .contentEncoding || Self.describingCodedContent.contains(field.name.canonicalName)
      else {
        kept.append(field)
        continue
      }
      removed.append(field)
      guard field.name == .contentEncoding, !wasLeft else { continue }
      kept.append(HTTPField(name: field.name, value: codings.joined(separator: ", ")))
      wasLeft = true
    }
    self = kept
    return removed
  }

  private static let describingCodedContent: Set<String> = digests.union(["content-length", "accept-ranges"])

  /// Content-Digest is of the coded content, Repr-Digest of the coded representation (RFC 9530 2, 3), and so
  /// are their predecessors.
  private static let digests: Set<String> = ["content-md5", "digest", "content-digest", "repr-digest"]

  /// Whether there is a digest of the content.
  var hasDigest: Bool {
    contains { Self.digests.contains($0.name.canonicalName) }
  }
}

extension Substring {
  /// Without spaces and tabs at both ends.
  fileprivate var trimmingBlanks: Substring {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    guard let end = lastIndex(where: { !isBlank($0) }) else { return "" }
    return self[...end].drop(while: isBlank)
  }
}
