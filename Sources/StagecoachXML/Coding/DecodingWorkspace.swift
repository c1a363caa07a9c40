/// The state that decoding keeps between containers, and between records of a stream.
///
/// Names are identified by their index in the tape, so a workspace serves the tapes of one parser.
///
/// Its properties are accessed many times for each value, and only by its own methods, so that run-time checks for
/// overlapping access would never find any.
final class DecodingWorkspace {
  let options: XMLDecoder
  let naming: KeyNaming
  @exclusivity(unchecked) private var plans: [KeyPlan.Reference] = []
  private var planIndices: [ObjectIdentifier: Int] = [:]
  @exclusivity(unchecked) private var lastPlan: (type: ObjectIdentifier, index: Int)?

  /// The steps from the root to the container that is being read, and what is known of those containers.
  private let steps: UnsafeMutablePointer<Step>
  private let slots: UnsafeMutablePointer<Slot>
  @exclusivity(unchecked) private var slotCount = 0
  @exclusivity(unchecked) private var stamp = 0
  /// The first stamp that is of the present tape.
  @exclusivity(unchecked) private var firstStamp = 1

  private var namespaces: [String: Int32] = [:]
  /// By name: which namespace it is in.
  @exclusivity(unchecked) private var nameSpaces: [Int32] = []
  /// By name: whether it is `xsi:nil`.
  @exclusivity(unchecked) private var nilNames: [Bool] = []
  @exclusivity(unchecked) private var hasNilName = false

  /// The nesting of optional values being read, for which a failure means `nil`.
  private(set) var isQuiet = 0
  /// The first elements of the lists that were read meanwhile.
  private var quietLists: Set<Int> = []
  /// The element that the innermost of them is read from, and whether it was read by keys meanwhile.
  @exclusivity(unchecked) private var watched = -1
  @exclusivity(unchecked) private var wasContainer = false
  /// The element, and the type of keys, that was said to be a case of an enumeration.
  private var choice: (element: Int, plan: Int)?

  /// The maximum nesting of values: three for each level of the deepest document.
  static let depthLimit = 768
  @exclusivity(unchecked) private var nesting = 0

  init(_ options: XMLDecoder) {
    self.options = options
    naming = KeyNaming(
      keyCase: options.keyCase,
      namespaces: options.namespaces,
      matchesAnyNamespace: options.matchesAnyNamespace
    )
    steps = .allocate(capacity: Self.depthLimit + 1)
    slots = .allocate(capacity: Self.depthLimit + 1)
    steps.initialize(repeating: Step(plan: -1, value: 0), count: Self.depthLimit + 1)
  }

  deinit {
    for plan in plans {
      plan.deinitialize(count: 1)
      plan.deallocate()
    }
    for index in 0..<slotCount { slots[index].free() }
    slots.deinitialize(count: slotCount)
    slots.deallocate()
    steps.deallocate()
  }

  /// Starts with a tape.
  func begin(_ names: [XML.Name]) {
    firstStamp = stamp + 1
    choice = nil
    for index in nameSpaces.count..<max(names.count, nameSpaces.count) {
      let name = names[index]
      nameSpaces.append(namespace(name.namespaceURI))
      let isNil = name.localName == "nil" && name.namespaceURI == XML.Name.schemaInstanceNamespace
      nilNames.append(isNil)
      hasNilName = hasNilName || isNil
    }
    for plan in plans { plan.pointee.prepare(names: nameSpaces.count) }
  }

  /// Counts a value in a value; false if there are too many.
  func nest() -> Bool {
    guard nesting < Self.depthLimit else { return false }
    nesting += 1
    return true
  }

  func unnest() { nesting -= 1 }

  /// Reads what may fail from an element. Its errors do not look for where they are in the document.
  ///
  /// - Returns: The value or its error, and whether the element was read by keys.
  func quietly<Value>(
    from element: Int,
    _ read: () throws -> Value
  ) throws -> (result: Result<Value, DecodingError>, isContainer: Bool) {
    let outer = (element: watched, wasContainer: wasContainer)
    (watched, wasContainer) = (element, false)
    isQuiet += 1
    if isQuiet == 1 { quietLists = [] }
    defer {
      isQuiet -= 1
      watched = outer.element
      wasContainer = outer.wasContainer || wasContainer && element == outer.element
    }
    do {
      let value = try read()
      return (.success(value), wasContainer)
    } catch let error as DecodingError {
      return (.failure(error), wasContainer)
    }
  }

  /// Notes that the elements from this one on are read as a list.
  @inline(__always)
  func noteList(_ first: Int) { if isQuiet > 0 { quietLists.insert(first) } }

  /// Notes that an element is read by keys.
  @inline(__always)
  func noteContainer(_ element: Int) { if element == watched { wasContainer = true } }

  /// Whether ``quietly(from:_:)`` read the elements from this one on as a list.
  func isQuietList(_ first: Int) -> Bool { quietLists.contains(first) }

  /// The type of keys whose cases were asked for last.
  var casePlan = -1

  /// Notes that an element is a case of an enumeration with these keys.
  func choose(_ element: Int, _ plan: KeyPlan.Reference) { choice = (element, plan.pointee.index) }

  /// Whether ``choose(_:_:)`` was called for the element last.
  func isChosen(_ element: Int, _ plan: KeyPlan.Reference) -> Bool {
    choice?.element == element && choice?.plan == plan.pointee.index
  }

  private func namespace(_ uri: String?) -> Int32 {
    guard let uri else { return 0 }
    if let known = namespaces[uri] { return known }
    let new = Int32(truncatingIfNeeded: namespaces.count + 1)
    namespaces[uri] = new
    return new
  }

  @inline(__always)
  func isNil(_ name: Int) -> Bool { hasNilName && nilNames[name] }

  /// The namespace of a name; 0 for none.
  @inline(__always)
  func space(_ name: UInt32) -> Int32 { nameSpaces[Int(name)] }

  /// The plan for a type of keys.
  func plan<Key: CodingKey>(_ type: Key.Type) -> KeyPlan.Reference {
    let id = ObjectIdentifier(type)
    if let lastPlan, lastPlan.type == id { return plans[lastPlan.index] }
    let index: Int
    if let known = planIndices[id] {
      index = known
    } else {
      index = plans.count
      let plan = KeyPlan.Reference.allocate(capacity: 1)
      plan.initialize(to: KeyPlan(type, index: index, naming: naming))
      plan.pointee.prepare(names: nameSpaces.count)
      plans.append(plan)
      planIndices[id] = index
    }
    lastPlan = (id, index)
    return plans[index]
  }

  func plan(at index: Int) -> KeyPlan.Reference { plans[index] }
}

// MARK: - Coding paths

extension DecodingWorkspace {
  /// One step of a coding path.
  struct Step {
    /// The plan of a key, or -1 for an index.
    var plan: Int32
    /// The entry of the key, or the index.
    var value: Int32

    static func key(_ entry: Int, of plan: KeyPlan.Reference) -> Step {
      Step(plan: Int32(truncatingIfNeeded: plan.pointee.index), value: Int32(truncatingIfNeeded: entry))
    }

    static func index(_ index: Int) -> Step { Step(plan: -1, value: Int32(truncatingIfNeeded: index)) }
  }

  /// Notes the step that leads to a depth.
  @inline(__always)
  func setStep(_ step: Step, at depth: Int) { steps[depth] = step }

  /// The step that leads to a depth.
  func step(at depth: Int) -> Step { steps[depth] }

  /// The keys that lead to a container.
  func codingPath(_ depth: Int) -> [any CodingKey] {
    guard depth > 0 else { return [] }
    return (1...depth).map { depth in
      let step = steps[depth]
      return step.plan < 0 ? IndexKey(Int(step.value)) : plan(at: Int(step.plan)).pointee.key(Int(step.value))
    }
  }
}

// MARK: - Which children a container has

extension DecodingWorkspace {
  /// The first child element and the attribute that a key means.
  struct Found {
    var stamp: Int
    var element: Int32
    var attribute: Int32
  }

  /// The state of the container at a depth.
  private struct Slot {
    var stamp = 0
    var owner = -1
    var plan = -1
    var version = -1
    /// The entry that was asked for last.
    var previous = -1
    var found: UnsafeMutablePointer<Found>
    var capacity: Int
    /// By entry, those that do not fit.
    var overflow: [Int: Found] = [:]

    static let largestCapacity = 256

    init(capacity: Int) {
      self.capacity = capacity
      found = .allocate(capacity: capacity)
      found.initialize(repeating: Found(stamp: 0, element: -1, attribute: -1), count: capacity)
    }

    func free() { found.deallocate() }

    subscript(entry: Int) -> Found {
      @inline(__always) get {
        let known = entry < capacity ? found[entry] : overflow[entry]
        guard let known, known.stamp == stamp else { return Found(stamp: stamp, element: -1, attribute: -1) }
        return known
      }
      set {
        if entry >= capacity, capacity < Self.largestCapacity { grow() }
        if entry < capacity { found[entry] = newValue } else { overflow[entry] = newValue }
      }
    }

    private mutating func grow() {
      let larger = Slot(capacity: Self.largestCapacity)
      larger.found.update(from: found, count: capacity)
      found.deallocate()
      (found, capacity) = (larger.found, larger.capacity)
    }
  }

  private func prepareSlot(_ depth: Int) {
    while slotCount <= depth {
      (slots + slotCount).initialize(to: Slot(capacity: 32))
      slotCount += 1
    }
  }

  /// The entry of a key, and which children of the owner it means.
  @inline(__always)
  func find(
    _ key: String,
    in owner: Int,
    at depth: Int,
    of plan: KeyPlan.Reference,
    _ session: DecodingSession
  ) -> (entry: Int, found: Found) {
    if slotCount <= depth { prepareSlot(depth) }
    let slot = slots + depth
    if slot.pointee.owner != owner || slot.pointee.plan != plan.pointee.index
      || slot.pointee.stamp < firstStamp
    {
      slot.pointee.previous = -1
      survey(owner, at: depth, plan, session)
    }
    let entry = plan.pointee.entry(for: key, after: slot.pointee.previous)
    slot.pointee.previous = entry
    if slot.pointee.version != plan.pointee.version { survey(owner, at: depth, plan, session) }
    return (entry, slot.pointee[entry])
  }

  /// Returns the result of the last search for an entry.
  func found(_ entry: Int, at depth: Int) -> Found { slots[depth][entry] }

  /// The element whose children were looked for last at a depth.
  func owner(at depth: Int) -> Int? {
    guard depth >= 0, depth < slotCount, slots[depth].stamp >= firstStamp else { return nil }
    return slots[depth].owner
  }

  /// The entries whose children are there, in document order of elements, then attributes.
  func entries(
    in owner: Int,
    at depth: Int,
    of plan: KeyPlan.Reference,
    _ session: DecodingSession
  ) -> [Int] {
    if slotCount <= depth { prepareSlot(depth) }
    // The last search may have been for another plan.
    slots[depth].previous = -1
    var entries: [Int] = []
    survey(owner, at: depth, plan, session) { entries.append($0) }
    return entries
  }

  /// Examines each child once.
  @inline(never)
  private func survey(
    _ owner: Int,
    at depth: Int,
    _ plan: KeyPlan.Reference,
    _ session: DecodingSession,
    first: ((Int) -> Void)? = nil
  ) {
    let slot = slots + depth
    repeat {
      stamp += 1
      slot.pointee.stamp = stamp
      slot.pointee.owner = owner
      slot.pointee.plan = plan.pointee.index
      slot.pointee.version = plan.pointee.version
      if !slot.pointee.overflow.isEmpty { slot.pointee.overflow = [:] }
      let contentStart = surveyAttributes(of: owner, slot, plan, session)
      surveyElements(from: contentStart, in: owner, slot, plan, session)
    } while slot.pointee.version != plan.pointee.version
    guard let first else { return }
    var seen: Set<Int> = []
    session.forEachChild(of: owner) { child in
      let entry = session.entry(of: child, in: owner, plan)
      if entry >= 0, seen.insert(entry).inserted { first(entry) }
    }
    session.forEachAttribute(of: owner) { attribute in
      let entry = plan.pointee.attributeEntry(Int(session.records[attribute].name), in: session.names)
      if entry >= 0, seen.insert(entry).inserted { first(entry) }
    }
  }

  private func surveyAttributes(
    of owner: Int,
    _ slot: UnsafeMutablePointer<Slot>,
    _ plan: KeyPlan.Reference,
    _ session: DecodingSession
  ) -> Int {
    var index = owner + 1
    while session.records[index].isPartOfTag {
      let record = session.records[index]
      if record.kind == .attribute {
        let entry = plan.pointee.attributeEntry(Int(record.name), in: session.names)
        if entry >= 0 {
          var found = slot.pointee[entry]
          // One without namespace goes before others.
          if found.attribute < 0 || space(record.name) == 0 {
            found.attribute = Int32(truncatingIfNeeded: index)
            slot.pointee[entry] = found
          }
        }
      }
      index += 1
    }
    return index
  }

  private func surveyElements(
    from start: Int,
    in owner: Int,
    _ slot: UnsafeMutablePointer<Slot>,
    _ plan: KeyPlan.Reference,
    _ session: DecodingSession
  ) {
    let ownSpace = space(session.records[owner].name)
    var index = start
    while true {
      let record = session.records[index]
      switch record.kind {
      case .endElement: return
      case .startElement:
        let isOwn = space(record.name) == ownSpace
        let entry = plan.pointee.elementEntry(Int(record.name), isOwn: isOwn, in: session.names)
        if entry >= 0 {
          var found = slot.pointee[entry]
          // One in the namespace of the parent goes before others.
          if found.element < 0
            || isOwn && space(session.records[Int(found.element)].name) != ownSpace
          {
            found.element = Int32(truncatingIfNeeded: index)
            slot.pointee[entry] = found
          }
        }
        index = Int(record.next)
      default: index += 1
      }
    }
  }
}
