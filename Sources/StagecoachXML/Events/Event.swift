extension XML {
  /// An event of parsing a document.
  ///
  /// An event keeps its batch alive. Adjacent characters are one event, however the document is split into chunks.
  @nonexhaustive
  public enum Event: Sendable {
    /// The start of the document.
    case startDocument(Declaration)
    /// The start of an element.
    case startElement(StartTag)
    /// The end of an element.
    case endElement(EndTag)
    /// Characters, with references replaced.
    case text(Text)
    /// The characters of a CDATA section, or of several adjacent ones.
    case cdata(Text)
    /// A comment.
    case comment(Text)
    /// A processing instruction.
    case processingInstruction(ProcessingInstruction)
    /// The end of the document, which was well-formed.
    case endDocument
  }

  /// The XML declaration of a document (XML 1.0, section 2.8).
  public struct Declaration: Sendable, Hashable {
    /// The version; "1.0" if there is no declaration.
    public var version: String
    /// The declared encoding; `nil` if it is not used, because a byte order mark or the transport determines it (RFC
    /// 7303 3).
    public var encoding: String?
    /// Whether the document declares that it is standalone; `nil` if it does not say.
    public var isStandalone: Bool?

    /// Creates a declaration; by default the equivalent of none.
    public init(version: String = "1.0", encoding: String? = nil, isStandalone: Bool? = nil) {
      self.version = version
      self.encoding = encoding
      self.isStandalone = isStandalone
    }
  }

  /// The start of an element.
  public struct StartTag: Sendable {
    let storage: EventBatch.Storage
    let index: Int
    /// The first record behind the tag.
    let end: Int

    private var record: EventRecord { storage.records[index] }

    /// The name of the element.
    public var name: Name { storage.name(of: record) }

    /// The line of the end of the tag, from 1.
    public var line: Int { Int(record.line) }

    /// The attributes in document order, including defaults of the DTD.
    public var attributes: [Element.Attribute] {
      storage.records[(index + 1)..<end].compactMap { record in
        guard record.kind == .attribute else { return nil }
        return Element.Attribute(storage.name(of: record), storage.string(of: record))
      }
    }

    /// The namespaces that the tag declares, by prefix, with an empty prefix for the default namespace.
    public var namespaces: [String: String] {
      var namespaces: [String: String] = [:]
      for record in storage.records[(index + 1)..<end] where record.kind == .namespace {
        namespaces[storage.name(of: record).localName] = storage.string(of: record)
      }
      return namespaces
    }

    /// The value of an attribute; `nil` if the element has no such attribute.
    ///
    /// An attribute without prefix is in no namespace.
    public subscript(_ name: Name) -> String? {
      for record in storage.records[(index + 1)..<end]
      where record.kind == .attribute && storage.name(of: record) == name {
        return storage.string(of: record)
      }
      return nil
    }
  }

  /// The end of an element.
  public struct EndTag: Sendable {
    let storage: EventBatch.Storage
    let index: Int

    /// The name of the element.
    public var name: Name { storage.name(of: storage.records[index]) }

    /// The line, from 1.
    public var line: Int { Int(storage.records[index].line) }
  }

  /// Characters of a document.
  public struct Text: Sendable, CustomStringConvertible {
    let storage: EventBatch.Storage
    let index: Int

    /// The characters.
    public var string: String { storage.string(of: storage.records[index]) }

    /// The line of the end of the characters, from 1.
    public var line: Int { Int(storage.records[index].line) }

    /// The number of UTF-8 bytes.
    public var utf8Count: Int { Int(storage.records[index].count) }

    /// Calls a closure with the UTF-8 bytes, which are only valid during the call.
    public func withUTF8<Result>(
      _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result {
      try storage.withBytes(of: storage.records[index], body)
    }

    /// The characters.
    public var description: String { string }
  }

  /// A processing instruction.
  public struct ProcessingInstruction: Sendable {
    let storage: EventBatch.Storage
    let index: Int

    /// The target.
    public var target: String { storage.name(of: storage.records[index]).localName }

    /// The data; may be empty.
    public var data: String { storage.string(of: storage.records[index]) }

    /// The line, from 1.
    public var line: Int { Int(storage.records[index].line) }
  }
}
