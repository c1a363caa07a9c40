/// The name of a leaf.
struct LeafName {
  enum Kind { case member, field, cookie, element, attribute }

  let text: String
  let kind: Kind
  /// Whether the leaf is an element of a list with the name.
  var isElement = false
  /// The node beside which the neighbours stand: the leaf itself, or the container that it fills.
  let node: Int
}

extension LeafPlace {
  /// The leaf's own name: of its member, parameter, attribute, element or pair; of the list around it; or that of the
  /// leaf in which it is alone.
  var name: LeafName? {
    switch node.step {
    case .member(let key):
      return pairName(key)
        ?? LeafName(text: key, kind: kind(.member), node: index)
    case .parameter(let key, _): return LeafName(text: key, kind: kind(.member), node: index)
    case .attribute(let key):
      return pairName(key) ?? LeafName(text: key, kind: .attribute, node: index)
    case .element(let key, _): return LeafName(text: key, kind: .element, node: index)
    case .index, .characters: break
    }
    if let name = nameInPair { return name }
    var index = tree.nodes[index].parent
    var isElement = if case .index = node.step { true } else { false }
    while index >= 0 {
      switch tree.nodes[index].step {
      case .member(let key), .attribute(let key):
        return LeafName(text: key, kind: .member, isElement: isElement, node: index)
      case .parameter(let key, _):
        return LeafName(text: key, kind: kind(.member), isElement: isElement, node: index)
      case .element(let key, _): return markupName(of: index, key)
      case .index: isElement = true
      case .characters: break
      }
      index = tree.nodes[index].parent
    }
    return outer?.name.map {
      LeafName(text: $0.text, kind: $0.kind, isElement: $0.isElement, node: self.index)
    }
  }

  private func kind(_ other: LeafName.Kind) -> LeafName.Kind {
    // `"cookies": [{"name": "sid", "value": "..."}]`, and a cookie in its field.
    guard node.parent >= 0 else { return other }
    if node.parent == 0, case .parameter("cookie", _) = tree.nodes[0].step { return .cookie }
    if node.parent == 0, case .parameter("set-cookie", _) = tree.nodes[0].step { return .cookie }
    return other
  }

  // MARK: Neighbours

  /// The nodes in the same container, at most 64: those before and behind this one.
  func neighbours(of index: Int) -> [Int] {
    let parent = tree.nodes[index].parent
    var result: [Int] = []
    var before = index - 1
    while before > parent, before >= 0, result.count < 32 {
      // From the last node in a neighbour up to the neighbour.
      var node = before
      while tree.nodes[node].parent > parent { node = tree.nodes[node].parent }
      guard tree.nodes[node].parent == parent else { break }
      result.append(node)
      before = node - 1
    }
    result.reverse()
    var behind = tree.nodes[index].end
    while behind < tree.nodes.count, tree.nodes[behind].parent == parent, result.count < 64 {
      result.append(behind)
      behind = tree.nodes[behind].end
    }
    return result
  }

  /// The names of the neighbours, in lower case and without word separators.
  func neighbourNames(of index: Int) -> Set<String> {
    Set(neighbours(of: index).compactMap { tree.nodes[$0].step.key.map { NameWords($0).letters } })
  }

  /// Returns the text of a neighbour with one of some names.
  private func text(ofNeighbour names: Set<String>, of index: Int) -> String? {
    for neighbour in neighbours(of: index) {
      guard let key = tree.nodes[neighbour].step.key, names.contains(key.lowercased()) else { continue }
      if let text = firstText(in: neighbour) { return text }
    }
    return nil
  }

  /// The text of a leaf, or of the first leaf in a container.
  private func firstText(in index: Int) -> String? {
    for index in index..<min(tree.nodes[index].end, index + 4) {
      if let leaf = tree.nodes[index].leaf, leaf.type == .text {
        return String(decoding: leaf.value.prefix(256), as: UTF8.self)
      }
    }
    return nil
  }

  // MARK: Pairs

  private static let valueKeys: Set<String> = ["value", "content", "text", "val", "v", "data"]
  /// The types of values in forms and settings that are secrets whatever their names.
  private static let secretTypes: Set<String> = ["password", "secret", "securestring"]
  private static let nameKeys: Set<String> = ["name", "key", "field", "header", "property", "id", "k", "n"]

  /// The name of a pair such as `{"name": "X-Api-Key", "value": "..."}` or `<add key="..." value="..."/>`.
  private func pairName(_ key: String) -> LeafName? {
    guard
      key.utf8.count <= 7 && key.utf8.first?.isOne(of: "vVcCtTdD") == true
        || key.utf8.suffix(4).elementsEqual("alue".utf8)
    else { return nil }
    let lower = key.lowercased()
    guard Self.valueKeys.contains(lower) else {
      // `{"ParameterKey": "MasterPassword", "ParameterValue": "..."}`
      guard lower.hasSuffix("value"), lower.utf8.count > 5 else { return nil }
      let start = lower.dropLast(5)
      return text(ofNeighbour: ["\(start)key", "\(start)name"], of: index).map {
        LeafName(text: $0, kind: .member, node: index)
      }
    }
    if lower == "value", let type = text(ofNeighbour: ["type"], of: index)?.lowercased(),
      Self.secretTypes.contains(type)
    {
      if case .attribute = node.step { return LeafName(text: "password", kind: .attribute, node: index) }
      return LeafName(text: "secret", kind: .member, node: index)
    }
    guard let name = text(ofNeighbour: Self.nameKeys, of: index), !name.isEmpty else {
      // `{"keyName": "key1", "value": "..."}`
      let name = lower == "value" ? text(ofNeighbour: ["keyname"], of: index) : nil
      return name.map { LeafName(text: "\($0)-key", kind: .member, node: index) }
    }
    return LeafName(text: name, kind: isInCookies ? .cookie : .member, node: index)
  }

  /// The name of the object or the list that the object of the leaf is in.
  var containerName: String? {
    var index = node.parent
    while index >= 0 {
      if case .member(let key) = tree.nodes[index].step { return key }
      index = tree.nodes[index].parent
    }
    return nil
  }

  /// Whether the object is an element of a list of cookies.
  private var isInCookies: Bool {
    let object = node.parent
    guard object >= 0, tree.nodes[object].parent >= 0 else { return false }
    return tree.nodes[tree.nodes[object].parent].step.key?.lowercased() == "cookies"
  }

  /// The name of `["X-Api-Key", "..."]` in a list.
  private var nameInPair: LeafName? {
    guard case .index(1) = node.step, node.parent >= 0, case .index = tree.nodes[node.parent].step,
      tree.nodes[index].end == tree.nodes[node.parent].end, let name = firstText(in: node.parent + 1)
    else { return nil }
    return LeafName(text: name, kind: .member, node: index)
  }

  /// Elements with names that are not those of their texts.
  private static let namedElements: Set<String> = [
    "button", "a", "meta", "option", "label", "select", "form", "iframe", "slot", "fieldset", "map",
    "object", "output", "input",
  ]

  /// The name for the text of an element.
  private func markupName(of element: Int, _ name: String) -> LeafName {
    // `<property name="password">`, `<textarea name="...">`.
    for child in (element + 1)..<min(tree.nodes[element].end, element + 17) {
      guard case .attribute(let key) = tree.nodes[child].step,
        !Self.namedElements.contains(name.lowercased()), Self.nameKeys.contains(key.lowercased()),
        let leaf = tree.nodes[child].leaf
      else { continue }
      return LeafName(
        text: String(decoding: leaf.value.prefix(256), as: UTF8.self),
        kind: .element,
        node: element
      )
    }
    if let cell = nameInRow(of: element, name) { return cell }
    let parent = tree.nodes[element].parent
    guard parent >= 0 else { return LeafName(text: name, kind: .element, node: element) }
    // `<key>password</key><string>...</string>` of property lists.
    if ["string", "data", "integer"].contains(name.lowercased()),
      let before = neighbours(of: element).last(where: { $0 < element }),
      case .element("key", _) = tree.nodes[before].step, let key = firstText(in: before)
    {
      return LeafName(text: key, kind: .element, node: element)
    }
    // `<member><name>password</name><value><string>...</string></value></member>` of XML-RPC, with or without a type.
    let value = name.lowercased() == "value" ? element : parent
    if case .element("value", _) = tree.nodes[value].step,
      let key = text(ofNeighbour: ["name", "key"], of: value)
    {
      return LeafName(text: key, kind: .element, node: element)
    }
    return LeafName(text: name, kind: .element, node: element)
  }

  /// The name of a setting in the cell before: `<th>DB_PASSWORD</th><td>...</td>`, `<dt>api_key</dt><dd>...</dd>`.
  private func nameInRow(of element: Int, _ name: String) -> LeafName? {
    guard ["td", "dd"].contains(name.lowercased()),
      let before = neighbours(of: element).last(where: { $0 < element }),
      ["th", "td", "dt"].contains(tree.nodes[before].step.key?.lowercased()),
      let text = characters(in: before), !text.contains(" "), text.contains(where: { "_.-['".contains($0) })
    else { return nil }
    return LeafName(text: text, kind: .element, isElement: true, node: element)
  }

  /// The first text of an element.
  private func characters(in element: Int) -> String? {
    for index in element..<tree.nodes[element].end {
      guard case .characters = tree.nodes[index].step, let leaf = tree.nodes[index].leaf else { continue }
      return String(decoding: leaf.value.prefix(128), as: UTF8.self)
    }
    return nil
  }

  // MARK: Messages

  private static let messageWords: Set<String> = [
    "error", "errors", "messages", "labels", "translations", "hints", "placeholders", "descriptions",
    "titles", "violations", "captions", "tooltips", "warnings", "strings", "i18n", "l10n", "texts",
    "locales", "validation",
  ]

  /// Whether a container around the leaf holds texts for people.
  var isAmongMessages: Bool {
    var index = node.parent
    while index >= 0 {
      if let last = tree.nodes[index].step.key.flatMap({ NameWords($0).last }),
        Self.messageWords.contains(last)
      {
        return true
      }
      index = tree.nodes[index].parent
    }
    return false
  }
}

extension TextTree.Step {
  /// The name; `nil` for a position.
  var key: String? {
    switch self {
    case .member(let key), .parameter(let key, _), .element(let key, _), .attribute(let key): key
    case .index, .characters: nil
    }
  }
}
