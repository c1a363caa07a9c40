/// The characters of JIS X 0208 with the extensions of Shift_JIS, which the other Japanese charsets have on the web.
final class ShiftJIS {
  private let decoder: SystemDecoder

  /// `nil` if the C library has no decoder for it.
  init?() {
    guard let decoder = SystemDecoder("CP932") else { return nil }
    self.decoder = decoder
  }

  /// Returns the character of two octets in EUC-JP or ISO-2022-JP; `nil` if there is none.
  func character(_ first: UInt8, _ second: UInt8) -> Unicode.Scalar? {
    // EUC-JP sets the high bit of both, ISO-2022-JP of neither.
    guard first & 0x80 == second & 0x80 else { return nil }
    let (row, cell) = (first & 0x7F, second & 0x7F)
    guard 0x21...0x7E ~= row, 0x21...0x7E ~= cell else { return nil }
    let lead = (row + 1) / 2 + (row <= 0x5E ? 0x70 : 0xB0)
    let trail = row.isMultiple(of: 2) ? cell + 0x7E : cell + (cell < 0x60 ? 0x1F : 0x20)
    let (text, _, isMalformed) = withUnsafeBytes(of: (lead, trail)) {
      decoder.decode($0, mode: .strict, isLast: true)
    }
    return isMalformed ? nil : text.unicodeScalars.first
  }
}
