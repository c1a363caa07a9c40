extension XML {
  /// The reason that an XPath expression has no value.
  public struct XPathError: Error, Hashable, CustomStringConvertible {
    /// The reason of the error.
    @nonexhaustive
    public enum Reason: Sendable, Hashable {
      /// The expression is not valid XPath 1.0, or applies an operator or function to a wrong type; `message` is from
      /// libxml2, `offset` is the position in bytes, if known.
      case invalid(message: String, offset: Int?)

      /// A prefix of the expression, or of the passed namespaces, has no namespace.
      case undeclaredPrefix

      /// The expression calls a function that is not part of XPath 1.0.
      case unknownFunction

      /// The expression uses a variable that was not passed.
      case undefinedVariable

      /// A passed variable has an invalid name (it must have no prefix), nodes of another document or text with a zero
      /// byte as its value.
      case invalidVariable(name: String)

      /// The evaluation exceeds a limit; `name` describes it, `value` is the limit.
      case limit(name: String, value: Int)

      /// The value is a set of namespace nodes; use their names or strings instead.
      case namespaceNodes
    }

    /// The reason of the error.
    public let reason: Reason

    /// The expression; the first 256 characters of a longer one.
    public let expression: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - reason: The reason of the error.
    ///   - expression: The expression.
    public init(reason: Reason, expression: String) {
      self.reason = reason
      self.expression = String(expression.prefix(256))
    }

    /// A description with the reason and the expression.
    public var description: String { "XPath: \(reason), in “\(expression)”" }
  }
}

extension XML.XPathError.Reason: CustomStringConvertible {
  /// A description of the reason.
  public var description: String {
    switch self {
    case .invalid(let message, let offset): offset.map { "\(message) at byte \($0)" } ?? message
    case .undeclaredPrefix: "undeclared prefix"
    case .unknownFunction: "unknown function"
    case .undefinedVariable: "undefined variable"
    case .invalidVariable(let name): "the variable “\(name)” has an invalid name or value"
    case .limit(let name, let value): "the limit of \(value) for \(name) is exceeded"
    case .namespaceNodes: "namespace nodes are not nodes of the document; use string(…) or name(…)"
    }
  }
}
