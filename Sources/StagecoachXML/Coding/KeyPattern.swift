/// A coding key in the notation of ``XMLDecoder``: a path of child elements and a target.
struct KeyPattern: Hashable, Sendable {
  /// The target in the element at the end of ``parents``.
  enum Target: Hashable, Sendable {
    /// Child elements of a name; one key without `@` also finds an attribute.
    case elements(NamePattern)
    /// An attribute.
    case attribute(NamePattern)
    /// The characters directly in the element.
    case text
    /// The child elements that no other key names.
    case rest
    /// All child elements and characters.
    case nodes
    /// The element itself: what the case of an enumeration holds.
    case payload
    /// Nothing: the key looks like the notation, and is not in it.
    case unknown
  }

  /// The elements to go through.
  var parents: [NamePattern] = []
  /// The first of them as the key writes it.
  var firstStep: String?
  var target: Target
  /// The elements to go through and the last one, if that is the target.
  private(set) var elements: [NamePattern] = []

  /// Reads the notation.
  init(_ key: String, naming: KeyNaming) {
    var steps = Self.steps(of: key)
    let last = steps.removeLast()
    let isAttribute = last.first == "@"
    let isName = !["text()", "*", "node()"].contains(last)
    guard steps.allSatisfy(NamePattern.isName),
      !isName || NamePattern.isName(isAttribute ? last.dropFirst() : last)
    else {
      target = .unknown
      return
    }
    firstStep = steps.first.map(String.init)
    parents = steps.map { NamePattern($0, naming: naming, isAttribute: false) }
    target =
      switch last {
      case "text()": .text
      case "*": .rest
      case "node()": .nodes
      case _ where isAttribute:
        .attribute(NamePattern(last.dropFirst(), naming: naming, isAttribute: true))
      default: .elements(NamePattern(last, naming: naming, isAttribute: false))
      }
    if case .elements(let name) = target { elements = parents + [name] }
  }

  /// The message of an error about a key whose target is ``Target/unknown``.
  static func refusal(of key: String) -> String {
    "the key “\(key)” is not in the notation of XMLDecoder"
      + (key.isEmpty ? "; the text of an element has the key “text()”" : "")
  }

  /// The parts between slashes, but for those in the braces of a namespace.
  static func steps(of key: String) -> [Substring] {
    guard key.utf8.contains(UInt8(ascii: "/")) else { return [key[...]] }
    var steps: [Substring] = []
    var start = key.startIndex
    var isNamespace = false
    for index in key.indices {
      switch key[index] {
      case "{": isNamespace = true
      case "}": isNamespace = false
      case "/" where !isNamespace:
        steps.append(key[start..<index])
        start = key.index(after: index)
      default: break
      }
    }
    steps.append(key[start...])
    return steps
  }
}

/// The conversion of the names in keys to names of XML.
struct KeyNaming: Sendable {
  var keyCase: XMLEncoder.KeyCase
  var namespaces: [String: String]
  /// Whether a name without namespace is read in any.
  var matchesAnyNamespace = false
}

/// A name that a key asks for.
struct NamePattern: Hashable, Sendable {
  enum Namespace: Hashable, Sendable {
    /// The parent's namespace; for attributes no namespace.
    case natural
    /// The parent's namespace, else any; for attributes no namespace, else any.
    case any
    /// This one; nil for none.
    case exactly(String?)
    /// Any that the document has this prefix for.
    case prefix(String)
  }

  var localName: String
  var namespace = Namespace.natural
  /// The prefix that the key has.
  var prefix: String?

  init(_ text: Substring, naming: KeyNaming, isAttribute: Bool) {
    if text.first == "{", let end = text.firstIndex(of: "}") {
      let uri = text[text.index(after: text.startIndex)..<end]
      namespace = .exactly(uri.isEmpty ? nil : String(uri))
      localName = naming.keyCase.name(for: String(text[text.index(after: end)...]))
      prefix = naming.namespaces.filter { $0.value == uri && !$0.key.isEmpty }.map(\.key).min()
    } else if text.hasPrefix(Self.anyNamespace) {
      namespace = .any
      localName = naming.keyCase.name(for: String(text.dropFirst(Self.anyNamespace.count)))
    } else if let colon = text.firstIndex(of: ":"), colon > text.startIndex {
      let prefix = String(text[..<colon])
      self.prefix = prefix
      localName = naming.keyCase.name(for: String(text[text.index(after: colon)...]))
      if let uri = prefix == "xml" ? XML.Name.xmlNamespace : naming.namespaces[prefix] {
        namespace = .exactly(uri)
      } else {
        namespace = .prefix(prefix)
      }
    } else {
      localName = naming.keyCase.name(for: String(text))
      if !isAttribute, let uri = naming.namespaces[""] {
        namespace = .exactly(uri)
      } else if naming.matchesAnyNamespace {
        namespace = .any
      }
    }
  }

  /// The start of a name in any namespace.
  static let anyNamespace = "*:"

  /// Whether a text can be a name in a key: one without the other characters of XPath. It need not be a name
  /// of XML, since types have keys for other formats too.
  static func isName(_ text: Substring) -> Bool {
    var name = text
    if text.first == "{" {
      guard let end = text.firstIndex(of: "}") else { return false }
      name = text[text.index(after: end)...]
    } else if text.hasPrefix(anyNamespace) {
      name = text.dropFirst(anyNamespace.count)
    }
    return !name.isEmpty && name != "." && name != ".." && name.last != ":"
      && !name.utf8.contains(where: { "/@*[](){}|".utf8.contains($0) })
  }

  /// Whether a name is meant, given that local names are the same.
  ///
  /// - Parameter isOwn: Whether it is in the namespace of its parent; for an attribute, whether it is in none.
  func admits(_ name: XML.Name, isOwn: Bool) -> Bool {
    switch namespace {
    case .natural: isOwn
    case .any: true
    case .exactly(let uri): name.namespaceURI == uri
    case .prefix(let prefix): name.prefix == prefix
    }
  }

  /// The name of an element to write.
  func name(in parent: XML.Name) -> XML.Name {
    switch namespace {
    case .natural, .any: XML.Name(localName, namespace: parent.namespaceURI, prefix: parent.prefix)
    case .exactly, .prefix: nameWithoutParent
    }
  }

  /// The name to write where the parent makes no difference, as for an attribute.
  var nameWithoutParent: XML.Name {
    switch namespace {
    case .natural, .any: XML.Name(localName)
    case .exactly(let uri): XML.Name(localName, namespace: uri, prefix: uri == nil ? nil : prefix)
    case .prefix(let prefix): XML.Name(localName, prefix: prefix)
    }
  }
}

extension XML.Name {
  static var xmlNamespace: String { "http://www.w3.org/XML/1998/namespace" }
  static var schemaInstanceNamespace: String { "http://www.w3.org/2001/XMLSchema-instance" }
}
