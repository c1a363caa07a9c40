import StagecoachCore
import StagecoachXML

/// An element of a document, as the comparison sees it.
struct XMLItem {
  private let node: XML.Node
  let name: XML.Name

  init(_ node: XML.Node) {
    self.node = node
    name = XML.Name(node.localName, namespace: node.namespaceURI, prefix: node.prefix)
  }

  /// The name for messages and paths, as Pact writes it: the namespace in front of the local name.
  var label: String { name.label }

  /// The step to the element, with all spellings of its name in rules.
  func step(position: Int) -> ValuePath.Step {
    var names = [name.label]
    if name.namespaceURI != nil { names.append(name.localName) }
    if name.prefix != nil { names.append(name.qualifiedName) }
    return .element(names: names, position: position)
  }

  var children: [XMLItem] { node.elements.map(XMLItem.init) }

  /// The texts directly in the element, trimmed.
  var text: String {
    node.children.filter { $0.kind == .text || $0.kind == .cdata }.map(\.text.trimmed).joined()
  }

  var attributes: [XMLAttributeItem] { node.attributes.map(XMLAttributeItem.init) }
}

/// An attribute of an element; namespace declarations are not attributes.
struct XMLAttributeItem {
  let name: XML.Name
  let value: String

  init(_ node: XML.Node) {
    name = XML.Name(node.localName, namespace: node.namespaceURI, prefix: node.prefix)
    value = node.text
  }

  var label: String { name.label }
}

extension XML.Name {
  /// The name as Pact writes it in paths: the namespace in front of the local name.
  var label: String { namespaceURI.map { "\($0):\(localName)" } ?? localName }
}

extension [XMLItem] {
  /// The names of the elements for a message.
  var labels: String { map(\.label).joined(separator: ", ") }
}

extension [XMLAttributeItem] {
  /// The attributes for a message.
  var shownAttributes: String {
    "{" + sorted { $0.label < $1.label }.map { "\"\($0.label)\": \"\($0.value)\"" }.joined(separator: ", ")
      + "}"
  }
}

/// Elements grouped by name, with their positions among all.
struct XMLGroups {
  struct Child {
    let item: XMLItem
    let position: Int
  }

  private var groups: [XML.Name: [Child]] = [:]
  private var order: [XML.Name] = []

  init(_ items: [XMLItem]) {
    for (position, item) in items.enumerated() {
      if groups[item.name] == nil { order.append(item.name) }
      groups[item.name, default: []].append(Child(item: item, position: position))
    }
  }

  /// The names of the groups in the order of their first elements.
  var names: [XML.Name] { order.filter { groups[$0] != nil } }

  subscript(name: XML.Name) -> [Child] { groups[name] ?? [] }

  mutating func remove(_ name: XML.Name) -> [Child] {
    groups.removeValue(forKey: name) ?? []
  }
}

extension String {
  /// The text without white space at both ends.
  var trimmed: String {
    let start = unicodeScalars.drop { $0.properties.isWhitespace }
    let end = start.reversed().drop { $0.properties.isWhitespace }.reversed()
    var view = String.UnicodeScalarView()
    view.append(contentsOf: end)
    return String(view)
  }
}
