/// Encodes by key into an element.
struct KeyedElementEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
  private let session: EncodingSession
  private let plan: EncodingSession.Plan
  private let element: EncodedElement
  /// The target of the value of a case, if that is text or an element of any name.
  private let payload: EncodingTarget?
  /// Whether the element is for an enumeration, and has the name of its place.
  private let isChoice: Bool
  private let path: EncodingPath

  init(
    _ session: EncodingSession,
    _ element: EncodedElement,
    _ payload: EncodingTarget?,
    isChoice: Bool,
    _ path: EncodingPath
  ) {
    self.session = session
    self.element = element
    self.payload = payload
    self.isChoice = isChoice
    self.path = path
    plan = session.plan(Key.self)
  }

  var codingPath: [any CodingKey] { path.keys }

  /// Returns the target of the value of a key.
  private func target(_ original: Key, _ type: any Any.Type) -> EncodingTarget {
    let key = original.stringValue
    if key == "_0", plan.hasPayload { return payload ?? .element(element) }
    let pattern = session.pattern(key, plan)
    let owner = pattern.parents.reduce(element) { $0.step($1.name(in: $0.name)) }
    switch pattern.target {
    case .elements(let name):
      guard pattern.parents.isEmpty, let mark = type as? any XMLFieldMark.Type, mark.field != .optional else {
        return .field(owner, name.name(in: owner.name))
      }
      return mark.field == .text ? .text(owner) : .attribute(owner, name.attributeName)
    case .attribute(let name): return .attribute(owner, name.nameWithoutParent)
    case .text: return .text(owner)
    case .rest, .nodes: return .children(owner)
    case .payload: return .element(owner)
    case .unknown:
      session.fail(key, KeyPattern.refusal(of: key), at: path.appending(original))
      return .element(EncodedElement(XML.Name("")))
    }
  }

  func encodeNil(forKey key: Key) throws {
    guard session.options.nilStyle != .omitted else { return }
    session.putNil(to: target(key, Never.self), style: session.options.nilStyle)
  }

  private func encodeNil(_ key: Key, _ type: any Any.Type) {
    guard session.options.nilStyle != .omitted else { return }
    session.putNil(to: target(key, type), style: session.options.nilStyle)
  }

  func encode(_ value: Bool, forKey key: Key) throws {
    session.put(value ? "true" : "false", to: target(key, Bool.self))
  }

  func encode(_ value: String, forKey key: Key) throws {
    session.put(value, to: target(key, String.self))
  }

  func encode(_ value: Double, forKey key: Key) throws {
    session.put(ScalarText.text(value), to: target(key, Double.self))
  }

  func encode(_ value: Float, forKey key: Key) throws {
    session.put(ScalarText.text(value), to: target(key, Float.self))
  }

  func encode<Number: FixedWidthInteger & Encodable>(_ value: Number, forKey key: Key) throws {
    session.put(String(value), to: target(key, Number.self))
  }

  func encode(_ value: Int128, forKey key: Key) throws {
    session.put(String(value), to: target(key, Int128.self))
  }

  func encode(_ value: UInt128, forKey key: Key) throws {
    session.put(String(value), to: target(key, UInt128.self))
  }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try session.encode(value, to: target(key, Value.self), at: path.appending(key))
  }

  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(key, Bool.self) }
  }

  func encodeIfPresent(_ value: String?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(key, String.self) }
  }

  func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(key, Double.self) }
  }

  func encodeIfPresent(_ value: Float?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(key, Float.self) }
  }

  func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(key, Int.self) }
  }

  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(key, Int8.self) }
  }

  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(key, Int16.self) }
  }

  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(key, Int32.self) }
  }

  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(key, Int64.self) }
  }

  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(key, UInt.self) }
  }

  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(key, UInt8.self) }
  }

  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(key, UInt16.self) }
  }

  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(key, UInt32.self) }
  }

  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(key, UInt64.self) }
  }

  func encodeIfPresent(_ value: Int128?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(key, Int128.self) }
  }

  func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(key, UInt128.self) }
  }

  func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(key, Value.self) }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type,
    forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    let target = isChoice ? caseTarget(key) : target(key, Never.self)
    return TargetEncoder(session, target, path.appending(key)).container(keyedBy: type)
  }

  /// Returns the target of a case: the element itself if it has the name of the case, because a decoder reads such an
  /// element as the case.
  private func caseTarget(_ key: Key) -> EncodingTarget {
    let pattern = session.pattern(key.stringValue, plan)
    // Any other element is the root itself.
    if path.depth == 0, pattern.parents.isEmpty, case .rest = pattern.target { return .element(element) }
    guard pattern.parents.isEmpty, case .elements(let name) = pattern.target else {
      return target(key, Never.self)
    }
    guard !name.matches(element.name, isOwn: true) else { return .element(element) }
    if session.isKey(Key.self, of: element.name) {
      session.fail(
        key.stringValue,
        "the case “\(key.stringValue)” in an element with the name of another case: “\(element.name)”",
        at: path
      )
    }
    return target(key, Never.self)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    ElementListEncoder(session, target(key, Never.self), path.appending(key))
  }

  // The properties of a superclass are encoded next to those of its subclass.
  func superEncoder() -> any Encoder { TargetEncoder(session, .element(element), path) }

  func superEncoder(forKey key: Key) -> any Encoder {
    TargetEncoder(session, target(key, Never.self), path.appending(key))
  }
}

extension NamePattern {
  /// The name of an attribute: without a prefix it is in no namespace.
  var attributeName: XML.Name { prefix == nil ? XML.Name(localName) : nameWithoutParent }
}
