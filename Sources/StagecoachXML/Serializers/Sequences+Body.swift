public import StagecoachCore
public import StagecoachSerializers

// For documents from other sources than a server: memory, a file, a sequence of chunks.

extension XML.Events {
  /// Creates the events of a document.
  ///
  /// ```swift
  /// let file = try Request.Body.file("dump.xml").makeSource()
  /// for try await event in XML.Events(in: Response.Body(source: file)) { print(event) }
  /// ```
  ///
  /// For a document in memory, ``XML/EventBatch`` reads all events at once.
  ///
  /// - Parameters:
  ///   - body: The document: `.bytes(_:)`, or a source or a sequence of chunks, which is read once.
  ///   - encoding: The charset of the transport, which overrides the document's declaration.
  ///   - limits: The limits of the document.
  public init(in body: Response.Body, encoding: String? = nil, limits: XML.Limits = XML.Limits()) {
    self.init(source: ElementSource(body, stage: "XML.Events"), encoding: encoding, limits: limits)
  }
}

extension BodyElements {
  /// Creates a sequence of values made from the elements at a path of a document.
  ///
  /// - Parameters:
  ///   - path: The path of the elements.
  ///   - body: The document; see ``XML/Events/init(in:encoding:limits:)``.
  ///   - encoding: The charset of the transport, which overrides the document's declaration.
  ///   - limits: The limits of an element, and of the document outside of it.
  ///   - make: Returns the value for an element; its errors end the sequence.
  public init(
    _ path: XML.ElementPath,
    in body: Response.Body,
    encoding: String? = nil,
    limits: XML.Limits = XML.Limits(),
    make: @escaping @Sendable (XML.Record) throws -> Element
  ) {
    self.init(
      ElementSource(body, stage: "XML.Records"),
      path: path,
      encoding: encoding,
      limits: limits,
      make: { { try make($0) } }
    )
  }

  /// Creates a sequence of values decoded from the elements at a path of a document.
  ///
  /// ```swift
  /// struct Item: Decodable, Sendable { var title: String }
  /// let file = try Request.Body.file("dump.xml").makeSource()
  /// for try await item in XML.Records<Item>("list/item", in: Response.Body(source: file)) { print(item) }
  /// ```
  ///
  /// - Parameters:
  ///   - path: The path of the elements.
  ///   - body: The document; see ``XML/Events/init(in:encoding:limits:)``.
  ///   - encoding: The charset of the transport, which overrides the document's declaration.
  ///   - decoder: The decoder, whose limits apply to each element.
  public init(
    _ path: XML.ElementPath,
    in body: Response.Body,
    encoding: String? = nil,
    decoder: XMLDecoder = XMLDecoder()
  ) where Element: Decodable {
    self.init(
      ElementSource(body, stage: "XML.Records"),
      path: path,
      encoding: encoding,
      limits: decoder.limits,
      make: decoder.makeRecordReader()
    )
  }
}

extension BodyElements<XML.Record> {
  /// Creates a sequence of the elements at a path of a document.
  ///
  /// - Parameters:
  ///   - path: The path of the elements.
  ///   - body: The document; see ``XML/Events/init(in:encoding:limits:)``.
  ///   - encoding: The charset of the transport, which overrides the document's declaration.
  ///   - limits: The limits of an element, and of the document outside of it.
  public init(
    _ path: XML.ElementPath,
    in body: Response.Body,
    encoding: String? = nil,
    limits: XML.Limits = XML.Limits()
  ) {
    self.init(path, in: body, encoding: encoding, limits: limits) { $0 }
  }
}

extension XML.EventBatch {
  /// Creates a batch with all events of a document in memory.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - encoding: The charset of the transport, which overrides the document's declaration.
  ///   - limits: The limits of the document, including nodes and text, because the batch contains all of it.
  /// - Throws: ``XML/ParseError`` if it is not a valid document.
  public init(
    parsing bytes: Bytes,
    encoding: String? = nil,
    limits: XML.Limits = XML.Limits()
  ) throws(XML.ParseError) {
    self = try bytes.withUnsafeBytes { bytes throws(XML.ParseError) in
      try .parsing(bytes, encoding: encoding, limits: limits)
    }
  }
}
