// Navigation on a tape.
extension DecodingSession {
  /// Returns the index of the name of an element or attribute.
  @inline(__always)
  func name(of record: Int) -> Int { Int(records[record].name) }

  /// The namespace of an element; see ``DecodingWorkspace/space(_:)``.
  @inline(__always)
  func space(of record: Int) -> Int32 { workspace.space(records[record].name) }

  /// The first child element that a key means.
  func firstElement(_ name: NamePattern, in owner: Int) -> Int? {
    var index = contentStart(of: owner)
    while let child = elementIndex(from: index) {
      if name.matches(names[self.name(of: child)]) { return child }
      index = Int(records[child].next)
    }
    return nil
  }

  /// The attribute that a key means.
  func attribute(_ name: NamePattern, of owner: Int) -> Int? {
    var index = owner + 1
    while records[index].isPartOfTag {
      if records[index].kind == .attribute, name.matches(names[self.name(of: index)]) { return index }
      index += 1
    }
    return nil
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
  /// Whether a name is meant.
  func matches(_ name: XML.Name) -> Bool { localName.isWritten(as: name.localName) && admits(name) }
}
