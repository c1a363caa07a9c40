/// The address between the brackets of a host (RFC 3986 3.2.2, RFC 4291 2.2).
enum IPv6Literal {
  /// Whether the octets, without brackets, are an IPv6 address: eight groups of one to four hexadecimal
  /// digits, of which one run may be left out as `::` and the last two may be a dotted IPv4 address.
  static func isValid(_ octets: UnsafeBufferPointer<UInt8>) -> Bool {
    let colon = UInt8(ascii: ":")
    var groups = 0
    var isCompressed = false
    var position = 0
    if octets.first == colon {
      guard octets.count >= 2, octets[1] == colon else { return false }
      isCompressed = true
      position = 2
    }
    while position < octets.count {
      let start = position
      while position < octets.count, octets[position].isHexDigitOfURI {
        position += 1
      }
      if position < octets.count, octets[position] == UInt8(ascii: ".") {
        guard isIPv4(octets[start...]) else { return false }
        groups += 2
        break
      }
      guard (1...4).contains(position - start), groups < 8 else { return false }
      groups += 1
      guard position < octets.count else { break }
      guard octets[position] == colon else { return false }
      position += 1
      guard position < octets.count else { return false }
      if octets[position] == colon {
        guard !isCompressed else { return false }
        isCompressed = true
        position += 1
      }
    }
    return isCompressed ? groups <= 7 : groups == 8
  }

  /// Four decimal numbers up to 255 without leading zeros, separated by dots.
  private static func isIPv4(_ octets: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    let numbers = octets.split(
      separator: UInt8(ascii: "."),
      maxSplits: 4,
      omittingEmptySubsequences: false
    )
    return numbers.count == 4
      && numbers.allSatisfy { digits in
        guard (1...3).contains(digits.count), digits.allSatisfy(\.isDigitOfURI) else { return false }
        if digits.count > 1, digits.first == UInt8(ascii: "0") { return false }
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } <= 255
      }
  }
}
