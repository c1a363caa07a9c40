extension XML {
  /// The violations of a schema in a document.
  ///
  /// It is also an error, so that it can be thrown.
  public struct ValidationReport: Error, Hashable, CustomStringConvertible {
    /// The first violations, in the order in which they were found.
    public let violations: [Violation]

    /// The number of violations found, including those beyond the limit of the schema.
    public let count: Int

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - violations: The violations that were kept.
    ///   - count: The number of violations found.
    public init(violations: [Violation], count: Int) {
      self.violations = violations
      self.count = max(count, violations.count)
    }

    /// Whether the document matches the schema.
    public var isValid: Bool { count == 0 }

    /// Every violation on a separate line, and the number of omitted ones.
    public var description: String {
      guard !isValid else { return "valid" }
      var lines = violations.map(\.description)
      if count > violations.count { lines.append("and \(count - violations.count) more") }
      return lines.joined(separator: "\n")
    }
  }

  /// A violation of a schema.
  public struct Violation: Sendable, Hashable, CustomStringConvertible {
    /// The message of libxml2; at most 1,024 characters.
    public let message: String

    /// The line of the element, from 1; `nil` if unknown.
    public let line: Int?

    /// The human-readable path in the document: the names as written, with a number if several siblings have the same
    /// name, such as `/feed/entry[2]/@id`; `nil` if unknown. As an XPath expression it would need prefixes for default
    /// namespaces.
    public let path: String?

    /// The code of libxml2: of `xmlParserErrors` for XML Schema, of `xmlRelaxNGValidErr` for RELAX NG.
    public let code: Int

    /// Creates a violation.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - line: The line, from 1.
    ///   - path: The path.
    ///   - code: The code of libxml2.
    public init(message: String, line: Int? = nil, path: String? = nil, code: Int = 0) {
      self.message = message
      self.line = line
      self.path = path
      self.code = code
    }

    /// A description with the position.
    public var description: String {
      let place = [line.map { "line \($0)" }, path].compactMap(\.self)
      return place.isEmpty ? message : place.joined(separator: ", ") + ": " + message
    }
  }
}
