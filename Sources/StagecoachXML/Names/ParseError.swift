extension XML {
  /// The reason that a document could not be parsed, with its position.
  public struct ParseError: Error, Hashable, CustomStringConvertible {
    /// The reason of the error.
    @nonexhaustive
    public enum Reason: Sendable, Hashable {
      /// The document is not well-formed (XML 1.0), violates Namespaces in XML 1.0, or contains bytes that are not
      /// text in its encoding; `message` is from libxml2.
      case malformed(message: String)

      /// The document exceeds a limit; `name` is the property of ``XML/Limits``. `value` is the limit: of the
      /// property, or libxml2's own, described there, if that is lower.
      case limit(name: String, value: Int)

      /// The encoding declared by the transport or the document is not supported.
      case unsupportedEncoding(name: String)

      /// A reference to an entity that is not expanded: it is external, not declared in the internal subset, refers to
      /// itself, contains markup, or is a parameter entity (its name then starts with `%`).
      case forbiddenEntity(name: String)

      /// The document is empty: there are no bytes, or only white space.
      case empty

      /// More bytes were added after ``XML/DocumentParser/finish()``.
      case finished

      /// A handler called the parser that was calling it. The error is only thrown to the handler: the parse continues
      /// unless the handler rethrows it.
      case reentrant
    }

    /// The reason of the error.
    public let reason: Reason

    /// The line where parsing ended, from 1; 0 if unknown.
    public let line: Int

    /// The column in that line, from 1; 0 if unknown.
    public let column: Int

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - reason: The reason of the error.
    ///   - line: The line, from 1, or 0.
    ///   - column: The column, from 1, or 0.
    public init(reason: Reason, line: Int = 0, column: Int = 0) {
      self.reason = reason
      self.line = line
      self.column = column
    }

    /// A description with the position and the reason.
    public var description: String {
      line > 0 ? "XML line \(line), column \(column): \(reason)" : "XML: \(reason)"
    }
  }
}

extension XML.ParseError.Reason: CustomStringConvertible {
  /// A description of the reason.
  public var description: String {
    switch self {
    case .malformed(let message): message
    case .limit(let name, let value): "exceeds the limit XML.Limits.\(name) = \(value)"
    case .unsupportedEncoding(let name): "the encoding “\(name)” is not supported"
    case .forbiddenEntity(let name):
      "the entity “\(name)” is not expanded: only general entities without markup that the document "
        + "declares are expanded"
    case .empty: "the document is empty"
    case .finished: "bytes after the end of the parse"
    case .reentrant: "a handler called the parser that was calling it"
    }
  }
}
