import StagecoachCore

extension Scenario.Body {
  /// Whether two contents are equal to a recording: they differ at most in volatile texts and multipart boundaries.
  static func isEqual(_ a: Scenario.Body?, _ b: Scenario.Body?) -> Bool {
    guard let a, let b else { return a == nil && b == nil }
    guard a.omission == b.omission, a.codings == b.codings, a.framing == b.framing else { return false }
    return a.bytes == b.bytes || a.normalized == b.normalized
  }

  private var normalized: [UInt8] {
    let octets = bytes.array
    guard let boundary = type.flatMap({ MediaType($0) })?.boundary?.value else {
      return VolatileText.normalized(octets)
    }
    var output: [UInt8] = []
    var rest = octets[...]
    while let range = rest.firstRange(of: Array("--\(boundary)".utf8)) {
      output += rest[..<range.lowerBound] + [0, 0]
      rest = rest[range.upperBound...]
    }
    return VolatileText.normalized(output + rest)
  }
}
