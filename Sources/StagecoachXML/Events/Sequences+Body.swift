public import StagecoachCore

// What comes from somewhere else than a server: memory, a file, a sequence of chunks.

extension XML.Events {
  /// The events of a document.
  ///
  /// ```swift
  /// let file = try Request.Body.file("dump.xml").makeSource()
  /// for try await event in XML.Events(in: Response.Body(source: file)) { … }
  /// ```
  ///
  /// What is all in memory, an ``XML/EventBatch`` reads at once.
  ///
  /// - Parameters:
  ///   - body: The document: `.bytes(_:)`, or made of a source or a sequence of chunks, which is read once.
  ///   - encoding: The charset of the transport, which wins over the document's declaration.
  ///   - limits: What the document may cost.
  public init(in body: Response.Body, encoding: String? = nil, limits: XML.Limits = XML.Limits()) {
    self.init(source: ElementSource(body, stage: "XML.Events"), encoding: encoding, limits: limits)
  }
}

extension XML.Records {
  /// What becomes of the elements at a path of a document.
  ///
  /// - Parameters:
  ///   - path: Where the elements are.
  ///   - body: The document; see ``XML/Events/init(in:encoding:limits:)``.
  ///   - encoding: The charset of the transport, which wins over the document's declaration.
  ///   - limits: What an element may cost, and the document outside of it.
  ///   - make: Makes something of an element; what it throws ends the sequence.
  public init(
    _ path: XML.ElementPath,
    in body: Response.Body,
    encoding: String? = nil,
    limits: XML.Limits = XML.Limits(),
    make: @escaping @Sendable (XML.Record) throws -> Output
  ) {
    self.init(
      source: ElementSource(body, stage: "XML.Records"),
      path: path,
      encoding: encoding,
      limits: limits,
      make: { { try make($0) } }
    )
  }

  /// Values decoded from the elements at a path of a document.
  ///
  /// ```swift
  /// let file = try Request.Body.file("dump.xml").makeSource()
  /// for try await item in XML.Records<Item>("list/item", in: Response.Body(source: file)) { … }
  /// ```
  ///
  /// - Parameters:
  ///   - path: Where the elements are.
  ///   - body: The document; see ``XML/Events/init(in:encoding:limits:)``.
  ///   - encoding: The charset of the transport, which wins over the document's declaration.
  ///   - decoder: Decodes the elements; it has the limits of each.
  public init(
    _ path: XML.ElementPath,
    in body: Response.Body,
    encoding: String? = nil,
    decoder: XMLDecoder = XMLDecoder()
  ) where Output: Decodable {
    self.init(
      source: ElementSource(body, stage: "XML.Records"),
      path: path,
      encoding: encoding,
      limits: decoder.limits,
      make: decoder.makeRecordReader()
    )
  }
}

extension XML.Records where Output == XML.Record {
  /// The elements at a path of a document.
  ///
  /// - Parameters:
  ///   - path: Where the elements are.
  ///   - body: The document; see ``XML/Events/init(in:encoding:limits:)``.
  ///   - encoding: The charset of the transport, which wins over the document's declaration.
  ///   - limits: What an element may cost, and the document outside of it.
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
  /// All events of a document that is in memory.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - encoding: The charset of the transport, which wins over the document's declaration.
  ///   - limits: What the document may cost, nodes and text included: the batch holds all of it.
  /// - Throws: The reason why this is no document that can be read.
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
