#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Encodes values as XML.
///
/// ```swift
/// struct Price: Codable {
///   @XMLAttribute var currency: String
///   @XMLText var amount: Decimal
/// }
/// let bytes = try XMLEncoder().encode(Price(currency: "EUR", amount: 12))
/// // <price currency="EUR">12</price>
/// ```
///
/// Properties become child elements in the order in which they are encoded, unless their keys say otherwise:
/// the notation is that of ``XMLDecoder``, which reads back what is written here. An array becomes an element
/// for each value, so that an empty one leaves no trace, unless its key has a path: `items/item` writes
/// `items` always. An array that has no key, as in another array, writes elements called `item`. An array
/// that is an attribute or text becomes words with spaces between them.
///
/// An enumeration with associated values that is the root becomes a child element named after its case, or the
/// root itself if both have the same name. A root that is named after another case is an error, since it would
/// decode as that case.
///
/// The prefixes of ``namespaces`` are used for the names that are in them. Keys are encoded once: an
/// attribute that is encoded again is replaced.
public struct XMLEncoder: Sendable {
  /// How coding keys become names.
  public var keyCase = KeyCase.asGiven

  /// How dates are written.
  public var dateStyle = DateStyle.iso8601

  /// How bytes are written.
  public var dataStyle = DataStyle.base64

  /// How nil is written.
  public var nilStyle = NilStyle.omitted

  /// The namespaces that prefixes in keys stand for. That of an empty prefix is for all elements whose keys,
  /// or root name, have no namespace.
  public var namespaces: [String: String] = [:]

  /// For the types that are encoded.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// An encoder with the defaults.
  public init() {}

  /// Encodes a value as a document.
  ///
  /// - Parameters:
  ///   - value: What to encode.
  ///   - root: The name of the root element; see ``element(for:root:)``.
  ///   - options: How it is written; compact, without a declaration, in UTF-8 by default.
  /// - Throws: `EncodingError`, or ``XML/ElementError`` for what XML cannot say, such as a name that is none.
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
  ///   - value: What to encode.
  ///   - root: The name of the element. By default that of the type with a lower-case start: `UserList` becomes
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
