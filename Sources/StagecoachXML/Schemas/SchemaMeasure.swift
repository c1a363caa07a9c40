/// Estimates the compiled size of a schema in advance: groups and patterns are expanded for each use, so that a few
/// definitions can grow without bound.
struct SchemaMeasure {
  /// The size of a construct between two elements of a schema: a content model, a type, a definition.
  private struct Size {
    /// The elements, texts and member types, all expanded.
    var particles = 0.0
    /// The attributes, all expanded.
    var attributes = 0.0
    /// The nesting of constructs and definitions.
    var height = 0

    static func + (left: Size, right: Size) -> Size {
      Size(
        particles: left.particles + right.particles,
        attributes: left.attributes + right.attributes,
        height: max(left.height, right.height)
      )
    }
  }

  private struct Key: Hashable {
    let kind: String
    let name: String
  }

  /// The kind of the members of a substitution group, by the name of its head.
  private static let substitution = "substitution"

  private let sources: SchemaSources
  private var definitions: [Key: [(source: Int, element: XML.Node)]] = [:]
  private var sizes: [Key: Size] = [:]
  private var open: Set<Key> = []
  private let nestingLimit: Int
  /// The document that is measured.
  private var source = 0

  /// The elements of all documents.
  private(set) var elements = 0

  /// Measures all documents of a schema.
  init(_ sources: SchemaSources, limits: XML.Schema.Limits) throws(XML.SchemaError) {
    self.sources = sources
    nestingLimit = min(limits.nesting, 200)
    var models: [(source: Int, element: XML.Node)] = []
    var heads: [Key] = []
    for index in sources.sources.indices {
      var rest = [sources.sources[index].document.root]
      while let element = rest.popLast() {
        elements += 1
        guard elements <= limits.elements else {
          throw error("elements", limits.elements, at: element, index)
        }
        rest += element.elements.reversed()
        guard element.namespaceURI == sources.language.namespace else { continue }
        if let key = Self.definition(element, in: sources.language) {
          definitions[key, default: []].append((index, element))
          if key.kind == Self.substitution { heads.append(key) }
        }
        if Self.models(in: sources.language).contains(element.localName) { models.append((index, element)) }
      }
    }
    // Also those that nothing refers to: libxml2 collects the members of each head.
    for head in heads { _ = try definition(head, level: 0) }
    var cost = 0.0
    for (index, element) in models {
      source = index
      let size = try children(of: element, level: 0)
      cost += size.particles * size.particles * size.particles + size.attributes * size.attributes
      guard cost <= Double(limits.complexity) else {
        throw error("complexity", limits.complexity, at: element, index)
      }
    }
  }

  /// The constructs that libxml2 compiles each by itself.
  private static func models(in language: XML.Schema.Language) -> Set<String> {
    switch language {
    case .xmlSchema: ["complexType", "simpleType", "group", "attributeGroup"]
    case .relaxNG: ["element", "start", "define"]
    }
  }

  /// Returns the key of an element's definition, to which others can refer. Namespaces are ignored: definitions with
  /// the same name are counted together.
  private static func definition(_ element: XML.Node, in language: XML.Schema.Language) -> Key? {
    switch (language, element.localName) {
    case (.relaxNG, "define"): element.attribute("name").map { Key(kind: "define", name: trimmed($0)) }
    case (.relaxNG, _): nil
    case (.xmlSchema, "element"):
      // By the head that it may substitute.
      element.attribute("substitutionGroup").map { Key(kind: Self.substitution, name: local($0)) }
    case (.xmlSchema, "complexType"), (.xmlSchema, "simpleType"):
      element.attribute("name").map { Key(kind: "type", name: local($0)) }
    case (.xmlSchema, "group"), (.xmlSchema, "attributeGroup"):
      element.attribute("name").map { Key(kind: element.localName, name: local($0)) }
    case (.xmlSchema, _): nil
    }
  }

  private mutating func children(of element: XML.Node, level: Int) throws(XML.SchemaError) -> Size {
    guard level <= nestingLimit else { throw error("nesting", nestingLimit, at: element, source) }
    var size = try references(of: element, level: level)
    for child in element.elements where child.namespaceURI == sources.language.namespace {
      size = size + (try self.size(of: child, level: level + 1))
    }
    size.height += 1
    guard level + size.height <= nestingLimit + 1 else {
      throw error("nesting", nestingLimit, at: element, source)
    }
    return size
  }

  /// Returns the size that a construct adds to the enclosing one.
  private mutating func size(of element: XML.Node, level: Int) throws(XML.SchemaError) -> Size {
    switch (sources.language, element.localName) {
    case (.xmlSchema, "element"):
      guard let name = element.attribute("ref") else { return Size(particles: 1) }
      var size = try definition(Key(kind: Self.substitution, name: Self.local(name)), level: level)
      size.particles += 1
      return size
    case (.xmlSchema, "any"): return Size(particles: 1)
    case (_, "attribute"): return Size(attributes: 1)
    case (.xmlSchema, "annotation"), (.xmlSchema, "key"), (.xmlSchema, "keyref"), (.xmlSchema, "unique"):
      return Size()
    case (.xmlSchema, _): return try children(of: element, level: level)
    case (.relaxNG, "element"), (.relaxNG, "text"), (.relaxNG, "data"), (.relaxNG, "value"),
      (.relaxNG, "empty"), (.relaxNG, "notAllowed"):
      return Size(particles: 1)
    case (.relaxNG, "define"): return Size()
    case (.relaxNG, "oneOrMore"):
      // libxml2 expands it to one and zero or more.
      var size = try children(of: element, level: level)
      size.particles *= 2
      return size
    case (.relaxNG, _): return try children(of: element, level: level)
    }
  }

  /// Returns the size of the definitions that a construct refers to by attributes.
  private mutating func references(of element: XML.Node, level: Int) throws(XML.SchemaError) -> Size {
    var keys: [Key] = []
    switch (sources.language, element.localName) {
    case (.xmlSchema, "group"), (.xmlSchema, "attributeGroup"):
      keys = [element.attribute("ref")].compactMap { $0 }.map {
        Key(kind: element.localName, name: Self.local($0))
      }
    case (.xmlSchema, "extension"), (.xmlSchema, "restriction"), (.xmlSchema, "list"), (.xmlSchema, "union"):
      let names = ["base", "itemType", "memberTypes"].compactMap { element.attribute($0) }
      keys = names.flatMap { $0.split(whereSeparator: \.isWhitespace) }.map {
        Key(kind: "type", name: Self.local(String($0)))
      }
    case (.relaxNG, "ref"), (.relaxNG, "parentRef"):
      keys = [element.attribute("name")].compactMap { $0 }.map { Key(kind: "define", name: Self.trimmed($0)) }
    case (.relaxNG, "externalRef"):
      return try external(element, level: level)
    default: break
    }
    var size = Size()
    for key in keys {
      var part = try definition(key, level: level)
      // Empty ones are traversed too.
      part.particles = max(part.particles, 1)
      size = size + part
    }
    return size
  }

  private mutating func definition(_ key: Key, level: Int) throws(XML.SchemaError) -> Size {
    if let size = sizes[key] { return size }
    // libxml2 refuses cycles.
    guard let all = definitions[key], open.insert(key).inserted else { return Size() }
    let outer = source
    defer {
      source = outer
      open.remove(key)
    }
    var size = Size()
    for (index, element) in all {
      source = index
      if key.kind == Self.substitution {
        // A member can itself be the head of others.
        size.particles += 1
        guard let name = element.attribute("name") else { continue }
        let members = Key(kind: key.kind, name: Self.local(name))
        guard level < nestingLimit else { throw error("nesting", nestingLimit, at: element, source) }
        size = size + (try definition(members, level: level + 1))
      } else {
        size = size + (try children(of: element, level: level + 1))
      }
    }
    if key.kind == Self.substitution {
      size.height += 1
      if level + size.height > nestingLimit, let (index, element) = all.first {
        throw error("nesting", nestingLimit, at: element, index)
      }
    }
    sizes[key] = size
    return size
  }

  private mutating func external(_ element: XML.Node, level: Int) throws(XML.SchemaError) -> Size {
    guard let index = element.attribute("href").flatMap({ sources.target(of: $0, at: element, in: source) })
    else {
      return Size()
    }
    let key = Key(kind: "document", name: "\(index)")
    if let size = sizes[key] { return size }
    guard open.insert(key).inserted else { return Size() }
    let outer = source
    source = index
    defer {
      source = outer
      open.remove(key)
    }
    var size = try self.size(of: sources.sources[index].document.root, level: level + 1)
    size.particles = max(size.particles, 1)
    sizes[key] = size
    return size
  }

  private func error(_ name: String, _ value: Int, at element: XML.Node, _ source: Int) -> XML.SchemaError {
    XML.SchemaError(
      reason: .limit(name: name, value: value),
      location: sources.sources[source].location,
      line: element.line
    )
  }

  /// A qualified name without its prefix.
  private static func local(_ name: String) -> String {
    let name = trimmed(name)
    return name.lastIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
  }

  private static func trimmed(_ name: String) -> String {
    String(name.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
