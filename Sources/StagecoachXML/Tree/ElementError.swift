public import StagecoachCore

extension XML {
  /// The reason that an element cannot be written, or become a document.
  public struct ElementError: Error, Hashable, CustomStringConvertible {
    /// The reason of the error.
    @nonexhaustive
    public enum Reason: Sendable, Hashable {
      /// The name of an element, attribute or prefix is invalid; a local name contains no colon (Namespaces in XML
      /// 1.0, NCName).
      case invalidName(String)
      /// The namespace is not a URI reference, is empty for a prefix, or is reserved for the prefixes `xml` and
      /// `xmlns`.
      case invalidNamespace(String)
      /// A reserved prefix, `xml` or `xmlns`, is used for another namespace.
      case reservedPrefix(String)
      /// A name has a prefix but no namespace.
      case undeclaredPrefix(String)
      /// Two attributes have the same name.
      case duplicateAttribute(Name)
      /// A character is not allowed in XML 1.0, not even as a reference (section 2.2).
      case forbiddenCharacter(Unicode.Scalar)
      /// A comment contains `--` or ends in `-`.
      case invalidComment
      /// The target of a processing instruction is not a valid name or is `xml` in any case, or its data contains
      /// `?>`.
      case invalidProcessingInstruction(target: String)
      /// An identifier of a document type is invalid: a public one contains a character that is not allowed, or a
      /// system one contains both kinds of quotes.
      case invalidDocumentType(String)
      /// A name, comment, processing instruction or CDATA section contains a character that is not in the charset
      /// (elsewhere such characters are written as references), or the system does not support the charset.
      case charset(CharsetError)
      /// A limit is exceeded; `name` is the property of ``XML/Limits``, `value` is the limit.
      case limit(name: String, value: Int)
      /// The parser refuses the text of the element.
      case unreadable(ParseError.Reason)
    }

    /// The reason of the error.
    public let reason: Reason

    /// The path of the element from the root, such as `/feed/entry/title`; the root if the error is in the prolog.
    public let path: String

    /// Creates an error.
    public init(reason: Reason, path: String) {
      self.reason = reason
      self.path = path
    }

    /// A description with the path and the reason.
    public var description: String { "XML element \(path): \(reason)" }
  }
}

extension XML.ElementError.Reason: CustomStringConvertible {
  /// A description of the reason.
  public var description: String {
    switch self {
    case .invalidName(let name): "“\(name)” is not a valid name"
    case .invalidNamespace(let uri): "“\(uri)” cannot be the namespace of a name or prefix"
    case .reservedPrefix(let prefix): "the prefix “\(prefix)” is reserved"
    case .undeclaredPrefix(let prefix): "the prefix “\(prefix)” has no namespace"
    case .duplicateAttribute(let name): "duplicate attribute “\(name)”"
    case .forbiddenCharacter(let scalar):
      "XML does not allow the character U+\(String(scalar.value, radix: 16, uppercase: true))"
    case .invalidComment: "a comment that contains “--” or ends in “-”"
    case .invalidProcessingInstruction(let target): "invalid processing instruction “\(target)”"
    case .invalidDocumentType(let id): "“\(id)” is not a valid identifier of a document type"
    case .charset(let error): "\(error)"
    case .limit(let name, let value): "exceeds the limit XML.Limits.\(name) = \(value)"
    case .unreadable(let reason): "\(reason)"
    }
  }
}
