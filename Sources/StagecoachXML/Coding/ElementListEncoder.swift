/// Encodes values one after another.
final class ElementListEncoder: UnkeyedEncodingContainer {
  private let session: EncodingSession
  private let target: EncodingTarget
  private let path: EncodingPath
  private(set) var count = 0

  init(_ session: EncodingSession, _ target: EncodingTarget, _ path: EncodingPath) {
    self.session = session
    self.target = target
    self.path = path
    if case .attribute = target { session.put("", to: target) }
  }

  var codingPath: [any CodingKey] { path.keys }

  private var isWords: Bool {
    switch target {
    case .attribute, .text: true
    case .element, .field, .children: false
    }
  }

  /// Returns the target of the next value.
  private func next() -> EncodingTarget {
    count += 1
    return switch target {
    case .element(let element): .element(element.append(session.itemName(in: element.name)))
    case .field(let parent, let name): .element(parent.append(name))
    case .children: target
    // A container is not allowed among words: this target refuses it.
    case .attribute, .text: .attribute(EncodedElement(XML.Name("")), XML.Name(""))
    }
  }

  private func put(_ text: String) {
    if isWords, text.isEmpty || text.utf8.contains(where: ScalarText.isSpace) {
      session.fail(text, "a word that is empty or contains white space", at: path.appending(IndexKey(count)))
    }
    switch target {
    case .attribute(let element, let name):
      count += 1
      element.append(word: text, to: name)
    case .text(let element):
      element.append(.text(count == 0 ? text : " " + text))
      count += 1
    case .element, .field, .children: session.put(text, to: next())
    }
  }

  func encodeNil() {
    switch target {
    case .element, .field: session.putNil(to: next(), style: .marked)
    case .attribute, .text, .children: session.fail(0, "nil among words", at: path)
    }
  }

  func encode(_ value: Bool) { put(value ? "true" : "false") }
  func encode(_ value: String) { put(value) }
  func encode(_ value: Double) { put(ScalarText.text(value)) }
  func encode(_ value: Float) { put(ScalarText.text(value)) }
  func encode<Number: FixedWidthInteger & Encodable>(_ value: Number) { put(String(value)) }
  func encode(_ value: Int128) { put(String(value)) }
  func encode(_ value: UInt128) { put(String(value)) }

  func encode<Value: Encodable>(_ value: Value) throws {
    let path = path.appending(IndexKey(count))
    switch target {
    case .element, .field, .children: try session.encode(value, to: next(), at: path)
    case .attribute, .text:
      let scratch = EncodedElement(XML.Name(""))
      try session.encode(value, to: .attribute(scratch, XML.Name("")), at: path)
      put(scratch.attributes.first?.value ?? "")
    }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    let path = path.appending(IndexKey(count))
    return TargetEncoder(session, next(), path).container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    let path = path.appending(IndexKey(count))
    return ElementListEncoder(session, next(), path)
  }

  func superEncoder() -> any Encoder {
    let path = path.appending(IndexKey(count))
    return TargetEncoder(session, next(), path)
  }
}
