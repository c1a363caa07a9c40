extension QueryTree {
  /// The whole as untyped parameters.
  var parameters: Parameters { object(0) }

  private func object(_ node: Int) -> Parameters {
    var parameters = Parameters()
    for (position, entry) in entries(of: node).enumerated() {
      guard let key = entry.segment.key else { continue }
      switch entry.content {
      case .node(let child):
        for value in values(child) { parameters.append(value, forKey: key) }
      case .leaf(let leaf):
        guard joinsRepeated else {
          parameters.append(value(leaf), forKey: key)
          continue
        }
        guard isFirstLeaf(position, of: node) else { continue }
        let leaves = contents(of: node, at: entry.segment).compactMap(\.leaf)
        parameters.append(leaves.count == 1 ? value(leaf) : .array(leaves.map { value($0) }), forKey: key)
      }
    }
    return parameters
  }

  private var joinsRepeated: Bool {
    switch options.arrayStyle {
    case .repeated, .custom: true
    default: false
    }
  }

  /// A container with elements and with keys is an array and an object.
  private func values(_ node: Int) -> [ParameterValue] {
    if let elements = elements(of: node) { return [.array(elements.flatMap(values))] }
    let object = ParameterValue.object(object(node))
    let appended = entries(of: node).filter { $0.segment == .append }.map(\.content)
    return appended.isEmpty ? [object] : [.array(appended.flatMap(values)), object]
  }

  private func values(_ content: Content) -> [ParameterValue] {
    switch content {
    case .leaf(let leaf): [value(leaf)]
    case .node(let node): values(node)
    }
  }

  private func value(_ leaf: Leaf) -> ParameterValue {
    if let parts = leaf.parts { return .array(parts.map { value($0) }) }
    return value(leaf.text)
  }

  private func value(_ text: String?) -> ParameterValue {
    isNull(text) ? .null : .string(text ?? "")
  }

  /// Returns whether a text represents null.
  func isNull(_ text: String?) -> Bool {
    switch options.nullStyle {
    case .keyAlone: text == nil
    case .drop: false
    case .empty: text?.isEmpty ?? true
    case .literal: text == "null"
    }
  }
}
