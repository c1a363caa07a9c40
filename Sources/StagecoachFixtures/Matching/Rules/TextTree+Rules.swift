extension TextTree {
  /// Other octets in place of some.
  typealias Edit = (range: Range<Int>, octets: [UInt8])

  /// The path of each node in rules.
  var rulePaths: [ValuePath] {
    var paths: [ValuePath] = []
    paths.reserveCapacity(nodes.count)
    var positions = [-1: 0]
    for index in nodes.indices {
      let parent = nodes[index].parent
      let step = ruleStep(to: index, position: positions[parent] ?? 0)
      if step.isElement { positions[parent, default: 0] += 1 }
      paths.append((parent < 0 ? .root : paths[parent]).appending(step))
    }
    return paths
  }

  /// Whether a path of a rule is that of a node. One of several parameters with the same name may be meant by its position.
  func isFor(_ rule: RulePath, _ index: Int, _ path: ValuePath) -> Bool {
    if RuleTable.isFor(rule, path) { return true }
    guard case .parameter(_, let position) = nodes[index].step else { return false }
    return RuleTable.isFor(rule, path.index(position))
  }

  /// The step to a node in a comparison.
  ///
  /// - Parameter position: The position of an element among all in its parent.
  func ruleStep(to index: Int, position: Int) -> ValuePath.Step {
    switch nodes[index].step {
    case .member(let name), .parameter(let name, _): .key(name)
    case .index(let index): .index(index)
    case .element(let name, _): .element(names: spellings(of: name, at: index), position: position)
    case .attribute(let name): .key("@\(label(ofAttribute: name, at: index))")
    case .characters: .key("#text")
    }
  }

  /// The spellings of the name of an element: with its namespace in front of it, as Pact writes it, alone, and with its
  /// prefix.
  private func spellings(of name: String, at index: Int) -> [String] {
    let written = text[(nodes[index].range.lowerBound + 1)...].prefix {
      !$0.isSpace && !$0.isOne(of: "/>")
    }
    let qualified = String(decoding: written, as: UTF8.self)
    let prefix = qualified.dropLast(name.utf8.count).dropLast()
    let others = prefix.isEmpty ? [name] : [name, qualified]
    return namespace(ofPrefix: prefix, at: index).map { ["\($0):\(name)"] + others } ?? others
  }

  /// The name of an attribute with its namespace in front of it.
  private func label(ofAttribute name: String, at index: Int) -> String {
    // The name stands before the equals sign.
    let end = text[..<nodes[index].range.lowerBound].lastIndex { !$0.endsName } ?? 0
    let start = (text[...end].lastIndex(where: \.endsName) ?? -1) + 1
    let prefix = String(decoding: text[start...end], as: UTF8.self).dropLast(name.utf8.count).dropLast()
    guard !prefix.isEmpty, let namespace = namespace(ofPrefix: prefix, at: nodes[index].parent) else {
      return name
    }
    return "\(namespace):\(name)"
  }

  /// The namespace of a prefix at an element.
  private func namespace(ofPrefix prefix: Substring, at index: Int) -> String? {
    if prefix == "xml" { return "http://www.w3.org/XML/1998/namespace" }
    let declaration = Step.attribute(prefix.isEmpty ? "xmlns" : "xmlns:\(prefix)")
    var element = index
    while element >= 0 {
      for child in (element + 1)..<nodes[element].end {
        guard case .attribute = nodes[child].step else { break }
        guard nodes[child].step == declaration, let leaf = nodes[child].leaf else { continue }
        return String(decoding: leaf.value, as: UTF8.self)
      }
      element = nodes[element].parent
    }
    return nil
  }
}

extension [UInt8] {
  /// Returns the octets with others in some ranges. Of those that overlap, the first one counts.
  func replacing(_ edits: [TextTree.Edit]) -> [UInt8] {
    var (result, position): ([UInt8], Int) = ([], 0)
    for (range, octets) in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
    where range.lowerBound >= position {
      result += self[position..<range.lowerBound] + octets
      position = range.upperBound
    }
    return result + self[position...]
  }
}
