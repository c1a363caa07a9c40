#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An encoder of values as XML.
///
/// ```swift
/// import Foundation
///
/// struct Price: Codable {
///   @XMLAttribute var currency: String
///   @XMLText var amount: Decimal
/// }
/// let bytes = try XMLEncoder().encode(Price(currency: "EUR", amount: 12))
/// // <price currency="EUR">12</price>
/// ```
///
/// Properties become child elements in the order of encoding, unless their keys specify otherwise: the notation is
/// that of ``XMLDecoder``, which decodes the output. An array becomes one element for each value, so an empty array is
/// not encoded, unless its key has a path: `items/item` always writes `items`. An array without a key, such as in
/// another array, writes elements named `item`. An array that is an attribute or text becomes words separated by
/// spaces.
///
/// An enumeration with associated values as the root becomes a child element with the name of its case, or the root
/// itself if both have the same name. A root with the name of another case is an error, because it would be decoded as
/// that case.
///
/// Names in a namespace get its prefix from ``namespaces``. An element whose key has no namespace is in that of its
/// parent, unless ``namespaces`` has an empty prefix. Keys are encoded once: an attribute that is encoded again is
/// replaced.
public struct XMLEncoder: Sendable {
  /// The conversion of coding keys to names.
  public var keyCase = KeyCase.asGiven

  /// The style of dates.
  public var dateStyle = DateStyle.iso8601

  /// The style of bytes.
  public var dataStyle = DataStyle.base64

  /// The style of nil values.
  public var nilStyle = NilStyle.omitted

  /// The namespaces of prefixes in keys. The namespace of an empty prefix applies to all elements whose keys, or root
  /// name, have no namespace.
  public var namespaces: [String: String] = [:]

  /// Additional information for the encoded types.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// Creates an encoder with default options.
  public init() {}

  /// Encodes a value as a document.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - root: The name of the root element; see ``element(for:root:)``.
  ///   - options: The options for writing; compact, without a declaration, in UTF-8 by default.
  /// - Throws: `EncodingError`, or ``XML/ElementError`` for anything that XML cannot represent, such as an invalid
  ///   name.
  public func encode<Value: Encodable>(
    _ value: Value,
    root: XML.Name? = nil,
    options: XML.WritingOptions = XML.WritingOptions()
  ) throws -> [UInt8] {
    try element(for: value, root: root).serialized(options)
  }

  /// Encodes a value as an element.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - root: The name of the element. By default the name of the type with a lower-case start: `UserList` becomes
  ///     `userList`.
  /// - Throws: `EncodingError`.
  public func element<Value: Encodable>(for value: Value, root: XML.Name? = nil) throws -> XML.Element {
    var name = root ?? XML.Name(Self.name(of: Value.self))
    if name.namespaceURI == nil { name.namespaceURI = namespaces[""] }
    let element = EncodedElement(name)
    let session = EncodingSession(self)
    try session.encode(value, to: .element(element), at: .root)
    if let failure = session.failure { throw failure }
    var result = element.value()
    // Once, instead of with every name.
    result.namespaces.merge(namespaces.filter { !$0.key.isEmpty }) { own, _ in own }
    return result
  }

  /// The name of a type without its module, the types it is in, and generic arguments.
  private static func name(of type: any Any.Type) -> String {
    let name = String(describing: type).prefix { $0 != "<" }
    let word = name.split(separator: ".").last.map(String.init) ?? "root"
    // `URLList` becomes `urlList`, `URL` becomes `url`.
    let capitals = word.prefix(while: \.isUppercase).count
    guard word.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else { return "root" }
    let count = capitals > 1 && capitals < word.count ? capitals - 1 : capitals
    return word.prefix(count).lowercased() + word.dropFirst(count)
  }
}
