extension DecodingSession {
  /// Returns the error for a place without a value of a type.
  @inline(never)
  func refusal(of type: any Any.Type, at place: Place, _ depth: Int) -> DecodingError {
    let path = workspace.codingPath(depth)
    func context(_ text: String) -> DecodingError.Context {
      DecodingError.Context(codingPath: path, debugDescription: text + location(of: place))
    }
    switch place.kind {
    case .unknown:
      return .dataCorrupted(context(KeyPattern.refusal(of: path.last?.stringValue ?? "")))
    case .missing, .emptyList:
      guard let key = path.last else { return .valueNotFound(type, context("there is no value")) }
      return .keyNotFound(
        key,
        DecodingError.Context(
          codingPath: Array(path.dropLast()),
          debugDescription: "no value for the key “\(key.stringValue)”\(locationOfParent(depth - 1))"
            + otherNamespace(depth)
        )
      )
    case .element where isNil(place.index), .item where isNil(place.index),
      .repeated where isNil(place.index):
      return .valueNotFound(type, context("xsi:nil"))
    case .rest, .nodes, .element, .item, .repeated, .choice, .attribute, .characters, .slice, .content: break
    }
    guard let text = string(at: place) else {
      return .typeMismatch(type, context("elements instead of a \(type)"))
    }
    if type == [String: Any].self || type == [Any].self {
      return .typeMismatch(type, context("text instead of elements"))
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

  /// Returns the position of a place in the document: `, in line 7 at /feed/entry[3]/id`.
  func location(of place: Place) -> String {
    switch place.kind {
    case .missing, .emptyList: return ""
    case .slice: return location(ofRecord: record(of: place))
    default: return location(ofRecord: place.index)
    }
  }

  private func locationOfParent(_ depth: Int) -> String {
    workspace.owner(at: depth).map { location(ofRecord: $0) } ?? ""
  }

  private func location(ofRecord index: Int) -> String {
    guard workspace.isQuiet == 0 else { return "" }
    let line = records[index].line, path = "/\(outline.path(to: index))"
    // Elements that were not parsed have no line.
    return line > 0 ? ", in line \(line) at \(path)" : ", at \(path)"
  }

  /// The record that a part of the bytes belongs to: the first one that reaches to its end.
  private func record(of slice: Place) -> Int {
    if slice.entry >= 0 { return joined[Int(slice.entry)].element }
    let end = slice.index + Int(slice.owner)
    var range = records.indices
    while let middle = range.isEmpty ? nil : range.lowerBound + range.count / 2 {
      if records[middle].end >= end {
        range = range.lowerBound..<middle
      } else {
        range = (middle + 1)..<range.upperBound
      }
    }
    return range.lowerBound
  }
}
