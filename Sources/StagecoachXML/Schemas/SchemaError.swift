extension XML {
  /// The reason that a schema cannot be used.
  public struct SchemaError: Error, Hashable, CustomStringConvertible {
    /// The reason of the error.
    @nonexhaustive
    public enum Reason: Sendable, Hashable {
      /// A document of the schema could not be parsed.
      case unreadable(ParseError)

      /// The root element is neither `schema` of XML Schema nor a pattern of RELAX NG, or belongs to another language
      /// than the document that refers to it; `root` is `{namespace}name`.
      case notASchema(root: String)

      /// The schema refers to a document that is not one of the resources; `location` is the reference. Documents are
      /// never loaded from elsewhere.
      case missingResource(location: String)

      /// The documents are not a valid schema; the first 100 problems that libxml2 found.
      case invalid([Problem])
    }

    /// A problem of the documents of a schema.
    public struct Problem: Sendable, Hashable, CustomStringConvertible {
      /// The message of libxml2; at most 1,024 characters.
      public let message: String

      /// The location of the document; empty for the schema itself if it has none.
      public let location: String

      /// The line, from 1; `nil` if unknown.
      public let line: Int?

      /// Creates a problem.
      ///
      /// - Parameters:
      ///   - message: The message.
      ///   - location: The location of the document.
      ///   - line: The line, from 1.
      public init(message: String, location: String = "", line: Int? = nil) {
        self.message = message
        self.location = location
        self.line = line
      }

      /// A description with the position.
      public var description: String { XML.SchemaError.place(location, line) + message }
    }

    /// The reason of the error.
    public let reason: Reason

    /// The location of the offending document; empty for the schema itself if it has none.
    public let location: String

    /// The line in that document, from 1; `nil` if unknown.
    public let line: Int?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - reason: The reason of the error.
    ///   - location: The location of the document.
    ///   - line: The line, from 1.
    public init(reason: Reason, location: String = "", line: Int? = nil) {
      self.reason = reason
      self.location = location
      self.line = line
    }

    /// A description with the position and the reason; of several problems the first, with their number.
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
  /// A description of the reason.
  public var description: String {
    switch self {
    case .unreadable(let error): "\(error)"
    case .notASchema(let root): "the root element \(root) is not that of a schema in this language"
    case .missingResource(let location):
      "refers to “\(location)”, which is not one of the resources; nothing else is loaded"
    case .invalid(let problems):
      (problems.first?.message ?? "invalid schema")
        + (problems.count > 1 ? " (the first of \(problems.count) problems)" : "")
    }
  }
}
