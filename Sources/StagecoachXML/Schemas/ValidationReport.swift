extension XML {
  /// What a document has against it by a schema.
  ///
  /// It is an error too, for those who throw it.
  public struct ValidationReport: Error, Hashable, CustomStringConvertible {
    /// The first violations, in the order in which they were found.
    public let violations: [Violation]

    /// How many violations were found, also those beyond the limit of the schema.
    public let count: Int

    /// A report.
    ///
    /// - Parameters:
    ///   - violations: Those that were kept.
    ///   - count: How many were found.
    public init(violations: [Violation], count: Int) {
      self.violations = violations
      self.count = max(count, violations.count)
    }

    /// Whether the document follows the schema.
    public var isValid: Bool { count == 0 }

    /// Every violation on a line of its own, and how many more there are.
    public var description: String {
      guard !isValid else { return "valid" }
      var lines = violations.map(\.description)
      if count > violations.count { lines.append("and \(count - violations.count) more") }
      return lines.joined(separator: "\n")
    }
  }

  /// One place where a document breaks its schema.
  public struct Violation: Sendable, Hashable, CustomStringConvertible {
    /// What rule is broken.
    @nonexhaustive
    public enum Kind: Sendable, Hashable {
      /// An element or text is missing, or stands where the schema has none.
      case content
      /// An attribute is missing, or the schema has none of its name there.
      case attribute
      /// A text or attribute value is not of its type.
      case value
      /// A key is missing or not unique, or a reference has no target.
      case identity
      /// Something else.
      case other
    }

    /// What rule is broken.
    public let kind: Kind

    /// What is wrong, in libxml2's words; at most 1,024 characters.
    public let message: String

    /// The line of the element, from 1; nil if unknown.
    public let line: Int?

    /// Where in the document: the names as it writes them, with a number where several siblings have the
    /// same, such as `/feed/entry[2]/@id`; nil if unknown. For people: an XPath expression needs prefixes
    /// for default namespaces.
    public let path: String?

    /// libxml2's number for the rule: of `xmlParserErrors` for XML Schema, of `xmlRelaxNGValidErr` for
    /// RELAX NG.
    public let code: Int

    /// A violation.
    ///
    /// - Parameters:
    ///   - kind: What rule is broken.
    ///   - message: What is wrong.
    ///   - line: The line, from 1.
    ///   - path: Where.
    ///   - code: libxml2's number.
    public init(kind: Kind, message: String, line: Int? = nil, path: String? = nil, code: Int = 0) {
      self.kind = kind
      self.message = message
      self.line = line
      self.path = path
      self.code = code
    }

    /// The place and the message, for people.
    public var description: String {
      let place = [line.map { "line \($0)" }, path].compactMap(\.self)
      return place.isEmpty ? message : place.joined(separator: ", ") + ": " + message
    }
  }
}
