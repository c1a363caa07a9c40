// Errors about names that a type does not have keys for.
extension DecodingSession {
  /// Names what a missing key would read in another namespace: `; there is atom:link in another namespace, …`; empty if
  /// there is nothing.
  func otherNamespace(_ depth: Int) -> String {
    let last = workspace.step(at: depth)
    guard workspace.isQuiet == 0, last.plan >= 0, let owner = workspace.owner(at: depth - 1) else {
      return ""
    }
    let key = workspace.plan(at: Int(last.plan)).pointee.keys[Int(last.value)]
    let steps = KeyPattern.steps(of: key).map(String.init)
    // First with a single step in any namespace, then with all of them.
    let variants = steps.indices.map { [$0] } + (steps.count > 1 ? [Array(steps.indices)] : [])
    for variant in variants {
      var lenient = steps
      for index in variant { lenient[index] = NamePattern.inAnyNamespace(steps[index]) }
      let text = lenient.joined(separator: "/")
      guard text != key, let found = first(KeyPattern(text, naming: workspace.naming), in: owner) else {
        continue
      }
      let name = names[self.name(of: found)]
      let spelling = name.prefix == nil ? "\(name)" : name.qualifiedName
      let mark = records[found].kind == .attribute ? "@" : ""
      let place = name.namespaceURI == nil ? "in no namespace" : "in another namespace"
      return "; there is \(mark)\(spelling) \(place), which the key “\(text)” reads"
    }
    return ""
  }

  /// The first element or attribute that a pattern means.
  private func first(_ pattern: KeyPattern, in owner: Int) -> Int? {
    var found: Int?
    switch pattern.target {
    case .elements(let name):
      forEachElement(pattern.elements[...], in: owner) {
        found = $0
        return false
      }
      if found == nil, pattern.parents.isEmpty { found = attribute(name, of: owner) }
    case .attribute(let name):
      forEachElement(pattern.parents[...], in: owner) {
        found = attribute(name, of: $0)
        return found == nil
      }
    case .text, .rest, .nodes, .payload, .unknown: break
    }
    return found
  }

  /// The error for a choice: an element without a case, or several elements with cases.
  func refusalOfChoice(
    _ type: any Any.Type,
    at place: Place,
    _ depth: Int,
    _ context: DecodingError.Context
  ) -> DecodingError {
    func error(_ text: String, _ record: Int) -> DecodingError {
      let text = text + location(of: Place(.element, record))
      return .typeMismatch(
        type,
        DecodingError.Context(codingPath: context.codingPath, debugDescription: text)
      )
    }
    guard workspace.casePlan >= 0, place.index < records.count else { return .typeMismatch(type, context) }
    let plan = workspace.plan(at: workspace.casePlan)
    switch place.kind {
    case .choice, .characters:
      guard records[place.index].kind == .startElement else {
        let text = string(at: place).map { "“\(excerpt($0))”" } ?? ""
        return error("\(type) has no case for the text \(text)", place.index)
      }
      return error(noCase(of: type, for: place.index, plan, isOwn: isOwn(place)), place.index)
    case .element, .item, .repeated, .rest, .nodes:
      var known: [String] = []
      var unknown: [Int] = []
      for child in childElements(at: place, depth) {
        if entry(of: child, in: place.index, plan) >= 0 {
          known.append("“\(names[name(of: child)].qualifiedName)”")
        } else {
          unknown.append(child)
        }
      }
      if known.count > 1 {
        return error("more than one case of \(type): \(known.prefix(4).joined(separator: ", "))", place.index)
      }
      if place.kind == .item {
        return error(noCase(of: type, for: place.index, plan, isOwn: isOwn(place)), place.index)
      }
      guard known.isEmpty, let child = unknown.first else { return error("no case of \(type)", place.index) }
      return error(noCase(of: type, for: child, plan, isOwn: isOwn(child, of: place.index)), child)
    case .missing, .emptyList, .attribute, .slice, .content, .unknown: return .typeMismatch(type, context)
    }
  }

  /// The child elements at a place, but for those that other keys name.
  private func childElements(at place: Place, _ depth: Int) -> [Int] {
    var children: [Int] = []
    if place.kind != .rest {
      forEachChild(of: place.index) { children.append($0) }
    } else if var list = try? ElementList(self, place, depth: depth) {
      children = list.elements()
    }
    return children
  }

  private func noCase(of type: any Any.Type, for element: Int, _ plan: KeyPlan.Reference, isOwn: Bool)
    -> String
  {
    let name = names[name(of: element)]
    let text = "\(type) has no case for the element “\(name.qualifiedName)”"
    let key = workspace.naming.keyCase.key(for: name.localName)
    guard !isOwn, plan.pointee.accepts(key) else { return text }
    return text
      + ", which is in another namespace than its parent and needs the key “\(NamePattern.anyNamespace)\(key)”"
  }
}

extension NamePattern {
  /// A step of a key, in any namespace.
  fileprivate static func inAnyNamespace(_ step: String) -> String {
    let mark = step.first == "@" ? "@" : ""
    var name = step.dropFirst(mark.count)
    if name.first == "{", let end = name.firstIndex(of: "}") {
      name = name[name.index(after: end)...]
    } else if let colon = name.firstIndex(of: ":") {
      name = name[name.index(after: colon)...]
    } else if name == "*" || name.hasSuffix("()") {
      return step
    }
    return mark + anyNamespace + name
  }
}
