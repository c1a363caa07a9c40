/// Writes parameters as the query of a target or as the content of a form.
///
/// Each leaf becomes a pair of its whole key and its text, both escaped and joined by "="; pairs are joined by
/// "&". The key of a nested value is the key of its object followed by its own in brackets, `a[b]`. Empty arrays,
/// sets and objects contribute nothing. The defaults are those of AFNetworking.
///
/// ```swift
/// var encoder = QueryEncoder()
/// encoder.arrayStyle = .repeated
/// try encoder.encode(["q": "a b", "id": [1, 2]])  // id=1&id=2&q=a%20b
/// ```
public struct QueryEncoder: Sendable {
  /// How the elements of an array are written.
  @nonexhaustive
  public enum ArrayStyle: Sendable {
    /// `a[]=1&a[]=2`. Arrays of objects are ambiguous: prefer ``indexed`` for them if the server allows it.
    case brackets
    /// `a[0]=1&a[1]=2`.
    case indexed
    /// `a=1&a=2`.
    case repeated
    /// `a=1,2`: each element is escaped by itself, so the commas between them are the only literal ones. Elements
    /// must be leaves; nulls are written as ``nullStyle`` says, without a key. Sets are not joined.
    case comma
    /// The whole key of an element, made from the whole key of its array and its index, and escaped afterwards.
    case custom(@Sendable (_ key: String, _ index: Int) -> String)
  }

  /// How a boolean is written.
  @nonexhaustive
  public enum BoolStyle: Sendable, Hashable {
    /// `1` or `0`.
    case numeric
    /// `true` or `false`.
    case literal
  }

  /// How a null is written.
  @nonexhaustive
  public enum NullStyle: Sendable, Hashable {
    /// `a`.
    case keyAlone
    /// Not at all.
    case drop
    /// `a=`.
    case empty
    /// `a=null`.
    case literal
  }

  /// The order in which the members of an object are written.
  @nonexhaustive
  public enum KeyOrder: Sendable, Hashable {
    /// Ascending by the Unicode scalars of the key, at every level; members with the same key keep their order.
    case sorted
    /// The order of the members.
    case asGiven
  }

  /// How the elements of an array are written.
  public var arrayStyle = ArrayStyle.brackets

  /// How a boolean is written.
  public var boolStyle = BoolStyle.numeric

  /// How a null is written.
  public var nullStyle = NullStyle.keyAlone

  /// The order of the members of an object.
  public var keyOrder = KeyOrder.sorted

  /// Which characters stay as they are.
  public var escaping = Escaping.afnetworking

  /// How deep arrays, sets and objects may be nested below the parameters themselves: 128 unless told otherwise,
  /// at most 256, which fits the smallest stacks in use.
  public var depthLimit = 128

  /// Takes the place of the whole algorithm: its text is used as it is, an error of its own aborts the encoding.
  public var custom: (@Sendable (Parameters) throws -> String)?

  /// An encoder with the defaults.
  public init() {}

  /// The query, without a leading "?".
  ///
  /// Throws ``ParameterEncodingError`` for what has no text, or whatever ``custom`` throws.
  public func encode(_ parameters: Parameters) throws -> String {
    if let custom { return try custom(parameters) }
    var writer = QueryWriter(self)
    try writer.write(parameters, depth: 0)
    return String(decoding: writer.output, as: UTF8.self)
  }

  /// `target` (a URI or a part of one that may have a query) with `query` added to it: before the fragment, after
  /// "&" if there is a query already, even an empty one, and after "?" otherwise. An empty query changes nothing.
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
