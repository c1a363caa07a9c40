import StagecoachFormats

/// A value in a text.
struct Leaf: Sendable {
  /// The type that the format gives to a value.
  enum ValueType: Sendable, Hashable { case text, number, boolean, null }

  /// The octets that hold the value, without quotes.
  let range: Range<Int>
  /// The value with its escapes decoded.
  let value: [UInt8]
  let type: ValueType
  let coding: LeafCoding
  /// The value as a text of a format.
  let inner: InnerText?

  init(
    _ range: Range<Int>,
    _ value: [UInt8],
    _ type: ValueType = .text,
    _ coding: LeafCoding = .plain,
    inner: InnerText? = nil
  ) {
    self.range = range
    self.value = value
    self.type = type
    self.coding = coding
    self.inner = inner
  }
}
