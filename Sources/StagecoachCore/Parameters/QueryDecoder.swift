/// Reads a query or the content of a form, into a `Decodable` value or into untyped parameters: the reverse
/// of a ``QueryEncoder`` with the same options.
///
/// ```swift
/// struct Search: Decodable { var q: String, id: [Int] }
/// let search = try QueryDecoder().decode(Search.self, from: "id%5B%5D=1&id%5B%5D=2&q=a%20b")
/// ```
///
/// What a value of a known type was written as comes back, with these limits: keys that contain the brackets
/// or dots of the styles are split there; ``QueryEncoder/ArrayStyle/brackets`` and
/// ``QueryEncoder/ArrayStyle/repeated`` do not tell where an element that is a container ends, so that an
/// element with brackets starts where a key would come twice; a container without elements is not written,
/// and decodes from nothing; nulls that were dropped leave no trace.
public struct QueryDecoder: Sendable {
  /// How the elements of an array were written. Several values under one key are an array in every style.
  public var arrayStyle = QueryEncoder.ArrayStyle.brackets

  /// How the key of a nested value was made.
  public var objectStyle = QueryEncoder.ObjectStyle.bracket

  /// What a null is; a boolean is read in either of its styles. Text without a value of its own, `a` or `a=`,
  /// is the empty text where a text is wanted.
  public var nullStyle = QueryEncoder.NullStyle.keyAlone

  /// How a date was written.
  public var dateStyle = QueryEncoder.DateStyle.iso8601

  /// How bytes were written.
  public var dataStyle = QueryEncoder.DataStyle.base64

  /// What became of coding keys. Keys of dictionaries, of ``JSONValue`` and of untyped parameters stay.
  public var keyCase = QueryEncoder.KeyCase.asGiven

  /// Whether "+" is a space, which it is in ``QueryEncoder/Escaping/form`` alone; "%20" is one in all.
  public var escaping = QueryEncoder.Escaping.afnetworking

  /// The charset of the text. With UTF-16 and UTF-32, which do not contain ASCII, all the bytes are in it.
  public var charset = Charset.utf8

  /// Whether a wrong escape or a sequence that is no text fails (strict), or stays and becomes U+FFFD (lossy,
  /// as in the form parser of WHATWG URL, section 5.1).
  public var mode = Charset.Mode.strict

  /// How many bytes are read: 1 MiB unless told otherwise.
  public var sizeLimit = 1 << 20

  /// How many pairs are read: 10,000 unless told otherwise.
  public var pairLimit = 10_000

  /// How deep values may be nested below the parameters themselves: 128 unless told otherwise, at most 256.
  public var depthLimit = 128

  /// A decoder with the defaults, which read what a ``QueryEncoder`` with its defaults writes.
  public init() {}

  /// A decoder that reads what an encoder writes.
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
  /// - Throws: ``QueryDecodingError``, `DecodingError` with the path of the value, or what a custom style
  ///   throws.
  public func decode<Value: Decodable>(_ type: Value.Type = Value.self, from query: String) throws -> Value {
    try decode(type, from: Bytes(query))
  }

  /// Decodes a value from the content of a form.
  ///
  /// - Throws: ``QueryDecodingError``, `DecodingError` with the path of the value, or what a custom style
  ///   throws.
  public func decode<Value: Decodable>(_ type: Value.Type = Value.self, from bytes: Bytes) throws -> Value {
    let tree = try QueryParser.tree(of: bytes, self)
    return try QueryValueDecoder(tree: tree, contents: [.node(0)], codingPath: []).decode(type)
  }

  /// Reads a query without its "?" into untyped parameters: every leaf is a text or a null, duplicates stay,
  /// and the order is that of the pairs, with the parts of an object or an array where its first one is.
  ///
  /// - Throws: ``QueryDecodingError``.
  public func parameters(from query: String) throws -> Parameters {
    try parameters(from: Bytes(query))
  }

  /// Reads the content of a form into untyped parameters, as a query.
  ///
  /// - Throws: ``QueryDecodingError``.
  public func parameters(from bytes: Bytes) throws -> Parameters {
    try QueryParser.tree(of: bytes, self).parameters
  }
}
