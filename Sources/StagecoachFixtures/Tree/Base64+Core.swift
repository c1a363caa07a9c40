import StagecoachFormats

extension Base64 {
  /// The digits between the start of a group of three octets and the first digit that only depends on the octets
  /// after `offset`.
  static let leadingDigits = [0, 2, 3]

  /// Returns the digits that only depend on these octets if `offset` others come before them in their group of three.
  static func core(of octets: [UInt8], offset: Int, urlSafe: Bool) -> [UInt8] {
    let digits = encode(repeatElement(0, count: offset) + octets, urlSafe: urlSafe, padded: false)
    let complete = (offset + octets.count) * 8 / 6
    return Array(digits[leadingDigits[offset]..<complete])
  }
}
