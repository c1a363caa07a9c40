import StagecoachCore

/// Determines the media type of bytes by how they start.
enum ContentSniffer {
  /// Returns the media type: an image, PDF or ZIP by its signature, JSON if it parses, XML and HTML by their first tag,
  /// and otherwise plain text if it is UTF-8 without control characters, or octets.
  static func mediaType(of bytes: Bytes) -> MediaType {
    let octets = bytes.array
    for (signature, offset, type) in signatures where octets.dropFirst(offset).starts(with: signature) {
      return type
    }
    guard isText(octets) else { return .octetStream }
    let text = octets[...].trimmingSpace
    if text.starts(with: "<?xml".utf8) { return .xml }
    if text.first == UInt8(ascii: "<") {
      let start = String(decoding: text.prefix(64), as: UTF8.self).lowercased()
      return htmlStarts.contains { start.hasPrefix($0) } ? .html : .xml
    }
    if let first = text.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
      (try? JSONValue(parsing: text)) != nil
    {
      return .json
    }
    return .plainText
  }

  private static let signatures: [([UInt8], Int, MediaType)] = [
    ([0xFF, 0xD8, 0xFF], 0, .jpeg),
    ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], 0, .png),
    (Array("GIF87a".utf8), 0, .gif),
    (Array("GIF89a".utf8), 0, .gif),
    (Array("WEBP".utf8), 8, .webP),
    (Array("%PDF-".utf8), 0, MediaType(checkedType: "application", subtype: "pdf")),
    ([0x50, 0x4B, 0x03, 0x04], 0, MediaType(checkedType: "application", subtype: "zip")),
    ([0x50, 0x4B, 0x05, 0x06], 0, MediaType(checkedType: "application", subtype: "zip")),
    ([0x1F, 0x8B], 0, MediaType(checkedType: "application", subtype: "gzip")),
  ]

  private static let htmlStarts = ["<!doctype html", "<html", "<head", "<body", "<script"]

  private static func isText(_ octets: [UInt8]) -> Bool {
    !octets.contains { $0 < 0x20 && !(0x09...0x0D).contains($0) && $0 != 0x1B }
      && String(validating: octets, as: UTF8.self) != nil
  }
}

extension Collection where Element == UInt8, SubSequence == Self {
  /// The bytes without a byte order mark and white space at the start.
  var trimmingSpace: Self {
    let rest = starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self
    return rest.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
  }
}
