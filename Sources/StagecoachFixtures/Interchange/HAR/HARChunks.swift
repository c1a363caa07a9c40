import StagecoachCore

/// Content of a HAR file that stands as octets: in Base64, or, as Polly writes it, in hexadecimal digits or as an array of
/// chunks.
///
/// Polly writes an array for content that it has not decoded. Old versions do not say that its chunks are in hexadecimal,
/// later ones say `_isBinary`, and those from 6 on `encoding`.
struct HARChunks {
  let bytes: Bytes
  /// Whether the octets are as they were sent, with their codings.
  let isCoded: Bool

  /// - Returns: `nil` if the text does not stand for octets.
  init?(_ text: String, _ encoding: String?, isBinary: Bool) {
    let encoding = encoding ?? (isBinary ? "hex" : nil)
    let chunks = Self.chunks(in: text)
    guard encoding != nil || chunks != nil else { return nil }
    var octets: [UInt8] = []
    for chunk in chunks ?? [text] {
      switch encoding {
      case "base64":
        guard let bytes = Bytes(base64: chunk) else { return nil }
        octets += bytes.array
      case "hex", nil:
        guard let bytes = Hexadecimal.decode(chunk.utf8) else { return nil }
        octets += bytes
      default: return nil
      }
    }
    bytes = Bytes(octets)
    isCoded = chunks != nil
    // Without a word on it a text may only look so.
    if encoding == nil, !ForeignBody.looksCoded(bytes) { return nil }
  }

  private static func chunks(in text: String) -> [String]? {
    guard text.utf8.first == UInt8(ascii: "["), let values = try? JSONValue(parsing: text).arrayValue else {
      return nil
    }
    let chunks = values.compactMap(\.stringValue)
    return chunks.isEmpty || chunks.count < values.count ? nil : chunks
  }
}
