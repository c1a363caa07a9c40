/// Encodes parameters as the query of a target or as the content of a form.
///
/// Each single value becomes a pair of its whole key and its text, both escaped and joined by "="; pairs are joined by
/// "&". The key of a nested value is the key of its object followed by its own in brackets, `a[b]`, or after a dot.
/// Empty arrays, sets and objects are omitted. The defaults are those of AFNetworking; dates and data, which it did
/// not support, are written as ISO 8601 and Base64. ``QueryDecoder`` reads what is
/// not nested.
///
/// ```swift
/// var encoder = QueryEncoder()
/// encoder.arrayStyle = .repeated
/// try encoder.encode(["q": "a b", "id": [1, 2]])  // id=1&id=2&q=a%20b
/// ```
public struct QueryEncoder: Sendable {
  /// The style of array elements.
  public var arrayStyle = ArrayStyle.brackets

  /// The style of keys of nested values.
  public var objectStyle = ObjectStyle.bracket

  /// The style of booleans.
  public var boolStyle = BoolStyle.numeric

  /// The style of nulls.
  public var nullStyle = NullStyle.keyAlone

  /// The style of dates.
  public var dateStyle = DateStyle.iso8601

  /// The style of bytes.
  public var dataStyle = DataStyle.base64

  /// The conversion of the coding keys of an `Encodable` value. Keys of ``Parameters``, of dictionaries and of
  /// ``JSONValue`` are not converted.
  public var keyCase = KeyCase.asGiven

  /// The order of the members of an object.
  public var keyOrder = KeyOrder.sorted

  /// The characters that are not escaped.
  public var escaping = Escaping.afnetworking

  /// The maximum nesting depth of arrays, sets and objects below the parameters themselves: 128 by default, at most
  /// 256, which fits the smallest stacks in use.
  public var depthLimit = 128

  /// Replaces the whole algorithm: its text is used unchanged, and its errors end the encoding.
  public var custom: (@Sendable (Parameters) throws -> String)?

  /// The deepest nesting for any limit.
  static let greatestDepth = 256

  /// Creates an encoder with default options.
  public init() {}

  /// Returns the query, without a leading "?".
  ///
  /// Throws ``ParameterError``, or any error of ``custom`` and custom styles.
  public func encode(_ parameters: Parameters) throws -> String {
    if let custom { return try custom(parameters) }
    return String(decoding: try writtenBytes(parameters, in: nil), as: UTF8.self)
  }

  /// Returns the pairs with the text in `charset`; UTF-8 if it is `nil`.
  ///
  /// Throws ``ParameterError``, or any error of ``custom`` and custom styles.
  package func encode(_ parameters: Parameters, in charset: Charset?) throws -> Bytes {
    let encoding = try charset.flatMap(CharsetEncoder.init)
    guard let custom else { return Bytes(try writtenBytes(parameters, in: encoding)) }
    let text = try custom(parameters)
    return try encoding.map { Bytes(try $0.encode(text, key: "")) } ?? Bytes(text)
  }

  private func writtenBytes(_ parameters: Parameters, in encoding: CharsetEncoder?) throws -> ArraySlice<
    UInt8
  > {
    // A guess: what does not suffice is doubled.
    var writer = QueryWriter(self, charset: encoding, room: 32 * (parameters.members.count + 1))
    try writer.write(parameters, depth: 0)
    return writer.output
  }

  /// Returns `target` (a URI or a part of one that may have a query) with `query` added: before the fragment, after
  /// "&" if there is already a query, even an empty one, otherwise after "?". An empty query changes nothing.
  public static func appending(query: String, to target: String) -> String {
    guard !query.isEmpty else { return target }
    let end = target.utf8.firstIndex(of: UInt8(ascii: "#")) ?? target.endIndex
    let hasQuery = target.utf8[..<end].contains(UInt8(ascii: "?"))
    var result = String(target[..<end])
    result += hasQuery ? "&" : "?"
    result += query
    result += target[end...]
    return result
  }
}
