import StagecoachCore

extension GeneratorApplication {
  /// Replaces values of JSON, XML, HTML and forms that exist, and the whole of JSON or a text, with a generator for the
  /// root. All else stays as it is, to the octet.
  func body(_ body: ComparedBody, _ headerType: MediaType?) throws(GeneratorError) -> ComparedBody {
    let rules = rules.filter { $0.part == .body }
    guard !rules.isEmpty, case .bytes(let bytes) = body.content else { return body }
    let type = headerType ?? body.mediaType ?? BodyFormat.assumedType(of: bytes)
    let format = ContentFormat(type, bytes.array)
    var edits: [TextTree.Edit]
    switch format {
    case .json, .jsonSequence, .xml, .html, .form:
      let isJSON = format == .json || format == .jsonSequence
      edits = try self.edits(of: TextTree(bytes.array, as: format), rules, isJSON: isJSON)
    case .text:
      guard let rule = rules.last(where: { $0.path.steps.isEmpty }), let value = try value(of: rule) else {
        return body
      }
      edits = [(bytes.array.indices, Array(value.plainText.utf8))]
    case .events, .code, .multipart, .binary: return body
    }
    var body = body
    if !edits.isEmpty { body.content = .bytes(Bytes(bytes.array.replacing(edits))) }
    return body
  }

  private func value(of rule: GeneratorRule) throws(GeneratorError) -> JSONValue? {
    try rule.generator.value(in: context)
  }

  private func edits(
    of tree: TextTree,
    _ rules: [GeneratorRule],
    isJSON: Bool
  ) throws(GeneratorError) -> [TextTree.Edit] {
    if isJSON, let rule = rules.last(where: { $0.path.steps.isEmpty }), let value = try value(of: rule) {
      return [(tree.text.indices, value.serialized())]
    }
    var edits: [TextTree.Edit] = []
    var end = 0
    for (index, place) in tree.rulePaths.enumerated() where tree.nodes[index].range.lowerBound >= end {
      let step = tree.nodes[index].step
      // Texts are those of their elements.
      if !isJSON, case .characters = step { continue }
      let rule = rules.last { rule in
        if tree.isFor(rule.path, index, place) { return true }
        guard case .element = step else { return false }
        return RuleTable.isFor(rule.path, place.key("#text"))
      }
      guard let rule, let value = try value(of: rule) else { continue }
      if isJSON {
        let range = tree.rangeOfJSON(index)
        edits.append((range, value.serialized()))
        end = range.upperBound
      } else {
        edits += tree.edits(settingTextOf: index, Array(value.plainText.utf8))
      }
    }
    return edits
  }
}

extension TextTree {
  /// The octets of a member or an element of JSON, with the quotes of a text.
  fileprivate func rangeOfJSON(_ index: Int) -> Range<Int> {
    let range = nodes[index].range
    guard nodes[index].leaf?.coding == .json else { return range }
    return (range.lowerBound - 1)..<min(range.upperBound + 1, text.count)
  }

  /// The edits that give a leaf or an element another text.
  fileprivate func edits(settingTextOf index: Int, _ value: [UInt8]) -> [Edit] {
    if let leaf = nodes[index].leaf { return [(leaf.range, leaf.coding.encode(value))] }
    let texts = children(of: index).compactMap { index -> Leaf? in
      guard case .characters = nodes[index].step else { return nil }
      return nodes[index].leaf
    }
    if let first = texts.first {
      return [(first.range, first.coding.encode(value))] + texts.dropFirst().map { ($0.range, []) }
    }
    // Behind the start tag.
    let attributes = children(of: index).prefix {
      if case .attribute = nodes[$0].step { true } else { false }
    }
    let start = attributes.last.map { nodes[$0].range.upperBound } ?? nodes[index].range.lowerBound
    guard let end = text[start...].firstIndex(of: UInt8(ascii: ">")) else { return [] }
    let written = LeafCoding.markup().encode(value)
    guard text[end - 1] == UInt8(ascii: "/") else { return [((end + 1)..<(end + 1), written)] }
    let name = text[(nodes[index].range.lowerBound + 1)...].prefix { !$0.isSpace && !$0.isOne(of: "/>") }
    let endTag: [UInt8] = Array("</".utf8) + Array(name) + Array(">".utf8)
    return [((end - 1)..<(end + 1), [UInt8(ascii: ">")] + written + endTag)]
  }
}
