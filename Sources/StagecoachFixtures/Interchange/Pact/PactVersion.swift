/// A version of the Pact specification.
package enum PactVersion: String, Sendable, Hashable, CaseIterable, Comparable {
  case v1 = "1"
  case v1point1 = "1.1"
  case v2 = "2"
  case v3 = "3"
  case v4 = "4"

  /// Parses a version such as `3.0.0`; further components are ignored.
  package init?(specification text: String) {
    if text.hasPrefix("1.1") {
      self = .v1point1
    } else {
      self.init(rawValue: String(text.prefix { $0 != "." }))
    }
  }

  package static func < (a: PactVersion, b: PactVersion) -> Bool { a.rawValue < b.rawValue }

  /// Whether the first version, in which queries are compared as text, applies.
  package var comparesQueryText: Bool { self == .v1 }
}
