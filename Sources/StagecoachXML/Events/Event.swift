extension XML {
  /// What a parser met in a document.
  ///
  /// An event holds on to the batch it came with. Adjacent characters are one event however the document was
  /// cut into chunks.
  @nonexhaustive
  public enum Event: Sendable {
    /// The document begins.
    case startDocument(Declaration)
    /// An element begins.
    case startElement(StartTag)
    /// An element ends.
    case endElement(EndTag)
    /// Characters, references replaced.
    case text(Text)
    /// The characters of a CDATA section, or of several that touch.
    case cdata(Text)
    /// A comment.
    case comment(Text)
    /// A processing instruction.
    case processingInstruction(ProcessingInstruction)
    /// The document ends; it was well formed.
    case endDocument
  }

  /// What the XML declaration of a document says (XML 1.0, section 2.8).
  public struct Declaration: Sendable, Hashable {
    /// The version; "1.0" if there is no declaration.
    public var version: String
    /// The encoding that the declaration names; nil where it does not count, since a byte order mark or the
    /// transport tells another way (RFC 7303, section 3).
    public var encoding: String?
    /// Whether the document says that it stands alone; nil if it says nothing.
    public var isStandalone: Bool?

    /// A declaration; by default what a document without one means.
    public init(version: String = "1.0", encoding: String? = nil, isStandalone: Bool? = nil) {
      self.version = version
      self.encoding = encoding
      self.isStandalone = isStandalone
    }
  }

  /// The beginning of an element.
  public struct StartTag: Sendable {
    let storage: EventBatch.Storage
    let index: Int
    /// The first record behind the tag.
    let end: Int

    private var record: EventRecord { storage.records[index] }

    /// The name of the element.
    public var name: Name { storage.name(of: record) }

    /// The line in which the tag ends, from 1.
    public var line: Int { Int(record.line) }

    /// The attributes in document order, those that the DTD supplies included.
    public var attributes: [Element.Attribute] {
      storage.records[(index + 1)..<end].compactMap { record in
        guard record.kind == .attribute else { return nil }
        return Element.Attribute(storage.name(of: record), storage.string(of: record))
      }
    }

    /// The namespaces that the tag declares, by prefix; the default namespace has an empty one.
    public var namespaces: [String: String] {
      var namespaces: [String: String] = [:]
      for record in storage.records[(index + 1)..<end] where record.kind == .namespace {
        namespaces[storage.name(of: record).localName] = storage.string(of: record)
      }
      return namespaces
    }

    /// The value of an attribute, nil if the element has no such attribute.
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

    /// The line in which the characters end, from 1.
    public var line: Int { Int(storage.records[index].line) }

    /// How many bytes of UTF-8 there are.
    public var utf8Count: Int { Int(storage.records[index].count) }

    /// Calls a closure with the UTF-8 bytes, which are valid only while it runs.
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

    /// What it is addressed to.
    public var target: String { storage.name(of: storage.records[index]).localName }

    /// What it says; empty if nothing.
    public var data: String { storage.string(of: storage.records[index]) }

    /// The line, from 1.
    public var line: Int { Int(storage.records[index].line) }
  }
}
