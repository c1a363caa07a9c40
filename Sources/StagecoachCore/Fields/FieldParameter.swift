/// A parameter of a field, such as `filename="a.txt"` or `rel="next"` (RFC 9110 5.6.6), plain or extended.
public struct FieldParameter: Sendable, Hashable {
  /// The name, lower-cased, without the `*` of an extended one.
  public let name: String
  /// The value, decoded; empty if there was none.
  public let value: String
  /// Whether it is written with its charset, as RFC 8187 describes.
  public let isExtended: Bool

  /// A parameter; the field that it is put into checks it.
  public init(name: String, value: String, isExtended: Bool = false) {
    self.name = name.lowercased()
    self.value = value
    self.isExtended = isExtended
  }
}
