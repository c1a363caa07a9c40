internal import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An element that is being encoded; containers refer to it.
final class EncodedElement {
  enum Child {
    case element(EncodedElement)
    case content(XML.Element.Content)
  }

  let name: XML.Name
  /// Whether it is there for a path of a key, so that other keys may put something into it too.
  let isStep: Bool
  private(set) var namespaces: [String: String] = [:]
  private(set) var attributes: [XML.Element.Attribute] = []
  private(set) var children: [Child] = []

  init(_ name: XML.Name, isStep: Bool = false) {
    self.name = name
    self.isStep = isStep
  }

  func append(_ content: XML.Element.Content) { children.append(.content(content)) }

  /// A new child element.
  func append(_ name: XML.Name) -> EncodedElement {
    let element = EncodedElement(name)
    children.append(.element(element))
    return element
  }

  /// The child element for a step of a path.
  func step(_ name: XML.Name) -> EncodedElement {
    for case .element(let child) in children where child.isStep && child.name == name { return child }
    let element = EncodedElement(name, isStep: true)
    children.append(.element(element))
    return element
  }

  /// Adds a word to the value of an attribute, in place: a list may have very many.
  func append(word: String, to name: XML.Name) {
    guard let index = attributes.firstIndex(where: { $0.name == name }), !attributes[index].value.isEmpty
    else {
      return set(name, word)
    }
    attributes[index].value += " "
    attributes[index].value += word
  }

  func set(_ name: XML.Name, _ value: String) {
    if let index = attributes.firstIndex(where: { $0.name == name }) {
      attributes[index].value = value
    } else {
      attributes.append(XML.Element.Attribute(name, value))
    }
  }

  /// Takes over what an element is but for its name.
  func take(_ element: XML.Element) {
    namespaces.merge(element.namespaces) { $1 }
    for attribute in element.attributes { set(attribute.name, attribute.value) }
    for child in element.children { append(child) }
  }

  /// Says that the element has no value.
  func setNil() {
    set(XML.Name("nil", namespace: XML.Name.schemaInstanceNamespace, prefix: "xsi"), "true")
  }

  /// The element as a value. Encoding has a limit of depth.
  func value() -> XML.Element {
    var element = XML.Element(name, namespaces: namespaces, attributes: attributes)
    element.children.reserveCapacity(children.count)
    for child in children {
      switch child {
      case .element(let child): element.children.append(.element(child.value()))
      case .content(let content): element.children.append(content)
      }
    }
    return element
  }
}

/// The target of an encoded value.
enum EncodingTarget {
  /// Into an element that is there.
  case element(EncodedElement)
  /// Into an element of this name in another one, or several if it is an array.
  case field(EncodedElement, XML.Name)
  case attribute(EncodedElement, XML.Name)
  /// Into the text of an element.
  case text(EncodedElement)
  /// Among the children of an element, where each value says itself what it is.
  case children(EncodedElement)
}

/// The way from the root to a value.
indirect enum EncodingPath {
  case root
  case key(any CodingKey, in: EncodingPath, depth: Int)

  var depth: Int {
    switch self {
    case .root: 0
    case .key(_, _, let depth): depth
    }
  }

  func appending(_ key: any CodingKey) -> EncodingPath { .key(key, in: self, depth: depth + 1) }

  var keys: [any CodingKey] {
    var keys: [any CodingKey] = []
    var path = self
    while case .key(let key, let parent, _) = path {
      keys.append(key)
      path = parent
    }
    return keys.reversed()
  }
}

/// One value while it is encoded.
final class EncodingSession {
  let options: XMLEncoder
  private let naming: KeyNaming
  private var plans: [ObjectIdentifier: Plan] = [:]
  /// Which types are enumerations.
  private var enumerations: [ObjectIdentifier: Bool] = [:]
  /// An error that could not be thrown where it occurred.
  private(set) var failure: EncodingError?

  /// The properties of a type of keys.
  final class Plan {
    let isOpen: Bool
    let hasPayload: Bool
    fileprivate var patterns: [String: KeyPattern] = [:]

    init<Key: CodingKey>(_ type: Key.Type) {
      // A string that is never a name.
      isOpen = Key(stringValue: "\u{1}") != nil
      hasPayload = !isOpen && Key(stringValue: "_0") != nil && Key(stringValue: "_1") == nil
    }
  }

  init(_ options: XMLEncoder) {
    self.options = options
    naming = KeyNaming(keyCase: options.keyCase, namespaces: options.namespaces)
  }

  func plan<Key: CodingKey>(_ type: Key.Type) -> Plan {
    let id = ObjectIdentifier(type)
    if let plan = plans[id] { return plan }
    let plan = Plan(type)
    plans[id] = plan
    return plan
  }

  func pattern(_ key: String, _ plan: Plan) -> KeyPattern {
    if let pattern = plan.patterns[key] { return pattern }
    var naming = naming
    if plan.isOpen { naming.keyCase = .asGiven }
    let pattern = KeyPattern(key, naming: naming)
    plan.patterns[key] = pattern
    return pattern
  }

  /// Whether a key means elements of a name.
  func isKey<Key: CodingKey>(_ type: Key.Type, of name: XML.Name) -> Bool {
    KeyPlan.spellings(of: name, naming).contains { spelling in
      spelling.first != "@" && Key(stringValue: spelling)?.stringValue.isWritten(as: spelling) == true
    }
  }

  /// The name of the elements of an array that has no key.
  func itemName(in parent: XML.Name) -> XML.Name {
    NamePattern(
      "item",
      naming: KeyNaming(keyCase: .asGiven, namespaces: options.namespaces),
      isAttribute: false
    )
    .name(in: parent)
  }

  func fail(_ value: Any, _ text: String, at path: EncodingPath) {
    if failure == nil { failure = Self.error(value, text, at: path) }
  }

  static func error(_ value: Any, _ text: String, at path: EncodingPath) -> EncodingError {
    .invalidValue(value, EncodingError.Context(codingPath: path.keys, debugDescription: text))
  }

  // MARK: - Values

  /// Encodes a value of any type.
  func encode<Value: Encodable>(_ value: Value, to target: EncodingTarget, at path: EncodingPath) throws {
    guard path.depth <= DecodingWorkspace.depthLimit else {
      throw Self.error(
        value,
        "values are nested more than \(DecodingWorkspace.depthLimit) levels deep",
        at: path
      )
    }
    switch (KeyPlan.ValueKind(Value.self), value) {
    case (.date, let date as Date): put(try text(of: date, at: path), to: target)
    case (.data, let data as Data): put(try text(of: data), to: target)
    case (.url, let url as URL): put(url.absoluteString, to: target)
    case (.decimal, let decimal as Decimal): put("\(decimal)", to: target)
    case (.element, let element as XML.Element): try put(element, to: target, at: path)
    default:
      let encoder = TargetEncoder(self, target, path, isChoice: isChoice(value, for: target))
      try value.encode(to: encoder)
      encoder.finish()
    }
  }

  /// Returns whether a value is that of an enumeration and goes into an existing element.
  private func isChoice<Value>(_ value: Value, for target: EncodingTarget) -> Bool {
    guard case .element = target else { return false }
    let id = ObjectIdentifier(Value.self)
    if let known = enumerations[id] { return known }
    let isChoice = Mirror(reflecting: value).displayStyle == .enum
    enumerations[id] = isChoice
    return isChoice
  }

  private func text(of date: Date, at path: EncodingPath) throws -> String {
    let text: String?
    switch options.dateStyle {
    case .iso8601, .iso8601OrInternetMessage: text = DateText.text(date)
    case .day: text = DateText.dayText(date)
    case .internetMessage: text = DateText.internetMessageText(date)
    case .seconds:
      let seconds = date.timeIntervalSince1970
      text = Int64(exactly: seconds).map { String($0) } ?? ScalarText.text(seconds)
    case .milliseconds:
      text = Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded()).map { String($0) }
    case .custom(let write, _): text = try write(date)
    }
    guard let text else { throw Self.error(date, "a date that the style cannot represent", at: path) }
    return text
  }

  private func text(of data: Data) throws -> String {
    switch options.dataStyle {
    case .base64: data.base64EncodedString()
    case .hexadecimal: data.hexadecimal.uppercased()
    case .custom(let write, _): try write(data)
    }
  }

  /// Puts characters where they belong.
  func put(_ text: String, to target: EncodingTarget) {
    switch target {
    case .element(let element), .text(let element), .children(let element):
      if !text.isEmpty { element.append(.text(text)) }
    case .field(let parent, let name):
      let element = parent.append(name)
      if !text.isEmpty { element.append(.text(text)) }
    case .attribute(let element, let name): element.set(name, text)
    }
  }

  func putNil(to target: EncodingTarget, style: XMLEncoder.NilStyle) {
    switch (target, style) {
    case (.element(let element), _): element.setNil()
    case (.field(let parent, let name), .marked): parent.append(name).setNil()
    case (.field(let parent, let name), .empty): _ = parent.append(name)
    case (.field, .omitted), (.attribute, _), (.text, _), (.children, _): break
    }
  }

  private func put(_ value: XML.Element, to target: EncodingTarget, at path: EncodingPath) throws {
    switch target {
    case .children(let parent): parent.append(.element(value))
    case .field(let parent, let name):
      var value = value
      value.name = name
      parent.append(.element(value))
    // The element has the name of its place.
    case .element(let element): element.take(value)
    case .attribute, .text: throw Self.error(value, "an element instead of text", at: path)
    }
  }
}
