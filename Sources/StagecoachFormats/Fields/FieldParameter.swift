/// A parameter of a field, such as `filename="a.txt"` or `rel="next"`, plain or extended (RFC 9110 5.6.6).
public struct FieldParameter: Sendable, Hashable {
  /// The name in lower case, without the `*` of an extended one.
  public let name: String
  /// The decoded value; empty if there was none.
  public let value: String
  /// Whether the value is written with its charset (RFC 8187).
  public let isExtended: Bool

  /// Creates a parameter. The field that it is added to checks it.
  public init(name: String, value: String, isExtended: Bool = false) {
    self.name = name.lowercased()
    self.value = value
    self.isExtended = isExtended
  }
}
