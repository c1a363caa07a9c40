internal import CLibXML2
internal import StagecoachCore

/// The documents that a schema consists of: itself, and those it refers to, found among the resources.
struct SchemaSources {
  /// One document.
  struct Source {
    let location: String
    let document: XML.Document
    /// The documents it refers to.
    var references: [Reference: Int] = [:]
  }

  /// A reference of an element: the same text may mean another document with another `xml:base`.
  struct Reference: Hashable {
    let text: String
    let resolved: String
  }

  let language: XML.Schema.Language
  private(set) var sources: [Source] = []
  private let resources: [String: Bytes]
  private let limits: XML.Limits
  private var indices: [String: Int] = [:]

  /// Finds all documents.
  ///
  /// - Parameters:
  ///   - schema: The document to start with.
  ///   - location: Its location, against which its references are resolved.
  ///   - resources: The other documents by location.
  ///   - limits: The limits of each document.
  init(
    schema: XML.Document,
    location: String,
    resources: [String: Bytes],
    limits: XML.Limits
  ) throws(XML.SchemaError) {
    let root = schema.root
    guard let language = XML.Schema.Language(root: root) else {
      throw XML.SchemaError(
        reason: .notASchema(root: Self.name(of: root)),
        location: location,
        line: root.line
      )
    }
    self.language = language
    self.resources = resources
    self.limits = limits
    if !location.isEmpty { indices[location] = 0 }
    sources = [Source(location: location, document: schema)]
    var next = 0
    while next < sources.count {
      try follow(next)
      next += 1
    }
  }

  /// The text of each document, with private names instead of references.
  func texts() -> [[UInt8]] {
    sources.map { source in
      SchemaText(of: source.document) { element, attribute in
        guard Self.isReference(attribute, of: element, in: language) else { return nil }
        return source.references[Self.reference(attribute.text, at: element, of: source)]
          .map(SchemaLoader.name(of:))
      }.bytes
    }
  }

  /// Adds the documents that one refers to.
  private mutating func follow(_ index: Int) throws(XML.SchemaError) {
    var rest = [sources[index].document.root]
    while let element = rest.popLast() {
      for attribute in element.attributes where Self.isReference(attribute, of: element, in: language) {
        let reference = Self.reference(attribute.text, at: element, of: sources[index])
        sources[index].references[reference] = try self.index(of: reference, at: element, of: sources[index])
      }
      rest += element.elements.reversed()
    }
  }

  private mutating func index(
    of reference: Reference,
    at element: XML.Node,
    of source: Source
  ) throws(XML.SchemaError) -> Int {
    for location in [reference.resolved, reference.text] {
      if let index = indices[location] { return index }
      guard let bytes = resources[location] else { continue }
      let document = try Self.parse(bytes, at: location, limits: limits)
      let root = document.root
      guard XML.Schema.Language(root: root) == language else {
        throw XML.SchemaError(
          reason: .notASchema(root: Self.name(of: root)),
          location: location,
          line: root.line
        )
      }
      indices[location] = sources.count
      sources.append(Source(location: location, document: document))
      return sources.count - 1
    }
    throw XML.SchemaError(
      reason: .missingResource(location: reference.text),
      location: source.location,
      line: element.line
    )
  }

  /// Parses a document of a schema.
  static func parse(
    _ bytes: Bytes,
    at location: String,
    limits: XML.Limits
  ) throws(XML.SchemaError) -> XML.Document {
    do {
      let parser = XML.DocumentParser(limits: limits)
      try bytes.withUnsafeBytes { bytes throws(XML.ParseError) in try parser.append(bytes) }
      return try parser.finish()
    } catch {
      throw XML.SchemaError(
        reason: .unreadable(error),
        location: location,
        line: error.line > 0 ? error.line : nil
      )
    }
  }

  /// Whether an attribute names another document of the schema.
  private static func isReference(
    _ attribute: XML.Node,
    of element: XML.Node,
    in language: XML.Schema.Language
  ) -> Bool {
    guard attribute.namespaceURI == nil, element.namespaceURI == language.namespace else { return false }
    return switch language {
    case .xmlSchema:
      attribute.localName == "schemaLocation"
        && ["include", "import", "redefine"].contains(element.localName)
    case .relaxNG: attribute.localName == "href" && ["include", "externalRef"].contains(element.localName)
    }
  }

  /// A reference, resolved against the base of its element: the location of the document, and what `xml:base` makes
  /// of it from the root down (XML Base, section 4.2).
  private static func reference(_ text: String, at element: XML.Node, of source: Source) -> Reference {
    var bases: [String] = []
    var next: XML.Node? = element
    while let element = next {
      if let base = element.attribute("base", namespace: XML.Name.xmlNamespace) { bases.append(base) }
      next = element.parent
    }
    let base = bases.reversed().reduce(source.location) { resolve($1, against: $0) }
    return Reference(text: text, resolved: resolve(text, against: base))
  }

  private static func resolve(_ reference: String, against base: String) -> String {
    guard !base.isEmpty, let resolved = xmlBuildURI(reference, base) else { return reference }
    defer { stagecoach_xml_free(resolved) }
    return String(libxml: resolved)
  }

  private static func name(of element: XML.Node) -> String {
    XML.Name(element.localName, namespace: element.namespaceURI).description
  }
}
