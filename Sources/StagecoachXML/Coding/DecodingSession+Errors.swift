extension DecodingSession {
  /// Why there is no value of a type at a place.
  @inline(never)
  func refusal(of type: any Any.Type, at place: Place, _ depth: Int) -> DecodingError {
    let path = workspace.codingPath(depth)
    func context(_ text: String) -> DecodingError.Context {
      DecodingError.Context(codingPath: path, debugDescription: text + location(of: place))
    }
    switch place.kind {
    case .missing, .emptyList:
      guard let key = path.last else { return .valueNotFound(type, context("there is no value")) }
      return .keyNotFound(
        key,
        DecodingError.Context(
          codingPath: Array(path.dropLast()),
          debugDescription: "nothing for the key “\(key.stringValue)”\(locationOfParent(depth - 1))"
        )
      )
    case .element where isNil(place.index), .item where isNil(place.index),
      .repeated where isNil(place.index):
      return .valueNotFound(type, context("xsi:nil"))
    case .rest, .nodes, .element, .item, .repeated, .choice, .attribute, .characters, .slice, .content: break
    }
    guard let text = string(at: place) else {
      return .typeMismatch(type, context("elements where a \(type) is needed"))
    }
    if type == [String: Any].self || type == [Any].self {
      return .typeMismatch(type, context("text where elements are needed"))
    }
    return .dataCorrupted(context("“\(excerpt(text))” is not a \(type)"))
  }

  func nestingRefusal(_ depth: Int) -> DecodingError {
    .dataCorrupted(
      DecodingError.Context(
        codingPath: workspace.codingPath(depth),
        debugDescription: "values are nested more than \(DecodingWorkspace.depthLimit) levels deep"
      )
    )
  }

  /// The start of a text, for a message.
  func excerpt(_ text: String) -> String {
    let start = text.unicodeScalars.prefix(60)
    return String(String.UnicodeScalarView(start)) + (start.endIndex == text.endIndex ? "" : "…")
  }

  /// Where a place is in the document: `, in line 7 at /feed/entry[3]/id`.
  func location(of place: Place) -> String {
    switch place.kind {
    case .missing, .emptyList: return ""
    case .slice:
      return location { Int(records[$0].start + records[$0].count) >= place.index + Int(place.owner) }
    default: return location { $0 >= place.index }
    }
  }

  private func locationOfParent(_ depth: Int) -> String {
    guard let owner = workspace.owner(at: depth) else { return "" }
    return location { $0 >= owner }
  }

  /// The place of the first record that fits.
  private func location(_ isHere: (Int) -> Bool) -> String {
    guard workspace.isQuiet == 0 else { return "" }
    var open: [(name: String, counts: [String: Int])] = []
    var path = ""
    func step(_ name: String) -> String {
      guard !open.isEmpty else { return name }
      let count = open[open.count - 1].counts[name, default: 0] + 1
      open[open.count - 1].counts[name] = count
      return count > 1 ? "\(name)[\(count)]" : name
    }
    for (index, record) in records.enumerated() {
      switch record.kind {
      case .startElement:
        open.append((step(names[Int(record.name)].qualifiedName), [:]))
      case .endElement: open.removeLast()
      default: break
      }
      if isHere(index) {
        path = open.map(\.name).joined(separator: "/")
        if record.kind == .attribute { path += "/@" + names[Int(record.name)].qualifiedName }
        return ", in line \(record.line) at /\(path)"
      }
    }
    return ""
  }
}
