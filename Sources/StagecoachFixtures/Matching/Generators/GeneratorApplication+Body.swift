import StagecoachCore
import StagecoachXML

extension GeneratorApplication {
  /// Replaces values of JSON, XML and forms that exist; the whole of a text, with a generator for the root. Other bodies
  /// stay.
  func body(_ body: ComparedBody, _ headerType: MediaType?) throws(GeneratorError) -> ComparedBody {
    let rules = rules.filter { $0.part == .body }
    guard !rules.isEmpty, case .bytes(let bytes) = body.content else { return body }
    let type = headerType ?? body.mediaType ?? BodyFormat.assumedType(of: bytes)
    let generated: [UInt8]? =
      switch BodyFormat(type, bytes, bytes) {
      case .json: try json(bytes, rules)
      case .xml: try xml(bytes, rules)
      case .form: try form(bytes, rules)
      case .text: try text(rules)
      case .multipart, .binary: nil
      }
    var body = body
    if let generated { body.content = .bytes(Bytes(generated)) }
    return body
  }

  private func value(of rule: GeneratorRule) throws(GeneratorError) -> JSONValue? {
    try rule.generator.value(in: context)
  }

  private func text(_ rules: [GeneratorRule]) throws(GeneratorError) -> [UInt8]? {
    guard let rule = rules.first(where: { $0.path.steps.isEmpty }) else { return nil }
    return try value(of: rule).map { Array($0.plainText.utf8) }
  }

  private func json(_ bytes: Bytes, _ rules: [GeneratorRule]) throws(GeneratorError) -> [UInt8]? {
    guard var json = try? JSONValue(parsing: bytes.array, limits: JSONComparison.limits) else { return nil }
    for rule in rules {
      try json.replace(rule.path.steps[...]) { () throws(GeneratorError) in try value(of: rule) }
    }
    return json.serialized()
  }

  private func xml(_ bytes: Bytes, _ rules: [GeneratorRule]) throws(GeneratorError) -> [UInt8]? {
    guard let document = try? XML.Document(parsing: bytes, limits: XMLComparison.limits) else { return nil }
    var root = XML.Element(document)
    let path = ValuePath.root.appending(XMLItem.step(to: root.name, position: 0))
    try root.replaceTexts(at: path) { (place) throws(GeneratorError) in
      guard let rule = rules.last(where: { RuleTable.isFor($0.path, place) }) else { return nil }
      return try value(of: rule)?.plainText
    }
    let hasDeclaration = bytes.array[...].trimmingSpace.starts(with: "<?xml".utf8)
    return try? document.replacingRoot(with: root, limits: XMLComparison.limits)
      .serialized(XML.WritingOptions(hasDeclaration: hasDeclaration))
  }

  /// Pairs without a generator stay as they are written.
  private func form(_ bytes: Bytes, _ rules: [GeneratorRule]) throws(GeneratorError) -> [UInt8] {
    var counts: [String: Int] = [:]
    var pairs: [String] = []
    for pair in String(decoding: bytes).split(separator: "&", omittingEmptySubsequences: false) {
      var written = String(pair)
      if let name = ComparedQuery(parsing: pair).parameters.first?.name {
        let index = counts[name, default: 0]
        counts[name] = index + 1
        for rule in rules where rule.path.steps.first?.matches(key: name) == true && rule.path.includes(index)
        {
          guard let value = try value(of: rule) else { continue }
          written = pair.prefix { $0 != "=" } + "=" + value.plainText.percentEncoded(.unreserved)
        }
      }
      pairs.append(written)
    }
    return Array(pairs.joined(separator: "&").utf8)
  }
}

extension XML.Element {
  /// Replaces values of attributes, texts of elements, and those of descendants.
  ///
  /// - Parameter text: Returns the text for a place; `nil` if it stays.
  fileprivate mutating func replaceTexts(
    at path: ValuePath,
    _ text: (ValuePath) throws(GeneratorError) -> String?
  ) throws(GeneratorError) {
    for index in attributes.indices {
      let step = "@" + attributes[index].name.label
      if let value = try text(path.key(step)) { attributes[index].value = value }
    }
    var position = 0
    for index in children.indices {
      guard case .element(var child) = children[index] else { continue }
      try child.replaceTexts(at: path.appending(XMLItem.step(to: child.name, position: position)), text)
      children[index] = .element(child)
      position += 1
    }
    // A generator for an element is one for its text.
    var value = try text(path.key("#text"))
    if value == nil { value = try text(path) }
    guard let value else { return }
    children.removeAll {
      switch $0 {
      case .text, .cdata: true
      default: false
      }
    }
    children.insert(.text(value), at: 0)
  }
}

extension JSONValue {
  /// Replaces all values at a path that exist, each by another generated value.
  fileprivate mutating func replace(
    _ steps: ArraySlice<RulePath.Step>,
    _ value: () throws(GeneratorError) -> JSONValue?
  ) throws(GeneratorError) {
    guard let step = steps.first else {
      if let value = try value() { self = value }
      return
    }
    switch self {
    case .array(var elements):
      for index in elements.indices where step.matches(index: index) {
        try elements[index].replace(steps.dropFirst(), value)
      }
      self = .array(elements)
    case .object(var object):
      for index in object.members.indices where step.matches(key: object.members[index].key) {
        try object.members[index].value.replace(steps.dropFirst(), value)
      }
      self = .object(object)
    case .null, .bool, .number, .string: break
    }
  }
}

extension RulePath.Step {
  func matches(index: Int) -> Bool {
    switch self {
    case .any, .anyIndex: true
    case .index(let other): index == other
    case .key(let key): key == String(index)
    }
  }

  func matches(key: String) -> Bool {
    switch self {
    case .any: true
    case .key(let other): key.utf8.elementsEqual(other.utf8)
    case .index(let index): key == String(index)
    case .anyIndex: false
    }
  }
}
