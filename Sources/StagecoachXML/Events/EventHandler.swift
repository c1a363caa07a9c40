extension XML {
  /// Handles the events of a parser during the parse, on the same thread.
  ///
  /// This is the fastest way to read a document: the arguments are views of libxml2's memory, and nothing is created
  /// unless the handler asks for it. They are only valid during the call; copy what is needed. Every method does
  /// nothing by default, and may throw to stop the parse. No method may call the parser.
  ///
  /// ```swift
  /// struct Titles: XML.EventHandler {
  ///   var titles: [String] = []
  ///   private var isInTitle = false
  ///
  ///   mutating func startElement(_ tag: borrowing XML.RawStartTag) {
  ///     isInTitle = tag.name.equals("title")
  ///     if isInTitle { titles.append("") }
  ///   }
  ///   mutating func endElement(_ name: borrowing XML.RawName) { isInTitle = false }
  ///   mutating func text(_ characters: Span<UInt8>) {
  ///     if isInTitle { titles[titles.count - 1] += String(utf8: characters) }
  ///   }
  /// }
  ///
  /// let parser = XML.EventParser(Titles())
  /// for chunk in chunks { try chunk.withUnsafeBytes { try parser.append($0) } }
  /// let titles = try parser.finish().titles
  /// ```
  public protocol EventHandler {
    /// The document begins.
    mutating func startDocument(_ declaration: Declaration) throws

    /// An element begins.
    mutating func startElement(_ tag: borrowing RawStartTag) throws

    /// An element ends.
    mutating func endElement(_ name: borrowing RawName) throws

    /// Characters in UTF-8, with references replaced. Adjacent characters may be split into several calls.
    mutating func text(_ characters: Span<UInt8>) throws

    /// Characters of a CDATA section in UTF-8; they may come in several pieces.
    mutating func cdata(_ characters: Span<UInt8>) throws

    /// A comment.
    mutating func comment(_ characters: Span<UInt8>) throws

    /// A processing instruction: its target and what it says, both in UTF-8.
    mutating func processingInstruction(target: Span<UInt8>, data: Span<UInt8>) throws

    /// The document ends; it was well formed.
    mutating func endDocument() throws
  }
}

extension XML.EventHandler {
  /// Does nothing.
  public mutating func startDocument(_ declaration: XML.Declaration) throws {}
  /// Does nothing.
  public mutating func startElement(_ tag: borrowing XML.RawStartTag) throws {}
  /// Does nothing.
  public mutating func endElement(_ name: borrowing XML.RawName) throws {}
  /// Does nothing.
  public mutating func text(_ characters: Span<UInt8>) throws {}
  /// Does nothing.
  public mutating func cdata(_ characters: Span<UInt8>) throws {}
  /// Does nothing.
  public mutating func comment(_ characters: Span<UInt8>) throws {}
  /// Does nothing.
  public mutating func processingInstruction(target: Span<UInt8>, data: Span<UInt8>) throws {}
  /// Does nothing.
  public mutating func endDocument() throws {}
}

extension String {
  /// Creates a string from UTF-8 bytes passed to an ``XML/EventHandler``.
  public init(utf8 bytes: Span<UInt8>) {
    self = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}
