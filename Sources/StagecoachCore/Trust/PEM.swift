#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The PEM format of certificates and keys (RFC 7468).
package enum PEM {
  /// Returns the contents of all blocks with a label.
  ///
  /// - Throws: ``TrustError/malformedCertificate`` if a block has no end or is not valid Base64.
  static func blocks(of text: String, label: String) throws -> [[UInt8]] {
    var blocks: [[UInt8]] = []
    var content: [UInt8]?
    for line in text.split(whereSeparator: \.isNewline) {
      let line = line.filter { !$0.isWhitespace }
      if line == "-----BEGIN\(label.filter { $0 != " " })-----" {
        content = []
      } else if line == "-----END\(label.filter { $0 != " " })-----" {
        guard let base64 = content, let data = Data(base64Encoded: Data(base64)), !data.isEmpty else {
          throw TrustError.malformedCertificate
        }
        blocks.append(Array(data))
        content = nil
      } else {
        content?.append(contentsOf: line.utf8)
      }
    }
    guard content == nil else { throw TrustError.malformedCertificate }
    return blocks
  }
}
