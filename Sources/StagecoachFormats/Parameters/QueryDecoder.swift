/// Decodes a query or the content of a form, into a `Decodable` value or into untyped parameters: the reverse of a
/// ``QueryEncoder`` with the same options.
///
/// ```swift
/// struct Search: Decodable { var q: String, id: [Int] }
/// let search = try QueryDecoder().decode(Search.self, from: "id%5B%5D=1&id%5B%5D=2&q=a%20b")
/// ```
///
/// A value of a known type is decoded as it was encoded, with these exceptions: keys that contain the brackets or dots
/// of the styles are split there; ``QueryEncoder/ArrayStyle/brackets`` and ``QueryEncoder/ArrayStyle/repeated`` do not
/// mark the end of an element that is a container, so that an element with brackets starts where a key would repeat;
/// an empty container is not encoded, and is decoded from nothing; dropped nulls are lost.
public struct QueryDecoder: Sendable {
  /// The style of array elements. Several values under one key are an array in every style.
  public var arrayStyle = QueryEncoder.ArrayStyle.brackets

  /// The style of keys of nested values.
  public var objectStyle = QueryEncoder.ObjectStyle.bracket

  /// The style of nulls; booleans are read in both styles. A key without a value, `a` or `a=`, is the empty text if a
  /// text is expected.
  public var nullStyle = QueryEncoder.NullStyle.keyAlone

  /// The style of dates.
  public var dateStyle = QueryEncoder.DateStyle.iso8601

  /// The style of bytes.
  public var dataStyle = QueryEncoder.DataStyle.base64

  /// The conversion of coding keys. Keys of dictionaries, of ``JSONValue`` and of untyped parameters are not
  /// converted.
  public var keyCase = QueryEncoder.KeyCase.asGiven

  /// The escaping, which determines whether "+" is a space: only in ``QueryEncoder/Escaping/form``; "%20" always is.
  public var escaping = QueryEncoder.Escaping.afnetworking

  /// The charset of the text. For UTF-16 and UTF-32, which do not contain ASCII, it applies to all bytes.
  public var charset = Charset.utf8

  /// Whether a malformed escape or an ill-formed sequence is an error (strict), or is kept or becomes U+FFFD (lossy,
  /// as in the form parser of WHATWG URL, section 5.1).
  public var mode = Charset.Mode.strict

  /// The maximum size in bytes: 1 MiB by default.
  public var sizeLimit = 1 << 20

  /// The maximum number of pairs: 10,000 by default.
  public var pairLimit = 10_000

  /// The maximum nesting depth of values below the parameters themselves: 128 by default, at most 256.
  public var depthLimit = 128

  /// Creates a decoder with default options, which match the defaults of ``QueryEncoder``.
  public init() {}

  /// A decoder for forms as written by browsers, where "+" is a space; otherwise with default options.
  public static var form: QueryDecoder {
    var decoder = QueryDecoder()
    decoder.escaping = .form
    return decoder
  }

  /// Creates a decoder with the options of an encoder.
  public init(reading encoder: QueryEncoder) {
    arrayStyle = encoder.arrayStyle
    objectStyle = encoder.objectStyle
    nullStyle = encoder.nullStyle
    dateStyle = encoder.dateStyle
    dataStyle = encoder.dataStyle
    keyCase = encoder.keyCase
    escaping = encoder.escaping
    depthLimit = encoder.depthLimit
  }

  /// Decodes a value from a query without its "?".
  ///
  /// - Throws: ``ParameterError``, `DecodingError` with the path of the value, or any error of a custom style.
  public func decode<Value: Decodable>(_ type: Value.Type = Value.self, from query: String) throws -> Value {
    try decode(type, from: Bytes(query))
  }

  /// Decodes a value from the content of a form.
  ///
  /// - Throws: ``ParameterError``, `DecodingError` with the path of the value, or any error of a custom style.
  public func decode<Value: Decodable>(_ type: Value.Type = Value.self, from bytes: Bytes) throws -> Value {
    let tree = try QueryParser.tree(of: bytes, self)
    return try QueryValueDecoder(tree: tree, contents: [.node(0)], codingPath: []).decode(type)
  }

  /// Decodes a query without its "?" into untyped parameters: every single value is a text or null, duplicates are
  /// kept, and the order is that of the pairs, with all parts of an object or an array at the position of the first.
  ///
  /// - Throws: ``ParameterError``.
  public func parameters(from query: String) throws -> Parameters {
    try parameters(from: Bytes(query))
  }

  /// Decodes the content of a form into untyped parameters, like a query.
  ///
  /// - Throws: ``ParameterError``.
  public func parameters(from bytes: Bytes) throws -> Parameters {
    try QueryParser.tree(of: bytes, self).parameters
  }
}
