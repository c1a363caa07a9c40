extension XML {
  /// Why an XPath expression has no value.
  public struct XPathError: Error, Hashable, CustomStringConvertible {
    /// What is wrong with the expression.
    @nonexhaustive
    public enum Reason: Sendable, Hashable {
      /// The expression is no XPath 1.0, or applies an operator or function to what it cannot take;
      /// `message` is libxml2's, `offset` the bytes before the place, if known.
      case invalid(message: String, offset: Int?)

      /// A prefix of the expression, or of the namespaces given, stands for no namespace.
      case undeclaredPrefix

      /// The expression calls a function that XPath 1.0 does not have.
      case unknownFunction

      /// The expression uses a variable that is not among those given.
      case undefinedVariable

      /// A variable given has a name that is none (a name without prefix), nodes of another document or
      /// text with a zero byte as its value.
      case invalidVariable(name: String)

      /// The evaluation exceeds a limit; `name` says in words which one, `value` is the limit.
      case limit(name: String, value: Int)

      /// The value is a set of namespace nodes; ask for their names or strings instead.
      case namespaceNodes
    }

    /// What is wrong.
    public let reason: Reason

    /// The expression; the first 256 characters of a longer one.
    public let expression: String

    /// An error in an expression.
    ///
    /// - Parameters:
    ///   - reason: What is wrong.
    ///   - expression: The expression.
    public init(reason: Reason, expression: String) {
      self.reason = reason
      self.expression = String(expression.prefix(256))
    }

    /// The reason and the expression, for people.
    public var description: String { "XPath: \(reason), in “\(expression)”" }
  }
}

extension XML.XPathError.Reason: CustomStringConvertible {
  /// The reason, for people.
  public var description: String {
    switch self {
    case .invalid(let message, let offset): offset.map { "\(message) at byte \($0)" } ?? message
    case .undeclaredPrefix: "a prefix that is not among the namespaces given"
    case .unknownFunction: "a function that XPath 1.0 does not have"
    case .undefinedVariable: "a variable that is not among those given"
    case .invalidVariable(let name): "the variable “\(name)” has no proper name or value"
    case .limit(let name, let value): "more than \(value) for the limit on \(name)"
    case .namespaceNodes: "namespace nodes are no nodes of the document; ask for string(…) or name(…)"
    }
  }
}
