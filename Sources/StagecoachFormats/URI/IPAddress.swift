#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// An IP address by its bytes, 4 or 16.
package struct IPAddress: Hashable, Sendable {
  package let bytes: [UInt8]

  /// The address that a text is, without brackets and zone; nil for anything else.
  package init?(_ text: some StringProtocol) {
    let text = String(text)
    let isVersion6 = text.utf8.contains(UInt8(ascii: ":"))
    var bytes = [UInt8](repeating: 0, count: isVersion6 ? 16 : 4)
    guard inet_pton(isVersion6 ? AF_INET6 : AF_INET, text, &bytes) == 1 else { return nil }
    self.bytes = bytes
  }

  /// Whether the first bits are those of another address.
  package func hasPrefix(of block: IPAddress, bits: Int) -> Bool {
    guard bytes.count == block.bytes.count else { return false }
    let whole = bits / 8
    guard bytes[..<whole] == block.bytes[..<whole] else { return false }
    guard bits % 8 > 0 else { return true }
    return (bytes[whole] ^ block.bytes[whole]) >> (8 - bits % 8) == 0
  }
}
