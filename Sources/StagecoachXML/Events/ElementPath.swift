internal import CLibXML2

extension XML {
  /// A path of elements in a document: the names of the elements from the root down.
  ///
  /// `feed/entry` matches the elements `entry` in the root element `feed`, in any namespace;
  /// `{http://www.w3.org/2005/Atom}feed/{http://www.w3.org/2005/Atom}entry` only in that namespace, `{}entry` an
  /// element in no namespace, and `*` any element. A leading slash is ignored.
  public struct ElementPath: Sendable, Hashable {
    /// A step of a path.
    @nonexhaustive
    public enum Step: Sendable, Hashable {
      /// An element of any name.
      case any
      /// An element with this local name in any namespace.
      case local(String)
      /// An element with this name.
      case name(Name)
    }

    /// The steps, from the root element down; at least one.
    public let steps: [Step]

    /// Parses a path.
    ///
    /// - Returns: The path; `nil` if the text has no step, an empty step, or an unclosed brace.
    public init?(_ text: String) {
      var steps: [Step] = []
      var rest = text[...]
      if rest.first == "/" { rest.removeFirst() }
      while true {
        var namespace: Substring?
        if rest.first == "{" {
          guard let end = rest.firstIndex(of: "}") else { return nil }
          namespace = rest[rest.index(after: rest.startIndex)..<end]
          rest = rest[rest.index(after: end)...]
        }
        let end = rest.firstIndex(of: "/") ?? rest.endIndex
        let name = String(rest[..<end])
        guard !name.isEmpty, !name.contains(where: { "{}".contains($0) }) else { return nil }
        switch (namespace, name) {
        case (nil, "*"): steps.append(.any)
        case (nil, _): steps.append(.local(name))
        case (let namespace?, _):
          steps.append(.name(Name(name, namespace: namespace.isEmpty ? nil : String(namespace))))
        }
        guard end < rest.endIndex else { break }
        rest = rest[rest.index(after: end)...]
      }
      self.steps = steps
    }
  }
}

extension XML.ElementPath: ExpressibleByStringLiteral {
  /// Creates a path from a literal.
  ///
  /// - Precondition: The literal is a valid path, see ``init(_:)``.
  public init(stringLiteral text: String) {
    guard let path = Self(text) else { preconditionFailure("“\(text)” is not a valid element path") }
    self = path
  }
}

extension XML.ElementPath: CustomStringConvertible {
  /// The text of the path.
  public var description: String {
    steps.map { step in
      switch step {
      case .any: "*"
      case .local(let name): name
      case .name(let name): name.namespaceURI == nil ? "{}\(name.localName)" : name.description
      }
    }.joined(separator: "/")
  }
}

extension XML.ElementPath.Step {
  /// Whether an element has the name.
  func matches(_ name: SAXName) -> Bool {
    switch self {
    case .any: true
    case .local(let local): name.local.map { local.equals(libxml: $0) } ?? false
    case .name(let wanted):
      (name.local.map { wanted.localName.equals(libxml: $0) } ?? false)
        && (wanted.namespaceURI == nil) == (name.uri == nil)
        && (wanted.namespaceURI.map { uri in name.uri.map { uri.equals(libxml: $0) } ?? false } ?? true)
    }
  }
}
