#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Decodes a query or the content of a form, into a `Decodable` value or into its pairs.
///
/// ```swift
/// struct Search: Decodable { var q: String, id: [Int] }
/// let search = try QueryDecoder().decode(Search.self, from: "id%5B%5D=1&id%5B%5D=2&q=a%20b")
/// ```
///
/// The members of a type are single values (texts, numbers, booleans, dates, data, URLs, enumerations with raw values)
/// and arrays and sets of these. The elements of an array are the values of a key that repeats, also with brackets
/// behind it, `id[]` or `id[0]`, in the order of the query; or they are joined as in ``arrayStyle``. An array without a
/// pair is empty. A nested value, as ``QueryEncoder`` writes it to `filter[name]`, is not decoded: its type is an error
/// that names the key, and its pairs are in ``queryItems(from:)-(String)``.
public struct QueryDecoder: Sendable {
  /// The style of arrays, of which only the delimiter matters: `comma`, `pipe` and `space` split a single value too, if
  /// an array is expected.
  public var arrayStyle = QueryEncoder.ArrayStyle.brackets

  /// The style of nulls; booleans are read in both styles. A key without a value, `a` or `a=`, is the empty text if a
  /// text is expected.
  public var nullStyle = QueryEncoder.NullStyle.keyAlone

  /// The style of dates.
  public var dateStyle = QueryEncoder.DateStyle.iso8601

  /// The style of bytes.
  public var dataStyle = QueryEncoder.DataStyle.base64

  /// The conversion of coding keys. Keys of dictionaries and of ``JSONValue`` are not converted.
  public var keyCase = QueryEncoder.KeyCase.asGiven

  /// The escaping, which determines whether "+" is a space: only in ``QueryEncoder/Escaping/form``; "%20" always is.
  public var escaping = QueryEncoder.Escaping.afnetworking

  /// The charset of the text, one that contains ASCII.
  public var charset = Charset.utf8

  /// Whether a malformed escape or an ill-formed sequence is an error (strict), or is kept or becomes U+FFFD (lossy,
  /// as in the form parser of WHATWG URL, section 5.1).
  public var mode = Charset.Mode.strict

  /// The maximum size in bytes: 1 MiB by default.
  public var sizeLimit = 1 << 20

  /// The maximum number of pairs: 10,000 by default.
  public var pairLimit = 10_000

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
    nullStyle = encoder.nullStyle
    dateStyle = encoder.dateStyle
    dataStyle = encoder.dataStyle
    keyCase = encoder.keyCase
    escaping = encoder.escaping
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
    try QueryValueDecoder(QueryParser(options: self).pairs(of: bytes), self).decode(type)
  }

  /// Returns the pairs of a query without its "?", in order and with duplicates; the value of a key without "=" is
  /// `nil`.
  public func queryItems(from query: String) throws(ParameterError) -> [URLQueryItem] {
    try queryItems(from: Bytes(query))
  }

  /// Returns the pairs of the content of a form, like those of a query.
  public func queryItems(from bytes: Bytes) throws(ParameterError) -> [URLQueryItem] {
    try QueryParser(options: self).pairs(of: bytes).map { URLQueryItem(name: $0.key, value: $0.value) }
  }
}
