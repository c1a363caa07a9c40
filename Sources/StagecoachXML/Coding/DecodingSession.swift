/// One tape while it is decoded.
///
/// Containers are small values that refer to a session and to a place in its tape. What a session learns of
/// coding keys it keeps in its workspace, for the next container and the next record.
final class DecodingSession {
  let options: XMLDecoder
  let storage: XML.EventBatch.Storage
  // Copied from the storage, which saves an indirection for each access.
  let records: TapeValues<EventRecord>
  let bytes: TapeValues<UInt8>
  let names: [XML.Name]
  let workspace: DecodingWorkspace
  /// The outline, only needed for errors and for elements as values.
  lazy var outline = TapeOutline(storage)
  /// The texts of elements that are not in one piece on the tape, of which words are asked for.
  private(set) var joined: [(element: Int, bytes: [UInt8])] = []

  init(_ storage: XML.EventBatch.Storage, _ workspace: DecodingWorkspace) {
    options = workspace.options
    self.storage = storage
    records = storage.records
    bytes = storage.bytes
    names = storage.names
    self.workspace = workspace
    workspace.begin(names)
  }
}

extension DecodingSession {
  /// The first record behind the start tag of an element and its attributes.
  @inline(__always)
  func contentStart(of element: Int) -> Int {
    var index = element + 1
    while records[index].isPartOfTag { index += 1 }
    return index
  }

  /// Returns the first child element at or after a record inside an element; `nil` if there is none.
  @inline(__always)
  func elementIndex(from start: Int) -> Int? {
    var index = start
    while true {
      switch records[index].kind {
      case .startElement: return index
      case .endElement: return nil
      default: index += 1
      }
    }
  }

  /// Whether `xsi:nil` says that an element has no value.
  @inline(__always)
  func isNil(_ element: Int) -> Bool {
    var index = element + 1
    while records[index].isPartOfTag {
      if records[index].kind == .attribute, workspace.isNil(Int(records[index].name)), isTrue(records[index])
      {
        return true
      }
      index += 1
    }
    return false
  }

  private func isTrue(_ record: EventRecord) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      let text = UnsafeBufferPointer(rebasing: bytes[Int(record.start)..<Int(record.start + record.count)])
      return ScalarText.bool(text) == true
    }
  }

  /// Whether nothing is at a place: no value, or an element that says so.
  func isNothing(_ place: Place) -> Bool {
    switch place.kind {
    case .missing, .emptyList: true
    case .element, .item, .repeated: isNil(place.index)
    case .choice: records[place.index].kind == .startElement && isNil(place.index)
    case .content: !hasText(place.index)
    case .rest, .nodes, .attribute, .characters, .slice, .unknown: false
    }
  }

  /// Whether there are characters directly in an element.
  private func hasText(_ element: Int) -> Bool {
    var index = contentStart(of: element)
    while true {
      let record = records[index]
      switch record.kind {
      case .endElement: return false
      case .text, .cdata: return true
      case .startElement: index = Int(record.next)
      default: index += 1
      }
    }
  }

  /// Whether a place is there and holds nothing: no element, no text but white space. An element may have attributes.
  func isEmpty(_ place: Place) -> Bool {
    switch place.kind {
    case .missing, .emptyList, .rest, .nodes, .unknown: false
    case .element, .item, .repeated, .choice, .attribute, .characters, .slice, .content:
      withText(at: place) { ScalarText.trimmed($0).isEmpty } == true
    }
  }

  /// Whether there is an element with attributes at a place.
  func hasAttributes(_ place: Place) -> Bool {
    switch place.kind {
    case .element, .item, .repeated, .choice:
      records[place.index].kind == .startElement
        && records[contentStart(of: place.index) - 1].kind == .attribute
    default: false
    }
  }

  /// Calls `body` with the characters at a place; nil if there are elements instead, or no value.
  @inline(__always)
  func withText<Result>(at place: Place, _ body: (UnsafeBufferPointer<UInt8>) -> Result?) -> Result? {
    bytes.withUnsafeBufferPointer { bytes in
      let record: EventRecord
      switch place.kind {
      case .element, .item, .choice, .repeated, .content:
        var index = place.index
        if records[index].kind == .startElement {
          index += 1
          while records[index].isPartOfTag {
            if records[index].kind == .attribute, workspace.isNil(Int(records[index].name)),
              place.kind != .content, isTrue(records[index])
            {
              return nil
            }
            index += 1
          }
          if records[index].kind == .endElement { return body(UnsafeBufferPointer(start: nil, count: 0)) }
          guard records[index].kind == .text, records[index + 1].kind == .endElement else {
            return joinedText(from: index, skipsElements: place.kind == .content).flatMap {
              $0.withUnsafeBufferPointer(body)
            }
          }
        }
        record = records[index]
      case .attribute, .characters: record = records[place.index]
      case .slice:
        let range = place.index..<place.index + Int(place.owner)
        return withBytes(of: place) { body(UnsafeBufferPointer(rebasing: $0[range])) }
      case .missing, .emptyList, .rest, .nodes, .unknown: return nil
      }
      return body(UnsafeBufferPointer(rebasing: bytes[Int(record.start)..<Int(record.start + record.count)]))
    }
  }

  /// Calls `body` with the bytes that a slice is cut out of.
  func withBytes<Result>(of slice: Place, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    guard slice.entry >= 0 else { return bytes.withUnsafeBufferPointer(body) }
    return joined[Int(slice.entry)].bytes.withUnsafeBufferPointer(body)
  }

  /// The characters directly in an element, to cut words out of: their number in ``joined``.
  func join(_ element: Int) -> Int {
    if joined.last?.element != element {
      joined.append((element, joinedText(from: contentStart(of: element), skipsElements: true) ?? []))
    }
    return joined.count - 1
  }

  /// A text that replaces the one at a place.
  func slice(_ text: String, insteadOf place: Place) -> Place {
    joined.append((place.index, Array(text.utf8)))
    return Place(slice: 0, count: text.utf8.count, of: joined.count - 1)
  }

  /// The texts up to the end of an element; nil if there are elements between them that are not skipped.
  @inline(never)
  private func joinedText(from start: Int, skipsElements: Bool) -> [UInt8]? {
    var text: [UInt8] = []
    var index = start
    while true {
      let record = records[index]
      switch record.kind {
      case .endElement: return text
      case .startElement:
        guard skipsElements else { return nil }
        index = Int(record.next)
        continue
      case .text, .cdata: text += bytes[Int(record.start)..<Int(record.start + record.count)]
      default: break
      }
      index += 1
    }
  }
}
