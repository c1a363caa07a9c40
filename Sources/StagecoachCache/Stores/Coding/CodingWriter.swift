internal import StagecoachCore

/// Builds the binary form of a stored response.
struct CodingWriter {
  private(set) var bytes: [UInt8] = []

  init() {
    bytes.reserveCapacity(512)
  }

  mutating func byte(_ value: UInt8) {
    bytes.append(value)
  }

  /// Appends a number in LEB128: seven bits a byte, the lowest first.
  mutating func number(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func double(_ value: Double) {
    let pattern = value.bitPattern
    for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: pattern >> shift)) }
  }

  mutating func octets(_ octets: UnsafeBufferPointer<UInt8>) {
    number(UInt64(octets.count))
    bytes.append(contentsOf: octets)
  }

  mutating func text(_ text: String) {
    text.withUTF8Bytes { octets($0) }
  }
}
