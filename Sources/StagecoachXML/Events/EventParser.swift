internal import CLibXML2

extension XML {
  /// Parses a document from chunks of any size and reports what it meets to a handler, while it parses.
  ///
  /// It holds no more of the document than the markup it has not seen the end of, and what entities and names
  /// need, so documents may be of any size; ``XML/Limits/nodes`` and ``XML/Limits/textSize`` are not counted. It
  /// never does any input or output. The encoding is decided as for a ``DocumentParser``. It serves one document,
  /// and one task at a time.
  ///
  /// A handler cannot call the parser that it hears from: ``append(_:)`` and ``finish()`` then throw
  /// ``XML/ParseError/Reason/reentrant``.
  public final class EventParser<Handler: EventHandler> {
    private let driver: HandlerDriver<Handler>
    private let parser: PushParser

    /// A parser for one document.
    ///
    /// - Parameters:
    ///   - handler: Hears of the events.
    ///   - encoding: The charset of the transport, which wins over the document's declaration.
    ///   - limits: What the document may cost.
    public init(_ handler: Handler, encoding: String? = nil, limits: Limits = Limits()) {
      driver = HandlerDriver(handler, limits: limits)
      parser = PushParser(encoding: encoding, for: driver)
    }

    /// The handler in its present state.
    ///
    /// While a handler that is a value hears of an event it is being changed, and nobody else can read it: asking
    /// for it from there is a mistake that ends the program, as overlapping accesses do. A handler that is an object
    /// can always be had.
    public var handler: Handler {
      precondition(
        !parser.isParsing || Handler.self is AnyObject.Type,
        "a handler is read while it is being changed"
      )
      return driver.handler.pointee
    }

    /// Parses the next bytes.
    ///
    /// - Parameter bytes: The bytes; they are not kept after the call.
    /// - Throws: ``XML/ParseError`` if this is no document that can be read, or what the handler threw. Every
    ///   later call throws it again. ``XML/ParseError/Reason/reentrant`` if the handler calls it.
    public func append(_ bytes: UnsafeRawBufferPointer) throws {
      try driver.run { () throws(ParseError) in try parser.append(bytes) }
    }

    /// Ends the input.
    ///
    /// - Returns: The handler.
    /// - Throws: As ``append(_:)``; a document that is not complete is malformed, one without content is empty.
    public func finish() throws -> Handler {
      // What is left of it: the document type declaration.
      let tree = try driver.run { () throws(ParseError) in try parser.finish() }
      xmlFreeDoc(tree)
      return handler
    }
  }
}

/// Lends the views of events to a handler. Of elements and text the handler hears as a listener.
private final class HandlerDriver<Handler: XML.EventHandler>: EventDriver {
  /// Behind a pointer, which spares the checks for overlapping access with every event.
  let handler = UnsafeMutablePointer<Handler>.allocate(capacity: 1)

  init(_ handler: Handler, limits: XML.Limits) {
    self.handler.initialize(to: handler)
    super.init(limits: limits, listener: Listener(type: Handler.self, address: self.handler))
  }

  deinit {
    handler.deinitialize(count: 1)
    handler.deallocate()
  }

  override func startDocument(_ declaration: XML.Declaration) throws {
    try handler.pointee.startDocument(declaration)
  }

  override func endDocument() throws { try handler.pointee.endDocument() }

  override func reportComment(_ text: UnsafeBufferPointer<UInt8>, at context: UnsafeMutableRawPointer) throws
  {
    try handler.pointee.comment(text.span)
  }

  override func reportProcessingInstruction(
    target: UnsafePointer<xmlChar>?,
    data: UnsafeBufferPointer<UInt8>,
    at context: UnsafeMutableRawPointer
  ) throws {
    let target = bytes(of: target)
    try handler.pointee.processingInstruction(target: target.span, data: data.span)
  }
}
