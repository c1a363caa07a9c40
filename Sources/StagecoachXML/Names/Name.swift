extension XML {
  /// The name of an element or attribute (Namespaces in XML 1.0, section 4).
  ///
  /// Two names are equal if they have the same local name and namespace, compared by Unicode scalars: `é` and `e`
  /// followed by a combining accent, which are equal as Swift strings, are different names. Prefixes are ignored.
  ///
  /// ```swift
  /// let entry: XML.Name = "{http://www.w3.org/2005/Atom}entry"
  /// let title = XML.Name("title", namespace: "http://www.w3.org/2005/Atom", prefix: "a")
  /// ```
  public struct Name: Sendable {
    /// The name without prefix.
    public var localName: String

    /// The namespace; `nil` for none.
    public var namespaceURI: String?

    /// The prefix of the namespace in a document; `nil` for none.
    public var prefix: String?

    /// Creates a name.
    ///
    /// - Parameters:
    ///   - localName: The name without prefix.
    ///   - namespace: The namespace; `nil`, the default, for none.
    ///   - prefix: The prefix to write; `nil`, the default, for none.
    public init(_ localName: String, namespace: String? = nil, prefix: String? = nil) {
      self.localName = localName
      namespaceURI = namespace
      self.prefix = prefix
    }

    /// The name as written in a document, with prefix and colon if it has a prefix.
    public var qualifiedName: String { prefix.map { "\($0):\(localName)" } ?? localName }
  }
}

extension XML.Name: Hashable {
  /// Returns whether local names and namespaces are equal.
  public static func == (left: Self, right: Self) -> Bool {
    guard left.localName.isWritten(as: right.localName) else { return false }
    return switch (left.namespaceURI, right.namespaceURI) {
    case (nil, nil): true
    case (let left?, let right?): left.isWritten(as: right)
    default: false
    }
  }

  /// Hashes the local name and the namespace.
  public func hash(into hasher: inout Hasher) {
    // By their bytes: what a string feeds a hasher is the same for all its spellings, which can be very many.
    var copy = self
    copy.localName.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(UInt8.max)
    copy.namespaceURI?.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension XML.Name: ExpressibleByStringLiteral, LosslessStringConvertible {
  /// Creates a name from `local` or `{namespace}local`.
  public init(stringLiteral text: String) { self.init(text) }

  /// Creates a name from `local` or `{namespace}local`; `{}local` is in no namespace.
  public init(_ text: String) {
    guard text.first == "{", let end = text.firstIndex(of: "}") else {
      self.init(text, namespace: nil)
      return
    }
    let namespace = String(text[text.index(after: text.startIndex)..<end])
    self.init(String(text[text.index(after: end)...]), namespace: namespace.isEmpty ? nil : namespace)
  }

  /// The name as `{namespace}local`, or only the local name.
  public var description: String { namespaceURI.map { "{\($0)}\(localName)" } ?? localName }
}
