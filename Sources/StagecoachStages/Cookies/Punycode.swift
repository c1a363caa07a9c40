import StagecoachCore

/// The ASCII form of labels beyond ASCII (RFC 3492), in which hosts travel.
enum Punycode {
  private static let base = 36
  private static let firstBeyondASCII = 128

  /// The label with `xn--` in front of its encoding, nil if it is too long to be one; ASCII stays as it is.
  ///
  /// The label must be normalized and lower-cased already, as it is in lists of domains.
  static func label(_ label: Substring.UnicodeScalarView) -> [UInt8]? {
    let scalars = label.map { Int($0.value) }
    var output = scalars.filter { $0 < firstBeyondASCII }.map { UInt8($0) }
    let plain = output.count
    guard plain < scalars.count else { return output }
    // A label has 63 octets at most, so no sum below comes near an overflow.
    guard scalars.count <= 63 else { return nil }
    output.insert(contentsOf: "xn--".utf8, at: 0)
    if plain > 0 { output.append(UInt8(ascii: "-")) }
    var delta = 0
    var bias = 72
    var handled = plain
    var floor = firstBeyondASCII
    while let next = scalars.filter({ $0 >= floor }).min() {
      delta += (next - floor) * (handled + 1)
      floor = next
      for scalar in scalars {
        if scalar < floor { delta += 1 }
        guard scalar == floor else { continue }
        append(delta, bias: bias, to: &output)
        bias = adapted(delta, count: handled + 1, isFirst: handled == plain)
        delta = 0
        handled += 1
      }
      delta += 1
      floor += 1
    }
    return output.count <= 63 ? output : nil
  }

  /// A generalized variable-length integer (RFC 3492 3.3).
  private static func append(_ number: Int, bias: Int, to output: inout [UInt8]) {
    var rest = number
    var position = base
    while true {
      let threshold = min(max(position - bias, 1), 26)
      guard rest >= threshold else { return output.append(digit(rest)) }
      output.append(digit(threshold + (rest - threshold) % (base - threshold)))
      rest = (rest - threshold) / (base - threshold)
      position += base
    }
  }

  private static func digit(_ value: Int) -> UInt8 {
    UInt8(value < 26 ? value + 0x61 : value - 26 + 0x30)
  }

  /// The bias for the next integer (RFC 3492 3.4).
  private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / count
    var steps = 0
    while delta > 455 {
      delta /= base - 1
      steps += base
    }
    return steps + base * delta / (delta + 38)
  }
}
