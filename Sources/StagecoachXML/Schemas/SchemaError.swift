extension XML {
  /// Why a schema could not be used.
  public struct SchemaError: Error, Hashable, CustomStringConvertible {
    /// What is wrong with the schema.
    @nonexhaustive
    public enum Reason: Sendable, Hashable {
      /// A document of the schema could not be parsed.
      case unreadable(ParseError)

      /// The root element is neither `schema` of XML Schema nor a pattern of RELAX NG, or not of the language
      /// of the document that refers to it; `root` is `{namespace}name`.
      case notASchema(root: String)

      /// The schema refers to a document that is not among the resources; `location` is the reference.
      /// Nothing is ever loaded from anywhere else.
      case missingResource(location: String)

      /// The documents are no schema; every problem that libxml2 found, the first 100.
      case invalid([Problem])

      /// The schema exceeds a limit; `name` is the property of ``Schema/Limits``, `value` the limit.
      case limit(name: String, value: Int)
    }

    /// One thing that is wrong with the documents of a schema.
    public struct Problem: Sendable, Hashable, CustomStringConvertible {
      /// What is wrong, in libxml2's words; at most 1,024 characters.
      public let message: String

      /// The document where it is wrong: its location, empty for the schema itself if it has none.
      public let location: String

      /// The line, from 1; nil if unknown.
      public let line: Int?

      /// A problem.
      ///
      /// - Parameters:
      ///   - message: What is wrong.
      ///   - location: The location of the document.
      ///   - line: The line, from 1.
      public init(message: String, location: String = "", line: Int? = nil) {
        self.message = message
        self.location = location
        self.line = line
      }

      /// The place and the message, for people.
      public var description: String { XML.SchemaError.place(location, line) + message }
    }

    /// What is wrong.
    public let reason: Reason

    /// The document that is to blame: its location, empty for the schema itself if it has none.
    public let location: String

    /// The line in that document, from 1; nil if unknown.
    public let line: Int?

    /// An error at a place in a schema.
    ///
    /// - Parameters:
    ///   - reason: What is wrong.
    ///   - location: The location of the document.
    ///   - line: The line, from 1.
    public init(reason: Reason, location: String = "", line: Int? = nil) {
      self.reason = reason
      self.location = location
      self.line = line
    }

    /// The place and the reason, for people; of several problems the first, and how many there are.
    public var description: String {
      if case .unreadable(let error) = reason {
        return location.isEmpty ? "schema: \(error)" : "schema \(location): \(error)"
      }
      return "schema" + (location.isEmpty && line == nil ? ": " : " ") + Self.place(location, line)
        + "\(reason)"
    }

    fileprivate static func place(_ location: String, _ line: Int?) -> String {
      let parts = [location.isEmpty ? nil : location, line.map { "line \($0)" }].compactMap(\.self)
      return parts.isEmpty ? "" : parts.joined(separator: ", ") + ": "
    }
  }
}

extension XML.SchemaError.Reason: CustomStringConvertible {
  /// The reason, for people.
  public var description: String {
    switch self {
    case .unreadable(let error): "\(error)"
    case .notASchema(let root): "the root element \(root) is that of no schema, or of another schema language"
    case .missingResource(let location):
      "refers to “\(location)”, which is not among the resources; nothing is loaded from elsewhere"
    case .invalid(let problems):
      (problems.first?.message ?? "no schema")
        + (problems.count > 1 ? " (the first of \(problems.count) problems)" : "")
    case .limit(let name, let value): "more than \(value) for the limit \(name); see XML.Schema.Limits"
    }
  }
}
