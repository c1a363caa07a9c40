extension Substring.UTF8View {
  /// The octets with each `%` and the two hexadecimal digits behind it in place of the octet that they stand for
  /// (RFC 3986 2.1); a `%` without them stays.
  var percentDecoded: [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(count)
    var rest = self
    while let octet = rest.popFirst() {
      let digits = octet == UInt8(ascii: "%") ? rest.prefix(2).compactMap(Hexadecimal.value) : []
      guard digits.count == 2 else {
        result.append(octet)
        continue
      }
      rest.removeFirst(2)
      result.append(digits[0] << 4 | digits[1])
    }
    return result
  }
}
