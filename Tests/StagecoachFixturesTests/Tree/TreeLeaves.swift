import HTTPTypes
import StagecoachCore

@testable import StagecoachFixtures

extension TextTree {
  /// The paths and values of the leaves in order, those of inner texts too: `$.a = x`, `$.n = 1 (number)`.
  var listing: [String] {
    var lines: [String] = []
    forEachLeaf { place in
      let type = place.leaf.type == .text ? "" : " (\(place.leaf.type))"
      lines.append("\(place.path) = \(String(decoding: place.leaf.value, as: UTF8.self))\(type)")
      return true
    }
    return lines
  }

  /// The paths and values of the leaves, by path.
  var values: [String: String] {
    var values: [String: String] = [:]
    forEachLeaf { place in
      values[place.path] = String(decoding: place.leaf.value, as: UTF8.self)
      return true
    }
    return values
  }

  /// The text with another value in the first leaf with a path.
  func replacing(_ path: String, with value: String) -> String {
    var isDone = false
    let octets = rewritten { place in
      guard !isDone, place.path == path else { return isDone ? .none : .inside }
      isDone = true
      return .value(Array(value.utf8))
    }
    return String(decoding: octets, as: UTF8.self)
  }

  init(_ content: String, _ type: String? = nil) {
    self.init(content: Array(content.utf8), type.flatMap { MediaType($0) })
  }

  init(target: String) { self.init(target: Array(target.utf8)) }

  init(_ name: HTTPField.Name, _ value: String) {
    self.init(fields: [name: value], at: 0)
  }
}
