/// Values one after another: elements of one name, all children of an element, or words.
struct ElementList: UnkeyedDecodingContainer {
  private let session: DecodingSession
  private let depth: Int
  /// The last step of the coding path, which other containers may replace in the workspace.
  private let step: DecodingWorkspace.Step
  private var source: Source
  /// The place of the next value.
  private var next: Place?
  private(set) var currentIndex = 0
  /// The kind of decoding for the type of the values.
  private var kind: (type: ObjectIdentifier, kind: KeyPlan.ValueKind)?

  /// The source of the elements.
  private enum Source {
    case none
    /// Elements of an entry of a plan in an element; only in its namespace if the first is.
    case repeated(KeyPlan.Reference, entry: Int, owner: Int, isOwn: Bool)
    /// All places that a path leads to.
    case places([Place])
    case children(of: Int)
    /// The elements in an element that no key of a plan names.
    case rest(KeyPlan.Reference, owner: Int)
    case nodes(of: Int)
    /// The words in a slice, separated by white space, and in the slices that follow.
    case words(Place, then: ArraySlice<Place>)
  }

  init(_ session: DecodingSession, _ place: Place, depth: Int) throws {
    self.session = session
    self.depth = depth
    step = session.workspace.step(at: depth)
    switch place.kind {
    case .missing, .emptyList: source = .none
    case _ where session.isInPath(place):
      let places = session.allPlaces(like: place)
      if place.kind == .attribute || place.kind == .content {
        let empty = Place(slice: 0, count: 0)
        source = .words(empty, then: places.compactMap { session.text(at: $0) }[...])
        next = wordOfNextText()
      } else {
        source = .places(places)
        next = places.first
        session.workspace.noteList(place.index)
      }
    case .repeated:
      let owner = Int(place.owner)
      source = .repeated(
        session.workspace.plan(at: Int(place.plan)),
        entry: Int(place.entry),
        owner: owner,
        isOwn: session.isOwn(place.index, of: owner)
      )
      next = Place(.element, place.index)
      session.workspace.noteList(place.index)
    case .element, .item:
      source = .children(of: place.index)
      try enterChildren(of: place)
    case .choice where session.records[place.index].kind == .startElement:
      source = .children(of: place.index)
      try enterChildren(of: place)
    case .rest:
      source = .rest(session.workspace.plan(at: Int(place.plan)), owner: place.index)
      next = child(from: session.contentStart(of: place.index))
    case .nodes:
      source = .nodes(of: place.index)
      next = child(from: session.contentStart(of: place.index))
    case .unknown: throw session.refusal(of: [Any].self, at: place, depth)
    case .attribute, .characters, .slice, .content, .choice:
      guard let text = session.text(at: place) else {
        throw session.refusal(of: [Any].self, at: place, depth)
      }
      source = .words(text, then: [])
      next = word(of: text, from: text.index)
    }
  }

  /// Goes to the first child of an element, which has no other value than its children.
  private mutating func enterChildren(of place: Place) throws {
    next = child(from: session.contentStart(of: place.index))
    guard next == nil, session.withText(at: place, { ScalarText.trimmed($0).isEmpty }) != true else { return }
    throw session.refusal(of: [Any].self, at: place, depth)
  }

  var codingPath: [any CodingKey] {
    session.workspace.setStep(step, at: depth)
    return session.workspace.codingPath(depth)
  }

  var isAtEnd: Bool { next == nil }

  var count: Int? {
    var copy = self
    while copy.next != nil { copy.advance() }
    return copy.currentIndex
  }

  private mutating func advance() {
    guard let place = next else { return }
    currentIndex += 1
    switch source {
    case .none: next = nil
    case .words(let text, _):
      next = word(of: text, from: place.index + Int(place.owner)) ?? wordOfNextText()
    case .places(let places): next = currentIndex < places.count ? places[currentIndex] : nil
    case .repeated, .children, .rest, .nodes:
      let record = session.records[place.index]
      next = child(from: record.kind == .startElement ? Int(record.next) : place.index + 1)
    }
  }

  /// The first value at or behind a record.
  private func child(from start: Int) -> Place? {
    var index = start
    while true {
      let record = session.records[index]
      switch record.kind {
      case .endElement: return nil
      case .startElement:
        if let place = admit(index) { return place }
        index = Int(record.next)
      case .text, .cdata:
        if case .nodes = source { return Place(.choice, index) }
        index += 1
      default: index += 1
      }
    }
  }

  /// Returns the place of an element in this list; `nil` if it does not belong to it.
  @inline(__always)
  private func admit(_ index: Int) -> Place? {
    switch source {
    case .repeated(let plan, let entry, let owner, let isOwnOnly):
      let isOwn = session.isOwn(index, of: owner)
      guard isOwn || !isOwnOnly,
        plan.pointee.elementEntry(session.name(of: index), isOwn: isOwn, in: session.names) == entry
      else { return nil }
      return Place(.element, index)
    case .children(let owner): return Place(.item, index, in: owner)
    case .rest(let plan, let owner):
      return plan.pointee.isOpen || session.entry(of: index, in: owner, plan) < 0
        ? Place(.choice, index, in: owner) : nil
    case .nodes(let owner): return Place(.choice, index, in: owner)
    case .none, .words, .places: return nil
    }
  }

  /// The elements of the list that are left.
  mutating func elements() -> [Int] {
    var elements: [Int] = []
    while let place = next {
      if session.records[place.index].kind == .startElement { elements.append(place.index) }
      advance()
    }
    return elements
  }

  /// The first word of the slices that follow.
  private mutating func wordOfNextText() -> Place? {
    guard case .words(_, var texts) = source else { return nil }
    while let text = texts.popFirst() {
      source = .words(text, then: texts)
      if let word = word(of: text, from: text.index) { return word }
    }
    return nil
  }

  /// The next word in a slice.
  private func word(of text: Place, from start: Int) -> Place? {
    session.withBytes(of: text) { bytes in
      let end = text.index + Int(text.owner)
      var start = start
      while start < end, ScalarText.isSpace(bytes[start]) { start += 1 }
      guard start < end else { return nil }
      var count = 1
      while start + count < end, !ScalarText.isSpace(bytes[start + count]) { count += 1 }
      return Place(slice: start, count: count, of: Int(text.entry))
    }
  }

  // MARK: - Values

  /// Notes a step, and says where the next value is.
  @inline(__always)
  private func enter(_ type: any Any.Type) throws -> Place {
    guard depth < DecodingWorkspace.depthLimit else { throw session.nestingRefusal(depth) }
    session.workspace.setStep(step, at: depth)
    session.workspace.setStep(.index(currentIndex), at: depth + 1)
    guard let next else {
      throw DecodingError.valueNotFound(
        type,
        DecodingError.Context(
          codingPath: session.workspace.codingPath(depth + 1),
          debugDescription: "the list has no more than \(currentIndex) values"
        )
      )
    }
    return next
  }

  @inline(__always)
  private mutating func value<Value>(_ read: (DecodingSession, Place) -> Value?) throws -> Value {
    let place = try enter(Value.self)
    guard let value = read(session, place) else {
      throw session.refusal(of: Value.self, at: place, depth + 1)
    }
    advance()
    return value
  }

  mutating func decodeNil() -> Bool {
    guard let next, session.isNothing(next) else { return false }
    advance()
    return true
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool { try value { $0.bool(at: $1) } }
  mutating func decode(_ type: String.Type) throws -> String { try value { $0.string(at: $1) } }
  mutating func decode(_ type: Double.Type) throws -> Double { try value { $0.double(at: $1) } }
  mutating func decode(_ type: Float.Type) throws -> Float { try value { $0.float(at: $1) } }
  @inline(__always)
  mutating func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type) throws -> Number {
    try value { $0.integer(at: $1) }
  }
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try value { $0.integer(at: $1) } }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try value { $0.integer(at: $1) } }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let place = try enter(type)
    if kind?.type != ObjectIdentifier(type) { kind = (ObjectIdentifier(type), KeyPlan.ValueKind(type)) }
    let value = try session.decode(type, kind?.kind ?? .other, at: place, depth: depth + 1)
    advance()
    return value
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    let place = try enter([String: Any].self)
    let container = KeyedElement<NestedKey>(
      try KeyedPlace(session, place, depth: depth + 1, keyedBy: type)
    )
    advance()
    return KeyedDecodingContainer(container)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let list = try ElementList(session, try enter([Any].self), depth: depth + 1)
    advance()
    return list
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = PlaceDecoder(session, try enter((any Decoder).self), depth: depth + 1)
    advance()
    return decoder
  }
}
