public import StagecoachCore

extension XML {
  /// Why an element cannot be written, or become a document.
  public struct ElementError: Error, Hashable, CustomStringConvertible {
    /// What is wrong.
    @nonexhaustive
    public enum Reason: Sendable, Hashable {
      /// No name of an element, attribute or prefix (Namespaces in XML 1.0, NCName); a colon belongs into
      /// no local name.
      case invalidName(String)
      /// No URI reference, an empty one for a prefix, or one that the prefixes `xml` and `xmlns` keep for
      /// themselves.
      case invalidNamespace(String)
      /// A prefix that always means the same, `xml` or `xmlns`, for another namespace.
      case reservedPrefix(String)
      /// A name with a prefix, but without a namespace.
      case undeclaredPrefix(String)
      /// Two attributes with the same name.
      case duplicateAttribute(Name)
      /// A character that XML 1.0 does not allow (section 2.2), not even as a reference.
      case forbiddenCharacter(Unicode.Scalar)
      /// A comment that holds `--` or ends with `-`.
      case invalidComment
      /// A processing instruction whose target is no name or `xml` in any case, or whose data hold `?>`.
      case invalidProcessingInstruction(target: String)
      /// An identifier of a document type: a public one with other characters than such have, or a system one with
      /// both kinds of quotes.
      case invalidDocumentType(String)
      /// A character of a name, comment, processing instruction or CDATA section that the charset does not
      /// have; elsewhere they are written as references. Or the system does not know the charset.
      case charset(CharsetError)
      /// The element exceeds a limit; `name` is that of the property of ``XML/Limits``, `value` is the limit.
      case limit(name: String, value: Int)
      /// The text of the element is refused by the parser.
      case unreadable(ParseError.Reason)
    }

    /// What is wrong.
    public let reason: Reason

    /// The element that is wrong, as names from the root on: `/feed/entry/title`; the root, if it is what stands in
    /// front of it.
    public let path: String

    /// An error in an element.
    public init(reason: Reason, path: String) {
      self.reason = reason
      self.path = path
    }

    /// The place and the reason, for people.
    public var description: String { "XML element \(path): \(reason)" }
  }
}

extension XML.ElementError.Reason: CustomStringConvertible {
  /// The reason, for people.
  public var description: String {
    switch self {
    case .invalidName(let name): "“\(name)” is no name"
    case .invalidNamespace(let uri): "“\(uri)” cannot be the namespace of a name or prefix"
    case .reservedPrefix(let prefix): "the prefix “\(prefix)” is reserved"
    case .undeclaredPrefix(let prefix): "the prefix “\(prefix)” without a namespace"
    case .duplicateAttribute(let name): "two attributes “\(name)”"
    case .forbiddenCharacter(let scalar):
      "XML has no character U+\(String(scalar.value, radix: 16, uppercase: true))"
    case .invalidComment: "a comment with “--” in it or “-” at its end"
    case .invalidProcessingInstruction(let target): "the processing instruction “\(target)”"
    case .invalidDocumentType(let id): "no document type is identified by “\(id)”"
    case .charset(let error): "\(error)"
    case .limit(let name, let value): "more than \(value) for XML.Limits.\(name)"
    case .unreadable(let reason): "\(reason)"
    }
  }
}
