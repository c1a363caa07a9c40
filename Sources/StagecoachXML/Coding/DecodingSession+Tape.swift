// Navigation on a tape.
extension DecodingSession {
  /// Returns the index of the name of an element or attribute.
  @inline(__always)
  func name(of record: Int) -> Int { Int(records[record].name) }

  /// The namespace of an element; see ``DecodingWorkspace/space(_:)``.
  @inline(__always)
  func space(of record: Int) -> Int32 { workspace.space(records[record].name) }

  /// Whether an element is in the namespace of its parent.
  @inline(__always)
  func isOwn(_ child: Int, of owner: Int) -> Bool { space(of: child) == space(of: owner) }

  /// Whether the element at a place is in the namespace of its parent. The root of a tape has none.
  func isOwn(_ place: Place) -> Bool { place.owner < 0 || isOwn(place.index, of: Int(place.owner)) }

  /// The entry of a plan that a child element belongs to; negative for none.
  func entry(of child: Int, in owner: Int, _ plan: KeyPlan.Reference) -> Int {
    plan.pointee.elementEntry(name(of: child), isOwn: isOwn(child, of: owner), in: names)
  }

  /// Calls `body` with each element behind the steps of a path, in document order, until it returns false.
  ///
  /// - Returns: Whether `body` always returned true.
  @discardableResult
  func forEachElement(
    _ steps: ArraySlice<NamePattern>,
    in owner: Int,
    _ body: (Int) -> Bool
  ) -> Bool {
    guard let step = steps.first else { return body(owner) }
    // A name in any namespace is one in that of the parent, if there is such an element.
    var isAny = step.namespace == .any
    if isAny {
      forEachChild(of: owner) { child in
        if isOwn(child, of: owner), step.matches(names[name(of: child)], isOwn: true) { isAny = false }
      }
    }
    var index = contentStart(of: owner)
    while let child = elementIndex(from: index) {
      let isOwn = isOwn(child, of: owner)
      if isAny || isOwn || step.namespace != .any, step.matches(names[name(of: child)], isOwn: isOwn),
        !forEachElement(steps.dropFirst(), in: child, body)
      {
        return false
      }
      index = Int(records[child].next)
    }
    return true
  }

  /// The attribute that a key means.
  func attribute(_ name: NamePattern, of owner: Int) -> Int? {
    var found: Int?
    forEachAttribute(of: owner) { attribute in
      let isOwn = space(of: attribute) == 0
      guard found == nil || isOwn, name.matches(names[self.name(of: attribute)], isOwn: isOwn) else { return }
      found = attribute
    }
    return found
  }

  /// Calls `body` with each place that a key with a path means, in document order, until it returns false. The owner
  /// of any elements and nodes is the element at the end of the path.
  func forEachPlace(of entry: Int, _ plan: KeyPlan.Reference, in base: Int, _ body: (Place) -> Bool) {
    let pattern = plan.pointee.patterns[entry]
    if case .elements = pattern.target {
      forEachElement(pattern.elements[...], in: base) { body(Place(.element, $0)) }
      return
    }
    forEachElement(pattern.parents[...], in: base) { owner in
      func place(_ kind: Place.Kind, _ index: Int) -> Place {
        Place(kind, index, in: owner, entry: entry, of: plan)
      }
      switch pattern.target {
      case .attribute(let name):
        return attribute(name, of: owner).map { body(place(.attribute, $0)) } ?? true
      case .text:
        let content = place(.content, owner)
        return isNothing(content) || body(content)
      case .rest:
        return forEachNode(in: owner) { child in
          guard records[child].kind == .startElement else { return true }
          let isNamed = plan.pointee.hasSibling(
            of: entry,
            named: name(of: child),
            isOwn: isOwn(child, of: owner),
            in: names
          )
          return isNamed || body(place(.choice, child))
        }
      case .nodes:
        return forEachNode(in: owner) { body(place(.choice, $0)) }
      case .elements, .payload, .unknown: return false
      }
    }
  }

  /// Returns the bytes of the text at a place, as a slice; `nil` if there is no text.
  func text(at place: Place) -> Place? {
    var index = place.index
    switch place.kind {
    case .slice: return place
    case .attribute, .characters, .choice: break
    case .content:
      index = contentStart(of: index)
      if records[index].kind == .endElement { return Place(slice: 0, count: 0) }
      guard records[index].kind == .text, records[index + 1].kind == .endElement else {
        let number = join(place.index)
        return Place(slice: 0, count: joined[number].bytes.count, of: number)
      }
    default: return nil
    }
    return Place(slice: Int(records[index].start), count: Int(records[index].count))
  }

  /// Whether a key with a path leads to a place, so that a list has the places of ``allPlaces(like:)``.
  func isInPath(_ place: Place) -> Bool {
    switch place.kind {
    case .repeated, .attribute, .content, .rest, .nodes:
      place.plan >= 0 && workspace.plan(at: Int(place.plan)).pointee.kinds[Int(place.entry)] == .path
    default: false
    }
  }

  /// All places of the key with a path that leads to a place.
  func allPlaces(like place: Place) -> [Place] {
    var places: [Place] = []
    forEachPlace(of: Int(place.entry), workspace.plan(at: Int(place.plan)), in: Int(place.owner)) {
      places.append($0)
      return true
    }
    return places
  }

  /// Calls `body` with each child element and each text in an element until it returns false.
  private func forEachNode(in element: Int, _ body: (Int) -> Bool) -> Bool {
    var index = contentStart(of: element)
    while true {
      switch records[index].kind {
      case .endElement: return true
      case .startElement:
        guard body(index) else { return false }
        index = Int(records[index].next)
      case .text, .cdata:
        guard body(index) else { return false }
        index += 1
      default: index += 1
      }
    }
  }

  func forEachChild(of element: Int, _ body: (Int) -> Void) {
    var index = contentStart(of: element)
    while let child = elementIndex(from: index) {
      body(child)
      index = Int(records[child].next)
    }
  }

  func forEachAttribute(of element: Int, _ body: (Int) -> Void) {
    var index = element + 1
    while records[index].isPartOfTag {
      if records[index].kind == .attribute { body(index) }
      index += 1
    }
  }

  /// The element at a place as a value.
  func element(at place: Place) -> XML.Element? {
    switch place.kind {
    case .element, .item, .repeated, .choice: break
    default: return nil
    }
    guard records[place.index].kind == .startElement else { return nil }
    return XML.Element(storage, at: place.index, scope: outline.scope(around: place.index))
  }
}

extension NamePattern {
  /// Whether a name is meant; see ``admits(_:isOwn:)``.
  func matches(_ name: XML.Name, isOwn: Bool) -> Bool {
    localName.isWritten(as: name.localName) && admits(name, isOwn: isOwn)
  }
}
