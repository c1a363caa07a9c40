extension XML {
  /// The name of an element or attribute (Namespaces in XML 1.0, section 4).
  ///
  /// Two names are equal if they have the same local name in the same namespace, character by character: `é` and
  /// `e` with an accent behind it, which Swift's strings take for the same, are two names in XML. Which prefix a
  /// document writes for the namespace makes no difference.
  ///
  /// ```swift
  /// let entry: XML.Name = "{http://www.w3.org/2005/Atom}entry"
  /// let title = XML.Name("title", namespace: "http://www.w3.org/2005/Atom", prefix: "a")
  /// ```
  public struct Name: Sendable {
    /// The name without prefix.
    public var localName: String

    /// The namespace; nil for a name in none.
    public var namespaceURI: String?

    /// The prefix that a document writes, or is to write, for the namespace; nil for none.
    public var prefix: String?

    /// A name.
    ///
    /// - Parameters:
    ///   - localName: The name without prefix.
    ///   - namespace: The namespace; nil, the default, for none.
    ///   - prefix: The prefix to write; nil, the default, for none.
    public init(_ localName: String, namespace: String? = nil, prefix: String? = nil) {
      self.localName = localName
      namespaceURI = namespace
      self.prefix = prefix
    }

    /// The name as a document writes it: with prefix and colon, if it has a prefix.
    public var qualifiedName: String { prefix.map { "\($0):\(localName)" } ?? localName }
  }
}

extension XML.Name: Hashable {
  /// Whether local names and namespaces are the same.
  public static func == (left: Self, right: Self) -> Bool {
    guard left.localName.isWritten(as: right.localName) else { return false }
    return switch (left.namespaceURI, right.namespaceURI) {
    case (nil, nil): true
    case (let left?, let right?): left.isWritten(as: right)
    default: false
    }
  }

  /// Hashes local name and namespace.
  public func hash(into hasher: inout Hasher) {
    // By their bytes: what a string feeds a hasher is the same for all its spellings, which can be very many.
    var copy = self
    copy.localName.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(UInt8.max)
    copy.namespaceURI?.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension XML.Name: ExpressibleByStringLiteral, LosslessStringConvertible {
  /// A name from `local` or `{namespace}local`.
  public init(stringLiteral text: String) { self.init(text) }

  /// A name from `local` or `{namespace}local`; `{}local` is in no namespace.
  public init(_ text: String) {
    guard text.first == "{", let end = text.firstIndex(of: "}") else {
      self.init(text, namespace: nil)
      return
    }
    let namespace = String(text[text.index(after: text.startIndex)..<end])
    self.init(String(text[text.index(after: end)...]), namespace: namespace.isEmpty ? nil : namespace)
  }

  /// `{namespace}local`, or the local name alone.
  public var description: String { namespaceURI.map { "{\($0)}\(localName)" } ?? localName }
}
