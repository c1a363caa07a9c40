/// The encoder of one value.
final class TargetEncoder: Encoder {
  let session: EncodingSession
  private let target: EncodingTarget
  let path: EncodingPath
  /// The element of the value, if it has its own.
  private var element: EncodedElement?
  private var hasContainer = false
  /// Whether the value is that of an enumeration that goes into an existing element.
  private let isChoice: Bool

  init(_ session: EncodingSession, _ target: EncodingTarget, _ path: EncodingPath, isChoice: Bool = false) {
    self.session = session
    self.target = target
    self.path = path
    self.isChoice = isChoice
  }

  var codingPath: [any CodingKey] { path.keys }

  var userInfo: [CodingUserInfoKey: Any] { session.options.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(
      KeyedElementEncoder<Key>(
        session,
        ownElement(),
        target.takesPayload ? target : nil,
        isChoice: isChoice,
        path
      )
    )
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    hasContainer = true
    return ElementListEncoder(session, target, path)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    hasContainer = true
    return self
  }

  /// A type that encodes nothing is an element all the same.
  func finish() {
    if !hasContainer { _ = ownElement() }
  }

  private func ownElement() -> EncodedElement {
    hasContainer = true
    if let element { return element }
    let element: EncodedElement
    switch target {
    case .element(let own), .children(let own): element = own
    case .field(let parent, let name): element = parent.append(name)
    case .text(let own): element = own
    case .attribute(let own, let name):
      session.fail(name, "a value with keys cannot be an attribute", at: path)
      element = EncodedElement(own.name)
    }
    self.element = element
    return element
  }
}

extension EncodingTarget {
  /// Whether the value of a case is not put into an element of the case: characters, and an element of any name.
  var takesPayload: Bool {
    switch self {
    case .text, .children: true
    case .element, .field, .attribute: false
    }
  }
}

extension TargetEncoder: SingleValueEncodingContainer {
  func encodeNil() { session.putNil(to: target, style: session.options.nilStyle) }

  func encode(_ value: Bool) { session.put(value ? "true" : "false", to: target) }
  func encode(_ value: String) { session.put(value, to: target) }
  func encode(_ value: Double) { session.put(ScalarText.text(value), to: target) }
  func encode(_ value: Float) { session.put(ScalarText.text(value), to: target) }
  func encode<Number: FixedWidthInteger & Encodable>(_ value: Number) {
    session.put(String(value), to: target)
  }
  func encode(_ value: Int128) { session.put(String(value), to: target) }
  func encode(_ value: UInt128) { session.put(String(value), to: target) }

  func encode<Value: Encodable>(_ value: Value) throws { try session.encode(value, to: target, at: path) }
}
