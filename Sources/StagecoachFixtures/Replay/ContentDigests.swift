import HTTPTypes
import StagecoachFormats

/// The fields with digests of content: `Content-Digest` and `Repr-Digest` (RFC 9530), `Digest` (RFC 3230) and
/// `Content-MD5` (RFC 1864).
enum ContentDigests {
  private static let names = ["content-digest", "repr-digest", "digest"]

  /// Makes the digests in the fields of a reply anew, for content that is another one than was recorded.
  ///
  /// - Parameters:
  ///   - content: The content with its codings.
  ///   - isPartial: Whether the content is a part of a representation, of which no digest can be made.
  static func renew(in fields: inout HTTPFields, of content: [UInt8], isPartial: Bool) {
    for index in fields.indices.reversed() {
      let name = fields[index].name
      let canonical = name.canonicalName
      if canonical == "content-md5" {
        fields[index] = HTTPField(name: name, value: Base64.encode(MD5.hash(content)))
      } else if names.contains(canonical) {
        // Nobody can check a digest of what is not known.
        let isKnown = !isPartial || canonical == "content-digest"
        let digests =
          isKnown
          ? fields[index].value.split(separator: ",", outsideQuotes: true).compactMap { renewed($0, content) }
          : []
        if digests.isEmpty {
          fields.remove(at: index)
        } else {
          fields[index].value = digests.joined(separator: ", ")
        }
      }
    }
  }

  /// Returns `name=digest` with the digest of other content; `nil` if the algorithm is not known.
  private static func renewed(_ item: String, _ content: [UInt8]) -> String? {
    let parts = item.split(separator: "=", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    let name = String(parts[0]).trimmed
    let digest: [UInt8]
    switch name.lowercased() {
    case "sha-256": digest = SHA256.hash(content)
    case "sha-512": digest = SHA512.hash(content)
    case "md5": digest = MD5.hash(content)
    default: return nil
    }
    let text = String(decoding: Base64.encode(digest), as: UTF8.self)
    return String(parts[1]).trimmed.hasPrefix(":") ? "\(name)=:\(text):" : "\(name)=\(text)"
  }
}
