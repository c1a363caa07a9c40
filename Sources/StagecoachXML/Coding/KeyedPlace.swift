/// The part of a keyed container that does not depend on the type of its keys.
struct KeyedPlace {
  let session: DecodingSession
  /// Kept by the session's workspace. The standard library copies a container for each value that is read from
  /// it, so that a second reference to be counted would cost.
  let plan: KeyPlan.Reference
  /// The place of the container.
  let place: Place
  /// Whether the container is one of elements of any name.
  private let isUnnamedChoice: Bool
  /// The length of the coding path to the container.
  let depth: Int
  /// The last step of that path, which other containers may replace in the workspace.
  private let step: DecodingWorkspace.Step

  init<Key: CodingKey>(
    _ session: DecodingSession,
    _ place: Place,
    depth: Int,
    keyedBy type: Key.Type
  ) throws {
    self.session = session
    self.depth = depth
    step = session.workspace.step(at: depth)
    plan = session.workspace.plan(type)
    var place = place
    session.workspace.noteContainer(place.index)
    isUnnamedChoice = place.kind == .choice && session.records[place.index].kind == .startElement
    switch place.kind {
    case .element, .repeated: break
    case .item: if plan.pointee.isOpen { place.kind = .element }
    case .choice:
      // If the keys of the type do not include the element, it is not a choice.
      if session.records[place.index].kind == .startElement,
        plan.pointee.isOpen
          || plan.pointee.elementEntry(
            session.name(of: place.index),
            isOwn: session.isOwn(place),
            in: session.names
          ) < 0
      {
        place.kind = .element
      }
    case .characters: break
    // The cases of an enumeration among the children of the element.
    case .rest, .nodes: break
    case .missing, .emptyList, .attribute, .slice, .content, .unknown:
      throw session.refusal(of: [String: Any].self, at: place, depth)
    }
    // In a dictionary `xsi:nil` would be a value.
    if plan.pointee.isOpen, place.kind != .characters, session.isNil(place.index) {
      throw session.refusal(of: [String: Any].self, at: place, depth)
    }
    self.place = place
  }

  /// A field: the key in the plan, and the place of its value.
  struct Field {
    var entry: Int
    var place: Place
  }

  /// Returns the field of a key.
  @inline(__always)
  func field(_ key: String) -> Field {
    guard place.kind != .choice, place.kind != .characters else { return choice(key) }
    let (entry, found) = session.workspace.find(key, in: place.index, at: depth, of: plan, session)
    if plan.pointee.kinds[entry] == .natural, found.element >= 0 {
      return Field(
        entry: entry,
        place: Place(.repeated, Int(found.element), in: place.index, entry: entry, of: plan)
      )
    }
    return Field(entry: entry, place: rarePlace(entry, found))
  }

  @inline(never)
  private func rarePlace(_ entry: Int, _ found: DecodingWorkspace.Found) -> Place {
    switch plan.pointee.kinds[entry] {
    case .natural, .attribute: found.attribute >= 0 ? Place(.attribute, Int(found.attribute)) : .missing
    case .text: Place(.content, place.index)
    case .payload: Place(.element, place.index)
    case .rest: children(.rest, of: place.index, entry)
    case .nodes: children(.nodes, of: place.index, entry)
    case .path: path(entry)
    case .unknown: Place(.unknown, place.index)
    }
  }

  /// The children of an element, if it has any that a key for them means.
  private func children(_ kind: Place.Kind, of owner: Int, _ entry: Int) -> Place {
    let place = Place(kind, owner, in: owner, entry: entry, of: plan)
    guard depth < DecodingWorkspace.depthLimit,
      let list = try? ElementList(session, place, depth: depth + 1), list.isAtEnd
    else { return place }
    return Place(.emptyList, owner)
  }

  /// The first place behind the elements of a path.
  private func path(_ entry: Int) -> Place {
    var first: Place?
    session.forEachPlace(of: entry, plan, in: place.index) {
      first = $0
      return false
    }
    func start(_ kind: Place.Kind, _ index: Int) -> Place {
      Place(kind, index, in: place.index, entry: entry, of: plan)
    }
    let pattern = plan.pointee.patterns[entry]
    guard let first else {
      var owner: Int?
      session.forEachElement(pattern.parents[...], in: place.index) {
        owner = $0
        return false
      }
      switch (pattern.target, owner) {
      case (_, nil), (.attribute, _): return .missing
      case (.text, let owner?): return start(.content, owner)
      case (_, let owner?): return Place(.emptyList, owner)
      }
    }
    switch pattern.target {
    case .elements: return start(.repeated, first.index)
    case .attribute: return start(.attribute, first.index)
    case .text: return start(.content, first.index)
    case .rest: return start(.rest, Int(first.owner))
    case .nodes: return start(.nodes, Int(first.owner))
    case .payload, .unknown: return .missing
    }
  }

  /// The key that the element or the characters here represent as the case of an enumeration; `nil` if there is none.
  private var ownEntry: Int? {
    guard session.records[place.index].kind == .startElement else {
      return plan.pointee.accepts("text()") ? plan.pointee.entry(for: "text()") : nil
    }
    let isOwn = session.isOwn(place)
    let entry = plan.pointee.elementEntry(session.name(of: place.index), isOwn: isOwn, in: session.names)
    return entry >= 0 ? entry : nil
  }

  /// The key of the case for elements that no other case names.
  private static let otherKey = "*"

  /// The element that the case for any other element holds; nil if there is no such case, or not one element.
  private var other: Place? {
    guard plan.pointee.accepts(Self.otherKey) else { return nil }
    switch place.kind {
    case .choice, .item: return Place(.element, place.index)
    case .characters: return nil
    case _ where isUnnamedChoice: return Place(.element, place.index)
    default: break
    }
    // The children of the first of repeated elements.
    let parent = place.kind == .repeated ? Place(.element, place.index) : place
    guard depth < DecodingWorkspace.depthLimit, var list = try? ElementList(session, parent, depth: depth)
    else { return nil }
    let elements = list.elements()
    return elements.count == 1 ? Place(.element, elements[0]) : nil
  }

  /// The element or the characters here as the value of a case.
  private var own: Place {
    Place(session.records[place.index].kind == .startElement ? .element : .characters, place.index)
  }

  private func choice(_ key: String) -> Field {
    let entry = plan.pointee.entry(for: key)
    let isHere = entry == ownEntry || plan.pointee.kinds[entry] == .payload
    return Field(entry: entry, place: isHere ? own : .missing)
  }

  /// The place of what a case holds. It is the element here if ``entries`` said so: an enumeration asks for its
  /// case first, other types have a child element of that name.
  func caseField(_ key: String) -> Field {
    if key == Self.otherKey, session.workspace.isChosen(place.index, plan), let other {
      return Field(entry: plan.pointee.entry(for: key), place: other)
    }
    if place.kind == .item, session.workspace.isChosen(place.index, plan), let entry = ownEntry,
      plan.pointee.keys[entry] == key
    {
      return Field(entry: entry, place: own)
    }
    return field(key)
  }

  /// The entries of all keys whose values are there.
  var entries: [Int] {
    session.workspace.casePlan = plan.pointee.index
    switch place.kind {
    case .choice, .characters: return ownEntry.map { [$0] } ?? []
    case .item:
      if let ownEntry {
        session.workspace.choose(place.index, plan)
        return [ownEntry]
      }
    default: break
    }
    if !isUnnamedChoice || !plan.pointee.accepts(Self.otherKey) {
      let entries = session.workspace.entries(in: place.index, at: depth, of: plan, session)
      guard entries.isEmpty else { return entries }
    }
    guard other != nil else { return [] }
    session.workspace.choose(place.index, plan)
    return [plan.pointee.entry(for: Self.otherKey)]
  }
}

// MARK: - Values

extension KeyedPlace {
  /// A value that must be there.
  @inline(__always)
  func required<Value>(_ key: String, _ read: (Place) -> Value?) throws -> Value {
    let field = field(key)
    guard let value = read(field.place) else { throw refusal(of: Value.self, field) }
    return value
  }

  /// A value that may be missing, nil or empty.
  @inline(__always)
  func optional<Value>(_ key: String, _ read: (Place) -> Value?) throws -> Value? {
    let field = field(key)
    if field.place.kind == .missing { return nil }
    if let value = read(field.place) { return value }
    if isAbsent(field.place) { return nil }
    throw refusal(of: Value.self, field)
  }

  /// Whether what could not be read may be nil.
  @inline(never)
  private func isAbsent(_ place: Place) -> Bool {
    session.isNothing(place) || session.isEmpty(place)
  }

  func value<Value: Decodable>(_ type: Value.Type, _ key: String) throws -> Value {
    var field = field(key)
    let kind = plan.pointee.valueKind(type, entry: field.entry)
    mark(&field, kind)
    return try read(type, kind, field)
  }

  func optionalValue<Value: Decodable>(_ type: Value.Type, _ key: String) throws -> Value? {
    var field = field(key)
    let kind = plan.pointee.valueKind(type, entry: field.entry)
    mark(&field, kind)
    if field.place.kind == .missing { return nil }
    guard depth < DecodingWorkspace.depthLimit, isAbsent(field.place),
      !(type is any ExpressibleByArrayLiteral.Type && session.isLongList(field.place, depth: depth + 1))
    else { return try read(type, kind, field) }
    if field.place.kind != .emptyList, session.isNothing(field.place) { return nil }
    return try session.absent(at: field.place, depth: depth + 1) { try read(type, kind, field) }
  }

  /// Goes where a property wrapper says.
  @inline(__always)
  private func mark(_ field: inout Field, _ kind: KeyPlan.ValueKind) {
    guard kind == .attribute || kind == .text, plan.pointee.kinds[field.entry] == .natural,
      place.kind != .choice, place.kind != .characters
    else { return }
    if kind == .text {
      field.place = Place(.content, place.index)
    } else {
      let found = session.workspace.found(field.entry, at: depth)
      field.place = found.attribute >= 0 ? Place(.attribute, Int(found.attribute)) : .missing
    }
  }

  @inline(__always)
  private func read<Value: Decodable>(
    _ type: Value.Type,
    _ kind: KeyPlan.ValueKind,
    _ field: Field
  ) throws -> Value {
    guard depth < DecodingWorkspace.depthLimit else { throw session.nestingRefusal(depth) }
    setSteps(field)
    return try session.decode(type, kind, at: field.place, depth: depth + 1)
  }

  @inline(__always)
  private func setSteps(_ field: Field) {
    session.workspace.setStep(step, at: depth)
    session.workspace.setStep(.key(field.entry, of: plan), at: depth + 1)
  }

  var codingPath: [any CodingKey] {
    session.workspace.setStep(step, at: depth)
    return session.workspace.codingPath(depth)
  }

  /// Notes a step, for a container or decoder that starts there.
  func enter(_ field: Field) throws -> Place {
    guard depth < DecodingWorkspace.depthLimit else { throw session.nestingRefusal(depth) }
    setSteps(field)
    return field.place
  }

  @inline(never)
  func refusal(of type: any Any.Type, _ field: Field) -> DecodingError {
    guard depth < DecodingWorkspace.depthLimit else { return session.nestingRefusal(depth) }
    setSteps(field)
    return session.refusal(of: type, at: field.place, depth + 1)
  }
}
