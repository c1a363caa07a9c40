package import HTTPTypes
import StagecoachCore

/// The names of the request fields that a response depends on (RFC 9110 12.5.5).
package struct VaryField: Sendable, Hashable {
  /// A field with more names is malformed: each costs time in every look-up.
  static let maximumCount = 64

  /// The names in lower case, sorted, each once.
  package let names: [String]

  /// Reads Vary of a response: no names without the field; `nil` if it has a `*` or is malformed, so that no other
  /// request matches.
  package init?(_ fields: HTTPFields) {
    var names: [String] = []
    for index in fields.indices where fields[index].name == .vary {
      guard let list = fields[index].withUnsafeBytesOfValue({ FieldNameList($0) }) else { return nil }
      names += list.names
    }
    guard !names.contains("*") else { return nil }
    if names.count > 1 { names = Set(names).sorted() }
    guard names.count <= Self.maximumCount else { return nil }
    self.names = names
  }
}
