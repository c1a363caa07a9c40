import StagecoachCore

/// Texts that a service makes anew for each reply: instants, dates of HTTP and UUIDs. Two texts that differ in nothing else
/// are equal to a recording.
enum VolatileText {
  /// A form of such a text.
  enum Form: UInt8, CaseIterable {
    /// RFC 9562.
    case uuid = 1
    /// A date and a time of ISO 8601, with a time zone or without one.
    case instant
    /// The preferred form of RFC 9110 5.6.7.
    case httpDate
  }

  /// Whether two texts differ at most in such texts.
  static func isEqual(_ a: some StringProtocol, _ b: some StringProtocol) -> Bool {
    a == b || normalized(Array(a.utf8)) == normalized(Array(b.utf8))
  }

  /// The form of a whole text; `nil` if it has none.
  static func form(of text: String) -> Form? {
    let octets = Array(text.utf8)
    return Form.allCases.first { length(of: $0, in: octets, at: 0) == octets.count }
  }

  /// The text with a mark in place of each such text.
  static func normalized(_ octets: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(octets.count)
    var position = 0
    var isInWord = false
    while position < octets.count {
      let octet = octets[position]
      // Each form starts with a letter or digit, and none within a word.
      let isOfWord = octet.isAlphanumeric
      if isOfWord, !isInWord, let (form, length) = found(in: octets, at: position) {
        output += [0, form.rawValue]
        position += length
      } else {
        output.append(octet)
        position += 1
      }
      isInWord = isOfWord
    }
    return output
  }

  private static func found(in octets: [UInt8], at start: Int) -> (Form, Int)? {
    for form in Form.allCases {
      guard let length = length(of: form, in: octets, at: start) else { continue }
      let end = start + length
      if end == octets.count || !octets[end].isAlphanumeric { return (form, length) }
    }
    return nil
  }

  /// The length of a text of a form that starts at a position.
  private static func length(of form: Form, in octets: [UInt8], at start: Int) -> Int? {
    switch form {
    case .uuid: has("hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh", in: octets, at: start)
    case .httpDate: has("aaa, dd aaa dddd dd:dd:dd GMT", in: octets, at: start)
    case .instant: instant(in: octets, at: start)
    }
  }

  private static func instant(in octets: [UInt8], at start: Int) -> Int? {
    guard var length = has("dddd-dd-ddTdd:dd:dd", in: octets, at: start) else { return nil }
    if start + length + 1 < octets.count, octets[start + length] == UInt8(ascii: "."),
      octets[start + length + 1].isDigit
    {
      length += 1
      while start + length < octets.count, octets[start + length].isDigit { length += 1 }
    }
    let zones: [StaticString] = ["Z", "+dd:dd", "-dd:dd", "+dddd", "-dddd"]
    for zone in zones {
      if let more = has(zone, in: octets, at: start + length) { return length + more }
    }
    return length
  }

  /// The length of a pattern, if the octets have its form: `d` is a digit, `h` a hexadecimal digit, `a` a letter.
  private static func has(_ pattern: StaticString, in octets: [UInt8], at start: Int) -> Int? {
    let count = pattern.utf8CodeUnitCount
    guard octets.count - start >= count else { return nil }
    return pattern.withUTF8Buffer { pattern in
      for index in 0..<count {
        let octet = octets[start + index]
        let isRight =
          switch pattern[index] {
          case UInt8(ascii: "d"): octet.isDigit
          case UInt8(ascii: "h"): octet.isHexDigit
          case UInt8(ascii: "a"): octet.isLetter
          default: octet == pattern[index]
          }
        guard isRight else { return nil }
      }
      return count
    }
  }
}
