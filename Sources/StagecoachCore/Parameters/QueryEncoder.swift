/// Writes parameters as the query of a target or as the content of a form.
///
/// Each leaf becomes a pair of its whole key and its text, both escaped and joined by "="; pairs are joined
/// by "&". The key of a nested value is the key of its object followed by its own in brackets, `a[b]`, or
/// after a dot. Empty arrays, sets and objects contribute nothing. The defaults are those of AFNetworking;
/// dates and data, for which it had no text, are ISO 8601 and Base64. ``QueryDecoder`` is the reverse.
///
/// ```swift
/// var encoder = QueryEncoder()
/// encoder.arrayStyle = .repeated
/// try encoder.encode(["q": "a b", "id": [1, 2]])  // id=1&id=2&q=a%20b
/// ```
public struct QueryEncoder: Sendable {
  /// How the elements of an array are written.
  public var arrayStyle = ArrayStyle.brackets

  /// How the key of a nested value is made.
  public var objectStyle = ObjectStyle.bracket

  /// How a boolean is written.
  public var boolStyle = BoolStyle.numeric

  /// How a null is written.
  public var nullStyle = NullStyle.keyAlone

  /// How a date is written.
  public var dateStyle = DateStyle.iso8601

  /// How bytes are written.
  public var dataStyle = DataStyle.base64

  /// What becomes of the coding keys of an `Encodable` value. Keys of ``Parameters``, of dictionaries and
  /// of ``JSONValue`` are data and stay.
  public var keyCase = KeyCase.asGiven

  /// The order of the members of an object.
  public var keyOrder = KeyOrder.sorted

  /// Which characters stay as they are.
  public var escaping = Escaping.afnetworking

  /// How deep arrays, sets and objects may be nested below the parameters themselves: 128 unless told
  /// otherwise, at most 256, which fits the smallest stacks in use.
  public var depthLimit = 128

  /// Takes the place of the whole algorithm: its text is used as it is, an error of its own aborts the
  /// encoding.
  public var custom: (@Sendable (Parameters) throws -> String)?

  /// The deepest nesting for any limit.
  static let greatestDepth = 256

  /// An encoder with the defaults.
  public init() {}

  /// The query, without a leading "?".
  ///
  /// Throws ``ParameterEncodingError``, or whatever ``custom`` and custom styles throw.
  public func encode(_ parameters: Parameters) throws -> String {
    if let custom { return try custom(parameters) }
    return String(decoding: try writtenBytes(parameters, in: nil), as: UTF8.self)
  }

  /// The pairs with the text in `charset`, UTF-8 if it is nil or UTF-8 itself.
  ///
  /// Throws ``ParameterEncodingError``, or whatever ``custom`` and custom styles throw.
  func encode(_ parameters: Parameters, in charset: Charset?) throws -> Bytes {
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

  /// `target` (a URI or a part of one that may have a query) with `query` added to it: before the fragment,
  /// after "&" if there is a query already, even an empty one, and after "?" otherwise. An empty query
  /// changes nothing.
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
