public import StagecoachCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A decoder of values from XML.
///
/// ```swift
/// import Foundation
///
/// struct Feed: Decodable {
///   var title: String
///   var entry: [Entry]                      // every <entry>
///   struct Entry: Decodable {
///     @XMLAttribute var id: Int
///     var updated: Date?
///     var tags: [String]                    // every <tag> in <tags>
///     enum CodingKeys: String, CodingKey { case id, updated, tags = "tags/tag" }
///   }
/// }
/// let feed = try XMLDecoder().decode(Feed.self, from: bytes)
/// ```
///
/// **Keys.** A key names child elements: a single one for a value, all with the name for an array, in any order. If
/// there is no such element, the key names an attribute. The string of a key can express more, with the syntax of
/// XPath:
///
/// | key | value |
/// |---|---|
/// | `title` | elements `title` in the namespace of their parent, or else the attribute in no namespace |
/// | `@id` | the attribute; as ``XMLAttribute`` |
/// | `text()` | the characters directly in the element; as ``XMLText`` |
/// | `items/item`, `link/@href` | values inside other elements: for an array all of them, in document order |
/// | `*`, `items/*` | child elements that no other key names: an array of an enumeration |
/// | `node()`, `body/node()` | all child elements and characters: mixed content |
/// | `{uri}title`, `a:title` | a name in a namespace; prefixes as in ``namespaces``, else as in the document |
/// | `{}title` | a name in no namespace |
/// | `*:title`, `@*:id` | a name in any namespace |
///
/// A key with other expressions of XPath, such as `item[1]`, or an empty key is an error.
///
/// **Paths.** An array contains what XPath selects: `author/name` every `name` in every `author`. Any other value is
/// the first of these. An array of words (see below) contains the words of all of them.
///
/// **Namespaces.** A key without namespace matches an element in the namespace of its parent, and an attribute in no
/// namespace; nothing else. The same applies to each step of a path, and the root element matches in any namespace.
/// With `*:` a name matches in the namespace of its parent (an attribute in no namespace), or else in any other; so
/// does every key without namespace if ``matchesAnyNamespace`` is set. A dictionary always contains the elements and
/// attributes of all namespaces, by local name. If a type has several keys for a name, the most specific one wins. The
/// error for a missing value names an element in another namespace, if there is one.
///
/// **Choices.** An enumeration with associated values is decoded from the element with the name of its case: with
/// `enum Shape { case circle(Circle), rect(Rect) }`, a key `*` of type `[Shape]` is any mix of elements `circle` and
/// `rect` in document order. A root element with the name of a case is that case; any other root contains it. With
/// `node()`, a case whose key is `text()` represents the characters between them. A case whose key is `*` is any other
/// element: `case other(XML.Element)`, or `case other` to skip it. Without such a case, an element that no case names
/// is an error.
///
/// **Values.** Numbers and booleans have the syntax of XML Schema, with surrounding white space, which enumerations
/// with raw values and `UUID` ignore too. Strings are unchanged. An optional is `nil` if nothing is there, if the
/// element has `xsi:nil="true"`, or if it is empty and its type cannot be decoded from nothing (attributes of the
/// element only count for a type that has keys); an array of several elements is never `nil`. An array without
/// elements is empty, and so is a dictionary whose element is missing. An attribute, or the text of a key `text()`,
/// that is decoded as an array is a list of words. ``XML/Element`` is an element unchanged. The superclass of a class is
/// decoded from the same element.
///
/// Errors are `DecodingError` with the coding path, and with line and path of the document in the description.
public struct XMLDecoder: Sendable {
  /// The conversion of coding keys to names.
  public var keyCase = XMLEncoder.KeyCase.asGiven

  /// The style of dates.
  public var dateStyle = XMLEncoder.DateStyle.iso8601

  /// The style of bytes.
  public var dataStyle = XMLEncoder.DataStyle.base64

  /// The namespaces of prefixes in keys. An empty prefix is for keys without a prefix, which then match only elements
  /// of this namespace.
  public var namespaces: [String: String] = [:]

  /// Whether every key without a namespace is read as `*:name`, so that it matches in other namespaces if there is
  /// nothing in that of its parent; `false` by default.
  public var matchesAnyNamespace = false

  /// The limits of a document.
  public var limits = XML.Limits()

  /// Additional information for the decoded types.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// Creates a decoder with default options, which match the defaults of ``XMLEncoder``.
  public init() {}

  /// Creates a decoder with the options of an encoder.
  public init(reading encoder: XMLEncoder) {
    keyCase = encoder.keyCase
    dateStyle = encoder.dateStyle
    dataStyle = encoder.dataStyle
    namespaces = encoder.namespaces
    userInfo = encoder.userInfo
  }

  /// Decodes a value from the root element of a document.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - bytes: The document.
  ///   - encoding: The charset of the transport, which overrides the document's declaration.
  /// - Throws: ``XML/ParseError`` if the bytes are not a valid document, otherwise `DecodingError`.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self,
    from bytes: Bytes,
    encoding: String? = nil
  ) throws -> Value {
    try bytes.withUnsafeBytes { try decode(type, from: $0, encoding) }
  }

  /// Decodes a value from the root element of a document; see ``decode(_:from:encoding:)-(_,Bytes,_)``.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self,
    from data: Data,
    encoding: String? = nil
  ) throws -> Value {
    try data.withUnsafeBytes { try decode(type, from: $0, encoding) }
  }

  /// Decodes a value from the root element of a document; see ``decode(_:from:encoding:)-(_,Bytes,_)``.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self,
    from bytes: [UInt8],
    encoding: String? = nil
  ) throws -> Value {
    try bytes.withUnsafeBytes { try decode(type, from: $0, encoding) }
  }

  /// Decodes a value from the root element of a document, ignoring its declared encoding.
  ///
  /// - Throws: ``XML/ParseError`` if the text is not a valid document, otherwise `DecodingError`.
  public func decode<Value: Decodable>(_ type: Value.Type = Value.self, from text: String) throws -> Value {
    try decode(type, from: Array(text.utf8), encoding: "utf-8")
  }

  /// Decodes a value from an element of a document, or from its root element if the node is the document.
  ///
  /// - Throws: `DecodingError`.
  public func decode<Value: Decodable>(_ type: Value.Type = Value.self, from node: XML.Node) throws -> Value {
    let element = node.kind == .document ? node.document.root : node
    guard element.kind == .element else {
      throw DecodingError.typeMismatch(
        type,
        DecodingError.Context(codingPath: [], debugDescription: "a node that is not an element: \(node.kind)")
      )
    }
    return try decode(type, from: XML.EventBatch.Storage(copying: element), at: 0)
  }

  /// Decodes a value from an element.
  ///
  /// - Throws: `DecodingError`.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self,
    from element: XML.Element
  ) throws -> Value {
    try decode(type, from: XML.EventBatch.Storage(copying: element), at: 0)
  }

  /// Decodes a value from one element of a stream of elements.
  ///
  /// - Throws: `DecodingError`.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self,
    from record: XML.Record
  ) throws -> Value {
    try decode(type, from: record.batch.storage, at: 0)
  }

  private func decode<Value: Decodable>(
    _ type: Value.Type,
    from bytes: UnsafeRawBufferPointer,
    _ encoding: String?
  ) throws -> Value {
    try decode(type, from: XML.EventBatch.parsing(bytes, encoding: encoding, limits: limits))
  }

  /// Decodes a value from the root element of a document whose events are complete.
  func decode<Value: Decodable>(_ type: Value.Type, from batch: XML.EventBatch?) throws -> Value {
    guard let storage = batch?.storage,
      let root = storage.records.firstIndex(where: { $0.kind == .startElement })
    else { throw XML.ParseError(reason: .empty) }
    return try decode(type, from: storage, at: root)
  }

  /// Decodes a value from an element that is complete in a tape.
  ///
  /// - Parameters:
  ///   - type: What to decode.
  ///   - storage: The tape.
  ///   - index: Where the element starts.
  ///   - workspace: What decoding other tapes of the same parser left behind; it has the options.
  func decode<Value: Decodable>(
    _ type: Value.Type,
    from storage: XML.EventBatch.Storage,
    at index: Int,
    _ workspace: DecodingWorkspace? = nil
  ) throws -> Value {
    let session = DecodingSession(storage, workspace ?? DecodingWorkspace(self))
    return try session.decode(type, KeyPlan.ValueKind(type), at: Place(.item, index), depth: 0)
  }
}
