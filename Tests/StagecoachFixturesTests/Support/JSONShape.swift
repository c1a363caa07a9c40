import StagecoachFormats

/// The members and types that JSON of a format has.
indirect enum JSONShape: Sendable {
  case text, date, flag, whole(from: Int), number(from: Double), any
  case list(JSONShape)
  /// The values of all members have a shape.
  case values(JSONShape)
  /// Members that must be there, and others that may be. A name with `_` may have any value.
  case object([String: JSONShape], optional: [String: JSONShape] = [:])
  /// One of them.
  case either(JSONShape, JSONShape)

  /// What is wrong, with its place.
  func faults(in value: JSONValue, at place: String = "") -> [String] {
    switch self {
    case .any: return []
    case .either(let first, let second):
      let faults = first.faults(in: value, at: place)
      return faults.isEmpty ? [] : second.faults(in: value, at: place)
    case .list(let element):
      guard let items = value.arrayValue else { return ["\(place): \(value)"] }
      return items.enumerated().flatMap { element.faults(in: $0.element, at: "\(place)[\($0.offset)]") }
    case .values(let shape):
      guard let object = value.objectValue else { return ["\(place): \(value)"] }
      return object.members.flatMap { shape.faults(in: $0.value, at: "\(place).\($0.key)") }
    case .object(let required, let optional):
      guard let object = value.objectValue else { return ["\(place): \(value)"] }
      let missing = required.keys.filter { value[$0] == nil }.map { "\(place): no \($0)" }
      let members = object.members.filter { !$0.key.hasPrefix("_") }
      return missing
        + members.flatMap { member -> [String] in
          guard let shape = required[member.key] ?? optional[member.key] else {
            return ["\(place): unknown \(member.key)"]
          }
          return shape.faults(in: member.value, at: "\(place).\(member.key)")
        }
    default: return isMet(by: value) ? [] : ["\(place): \(value)"]
    }
  }

  private func isMet(by value: JSONValue) -> Bool {
    switch self {
    case .text: value.stringValue != nil
    case .date: value.stringValue?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil
    case .flag: value.boolValue != nil
    case .whole(let least): value.intValue.map { $0 >= least } ?? false
    case .number(let least): value.doubleValue.map { $0 >= least } ?? false
    default: false
    }
  }
}
