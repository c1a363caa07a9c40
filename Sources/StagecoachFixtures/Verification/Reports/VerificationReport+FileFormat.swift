import StagecoachCore

extension VerificationReport {
  /// The formats of a report.
  @nonexhaustive
  public enum FileFormat: String, Sendable, Hashable, CaseIterable {
    /// Lines for people, as ``VerificationReport/description``.
    case text
    /// JSON with everything that is known; what ``Verification/keep(failedIn:)`` reads.
    case json
    /// The XML of JUnit: a test suite for each scenario, a test case for each exchange.
    case junit
    /// SARIF 2.1.0: a result for each difference, at its line of the manifest.
    case sarif
    /// One page for a browser, which loads nothing and runs no script.
    case html
  }

  /// Returns the report in a format, in UTF-8.
  public func serialized(as format: FileFormat) -> [UInt8] {
    switch format {
    case .text: Array((TextReport(self).text + "\n").utf8)
    case .json: Self.text(JSONReport(self).value)
    case .junit: Array(JUnitReport(self).text.utf8)
    case .sarif: Self.text(SARIFReport(self).value)
    case .html: Array(HTMLReport(self).text.utf8)
    }
  }

  /// Characters that reorder text are escaped: names in contracts may have them.
  private static func text(_ report: JSONValue) -> [UInt8] {
    let text = String(decoding: report.serialized(.init(isPretty: true)), as: UTF8.self) + "\n"
    let result = text.unicodeScalars.reduce(into: "") { result, scalar in
      if scalar == "\n" || MarkupText.isAllowed(scalar.value) {
        result.unicodeScalars.append(scalar)
      } else {
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return Array(result.utf8)
  }
}

extension Duration {
  /// Milliseconds, to the microsecond.
  var reportMilliseconds: Double {
    let parts = components
    return ((Double(parts.seconds) * 1e6 + Double(parts.attoseconds) / 1e12).rounded()) / 1000
  }

  /// Milliseconds as a number of JSON.
  var reportNumber: JSONValue { JSONNumber(reportMilliseconds).map(JSONValue.number) ?? .null }
}

extension JSONObject {
  /// Appends a member, unless the value is `nil`.
  mutating func add(_ key: String, _ value: JSONValue?) {
    if let value { members.append(Member(key: key, value: value)) }
  }
}

extension JSONValue {
  /// A string, or `nil`.
  static func text(_ text: String?) -> JSONValue? { text.map { .string($0) } }

  /// An array of strings; `nil` if there are none.
  static func texts(_ texts: [String]) -> JSONValue? {
    texts.isEmpty ? nil : .array(texts.map { .string($0) })
  }
}
