extension Collection where Element == UInt8 {
  /// Returns the octet that the `%` at an index and the two following hexadecimal digits encode (RFC 3986 2.1); `nil`
  /// if the escape is malformed.
  package func escapedOctet(at index: Index) -> UInt8? {
    guard self[index] == UInt8(ascii: "%"), let first = self.index(index, offsetBy: 1, limitedBy: endIndex),
      first != endIndex, let high = Hexadecimal.value(self[first])
    else { return nil }
    let second = self.index(after: first)
    guard second != endIndex, let low = Hexadecimal.value(self[second]) else { return nil }
    return high << 4 | low
  }

  /// The octets with each percent escape decoded; a malformed escape stays.
  package var percentDecoded: [UInt8] { percentDecoding().octets }

  /// Decodes percent escapes, and returns the position of the first malformed escape, which stays.
  ///
  /// - Parameters:
  ///   - plusIsSpace: Whether a plus sign encodes a space, as in forms.
  ///   - isEncoded: Which octets are decoded; escapes of other octets stay.
  package func percentDecoding(
    plusIsSpace: Bool = false,
    where isEncoded: (UInt8) -> Bool = { _ in true }
  ) -> (octets: [UInt8], malformed: Index?) {
    var octets: [UInt8] = []
    octets.reserveCapacity(count)
    var malformed: Index?
    var index = startIndex
    while index != endIndex {
      let octet = self[index]
      if octet == UInt8(ascii: "%") {
        if let escaped = escapedOctet(at: index) {
          if isEncoded(escaped) {
            octets.append(escaped)
            index = self.index(index, offsetBy: 3)
            continue
          }
        } else if malformed == nil {
          malformed = index
        }
      }
      octets.append(plusIsSpace && octet == UInt8(ascii: "+") ? UInt8(ascii: " ") : octet)
      index = self.index(after: index)
    }
    return (octets, malformed)
  }
}
