public import StagecoachCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Decodes values from XML.
///
/// ```swift
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
/// **Keys.** A key names child elements: one for a value, all of that name for an array, in any order. What a
/// key finds no element for it looks for among the attributes. More than that a key can say in its string, in
/// the words of XPath:
///
/// | key | value |
/// |---|---|
/// | `title` | elements `title`, or else the attribute |
/// | `@id` | the attribute; as ``XMLAttribute`` |
/// | `text()` | the characters directly in the element; as ``XMLText`` |
/// | `items/item`, `link/@href` | what is inside of other elements, of each of which the first counts |
/// | `*`, `items/*` | child elements that no other key names: an array of an enumeration |
/// | `node()`, `body/node()` | all child elements and characters: mixed content |
/// | `{uri}title`, `a:title` | a name in a namespace; prefixes as in ``namespaces``, else as in the document |
///
/// A key with other expressions of XPath, such as `item[1]`, or without a name is an error.
///
/// **Namespaces.** A key without namespace means an element in the namespace of its parent, or if there is
/// none one in any; an attribute in none, or else in any. If a type has keys for both, the more exact one
/// wins.
///
/// **Choices.** An enumeration with associated values decodes from the element that its case is named after:
/// with `enum Shape { case circle(Circle), rect(Rect) }`, a key `*` of type `[Shape]` is any mix of elements
/// `circle` and `rect` in document order. A root element that is named after a case is that case; another one
/// contains it. With `node()`, a case whose key is `text()` takes the characters
/// between them.
///
/// **Values.** Numbers and truth values are those of XML Schema, with white space around them. Strings are as
/// they are. An optional is nil if nothing is there, if the element says `xsi:nil="true"`, or if it is empty
/// and its type does not decode from nothing; an array of several elements is never nil. An array without
/// elements is empty, and so is a dictionary whose element is missing. An attribute, or the text of a key
/// `text()`, that decodes as an array is a list of words. ``XML/Element`` takes an element as it is. The
/// superclass of a class decodes from the same element.
///
/// What fails is a `DecodingError` with the coding path, and in its description line and path in the
/// document.
public struct XMLDecoder: Sendable {
  /// How coding keys become names.
  public var keyCase = XMLEncoder.KeyCase.asGiven

  /// How dates are written.
  public var dateStyle = XMLEncoder.DateStyle.iso8601

  /// How bytes are written.
  public var dataStyle = XMLEncoder.DataStyle.base64

  /// The namespaces that prefixes in keys stand for. An empty prefix is for keys without one, which then mean
  /// elements of this namespace alone.
  public var namespaces: [String: String] = [:]

  /// What a document may cost.
  public var limits = XML.Limits()

  /// For the types that are decoded.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// A decoder with the defaults, which read what an ``XMLEncoder`` with its defaults writes.
  public init() {}

  /// A decoder that reads what an encoder writes.
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
  ///   - type: What to decode.
  ///   - bytes: The document.
  ///   - encoding: The charset of the transport, which wins over the document's declaration.
  /// - Throws: ``XML/ParseError`` if the bytes are no document, else `DecodingError`.
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

  /// Decodes a value from the root element of a document, whatever encoding it declares.
  ///
  /// - Throws: ``XML/ParseError`` if the text is no document, else `DecodingError`.
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
        DecodingError.Context(codingPath: [], debugDescription: "a node that is no element: \(node.kind)")
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
