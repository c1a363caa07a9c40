/// An error of an element, while its path is being determined.
struct ElementFault: Error {
  let reason: XML.ElementError.Reason
  /// The names of the enclosing elements, innermost first.
  var path: [String] = []

  init(_ reason: XML.ElementError.Reason) { self.reason = reason }
}

/// The namespaces in scope while elements are written, and the choice of prefixes.
struct ElementNamespaces {
  /// A declaration; the prefix of the default namespace is empty.
  struct Declaration {
    var prefix: String
    var uri: String
  }

  /// The namespace of the prefix `xml`.
  static let xml = "http://www.w3.org/XML/1998/namespace"
  /// The namespace of the prefix `xmlns`.
  private static let xmlns = "http://www.w3.org/2000/xmlns/"

  /// All that is in scope, the innermost last.
  private var declarations = [Declaration(prefix: "xml", uri: xml), Declaration(prefix: "", uri: "")]
  /// The start of the declarations of the current element.
  private var start = 2
  /// Prefixes of outer elements that the current one uses, so that it cannot declare them anew.
  private var borrowed: [String] = []
  /// The number of prefixes tried for the current element.
  private var generated = 0

  /// The declarations of the current element.
  var declared: ArraySlice<Declaration> { declarations[start...] }

  /// Begins an element, and takes up what it declares by itself.
  ///
  /// - Returns: What ``close(_:)`` needs.
  mutating func open(_ namespaces: [String: String]) throws(ElementFault) -> Int {
    let outer = start
    start = declarations.count
    borrowed.removeAll(keepingCapacity: true)
    generated = 0
    guard !namespaces.isEmpty else { return outer }
    for (prefix, uri) in namespaces.sorted(by: { $0.key < $1.key }) where self.uri(of: prefix) != uri {
      try declare(prefix, uri)
    }
    return outer
  }

  /// Ends an element.
  mutating func close(_ outer: Int) {
    declarations.removeSubrange(start...)
    start = outer
  }

  /// The prefix that the current element is written with, declared if need be; empty for none.
  mutating func elementPrefix(of name: XML.Name) throws(ElementFault) -> String {
    guard let uri = name.namespaceURI, !uri.isEmpty else {
      try requireNoPrefix(name)
      try setDefault("")
      return ""
    }
    guard let prefix = name.prefix, !prefix.isEmpty else {
      if uri == Self.xml { return "xml" }
      try setDefault(uri)
      return ""
    }
    return try use(prefix, for: uri)
  }

  /// The prefix that an attribute of the current element is written with, declared if need be.
  mutating func attributePrefix(of name: XML.Name) throws(ElementFault) -> String {
    guard let uri = name.namespaceURI, !uri.isEmpty else {
      try requireNoPrefix(name)
      // An attribute of this name would be a declaration.
      guard name.localName != "xmlns" else { throw ElementFault(.reservedPrefix("xmlns")) }
      return ""
    }
    return try use(name.prefix, for: uri)
  }

  private func requireNoPrefix(_ name: XML.Name) throws(ElementFault) {
    if let prefix = name.prefix, !prefix.isEmpty { throw ElementFault(.undeclaredPrefix(prefix)) }
  }

  /// Returns the namespace of a prefix.
  private func uri(of prefix: String) -> String? {
    declarations.last { $0.prefix.isWritten(as: prefix) }?.uri
  }

  private func isTaken(_ prefix: String) -> Bool {
    borrowed.contains { $0.isWritten(as: prefix) } || declared.contains { $0.prefix.isWritten(as: prefix) }
  }

  /// Makes a namespace the default one, also in place of what the element declares: its name decides.
  private mutating func setDefault(_ uri: String) throws(ElementFault) {
    guard self.uri(of: "") != uri else { return }
    if let index = declarations[start...].firstIndex(where: { $0.prefix.isEmpty }) {
      declarations.remove(at: index)
      guard self.uri(of: "") != uri else { return }
    }
    try declare("", uri)
  }

  /// A prefix for a namespace: the one asked for if it is free, else another.
  private mutating func use(_ wanted: String?, for uri: String) throws(ElementFault) -> String {
    if uri == Self.xml { return "xml" }
    if let wanted, !wanted.isEmpty {
      if self.uri(of: wanted) == uri {
        borrowed.append(wanted)
        return wanted
      }
      if !isTaken(wanted) {
        try declare(wanted, uri)
        return wanted
      }
    }
    if let known = declarations.last(where: { $0.uri == uri && isVisible($0) }) {
      borrowed.append(known.prefix)
      return known.prefix
    }
    repeat { generated += 1 } while self.uri(of: "ns\(generated)") != nil
    try declare("ns\(generated)", uri)
    return "ns\(generated)"
  }

  /// Whether a prefix is one, and has not been declared anew since.
  private func isVisible(_ declaration: Declaration) -> Bool {
    !declaration.prefix.isEmpty && uri(of: declaration.prefix) == declaration.uri
  }

  /// Whether a namespace can have this name.
  static func canDeclare(_ uri: String, hasPrefix: Bool) -> Bool {
    uri != xml && uri != xmlns && (!hasPrefix || !uri.isEmpty) && uri.isURIReference
  }

  private mutating func declare(_ prefix: String, _ uri: String) throws(ElementFault) {
    guard prefix != "xml", prefix != "xmlns" else { throw ElementFault(.reservedPrefix(prefix)) }
    guard prefix.isEmpty || prefix.isXMLName else { throw ElementFault(.invalidName(prefix)) }
    guard Self.canDeclare(uri, hasPrefix: !prefix.isEmpty) else {
      throw ElementFault(.invalidNamespace(uri))
    }
    declarations.append(Declaration(prefix: prefix, uri: uri))
  }
}
