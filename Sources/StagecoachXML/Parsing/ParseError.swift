extension XML {
  /// Why a document could not be parsed, and where.
  public struct ParseError: Error, Hashable, CustomStringConvertible {
    /// What is wrong with the document.
    @nonexhaustive
    public enum Reason: Sendable, Hashable {
      /// The document is not well formed (XML 1.0), breaks Namespaces in XML 1.0, or holds bytes that
      /// are not text in its encoding; `message` is libxml2's.
      case malformed(message: String)

      /// The document exceeds a limit; `name` is that of the property of ``XML/Limits``. `value` is the limit: that of
      /// the property, or libxml2's own, which is named there, where that is lower.
      case limit(name: String, value: Int)

      /// The encoding that the transport or the document names is unknown.
      case unsupportedEncoding(name: String)

      /// A reference to an entity that is not expanded: it is external, undeclared in the internal
      /// subset, refers to itself, holds markup, or is a parameter entity (its name then begins with
      /// `%`).
      case forbiddenEntity(name: String)

      /// There is no document: no bytes, or nothing but white space.
      case empty

      /// More bytes came after ``XML/DocumentParser/finish()``.
      case finished

      /// A handler called the parser that it hears from. Thrown to the handler only: the parse goes on, unless
      /// the handler lets the error through.
      case reentrant
    }

    /// What is wrong.
    public let reason: Reason

    /// The line where parsing ended, from 1; 0 when no place in the document is to blame.
    public let line: Int

    /// The column in that line, from 1, or 0.
    public let column: Int

    /// An error at a place in a document.
    ///
    /// - Parameters:
    ///   - reason: What is wrong.
    ///   - line: The line, from 1, or 0.
    ///   - column: The column, from 1, or 0.
    public init(reason: Reason, line: Int = 0, column: Int = 0) {
      self.reason = reason
      self.line = line
      self.column = column
    }

    /// The place and the reason, for people.
    public var description: String {
      line > 0 ? "XML line \(line), column \(column): \(reason)" : "XML: \(reason)"
    }
  }
}

extension XML.ParseError.Reason: CustomStringConvertible {
  /// The reason, for people.
  public var description: String {
    switch self {
    case .malformed(let message): message
    case .limit(let name, let value): "more than \(value) for XML.Limits.\(name)"
    case .unsupportedEncoding(let name): "the encoding “\(name)” is not supported"
    case .forbiddenEntity(let name):
      "the entity “\(name)” is not expanded: only general entities that the document itself declares, "
        + "without markup, are"
    case .empty: "the document is empty"
    case .finished: "bytes after the end of the parse"
    case .reentrant: "a handler called the parser that was calling it"
    }
  }
}
