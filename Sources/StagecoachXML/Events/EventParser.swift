internal import CLibXML2

extension XML {
  /// An incremental parser that reports events to a handler during the parse, from chunks of any size.
  ///
  /// It only stores incomplete markup, entities and names, so documents may be of any size; ``XML/Limits/nodes`` and
  /// ``XML/Limits/textSize`` do not apply. It does no I/O. The encoding is determined as for a ``DocumentParser``. It
  /// parses one document, and is used by one task at a time.
  ///
  /// If a handler calls the parser that is calling it, ``append(_:)`` and ``finish()`` throw
  /// ``XML/ParseError/Reason/reentrant``.
  public final class EventParser<Handler: EventHandler> {
    private let driver: HandlerDriver<Handler>
    private let parser: PushParser

    /// Creates a parser for one document.
    ///
    /// - Parameters:
    ///   - handler: Receives the events.
    ///   - encoding: The charset of the transport, which overrides the document's declaration.
    ///   - limits: The limits of the document.
    public init(_ handler: Handler, encoding: String? = nil, limits: Limits = Limits()) {
      driver = HandlerDriver(handler, limits: limits)
      parser = PushParser(encoding: encoding, for: driver)
    }

    /// The handler in its current state.
    ///
    /// If the handler is a value, it must not be read through this property while it handles an event: that is an
    /// overlapping access and stops the program. A handler that is an object can always be read.
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
    /// - Throws: ``XML/ParseError`` if it is not a valid document, or any error of the handler. Every later call
    ///   throws it again. ``XML/ParseError/Reason/reentrant`` if called by the handler.
    public func append(_ bytes: UnsafeRawBufferPointer) throws {
      try driver.run { () throws(ParseError) in try parser.append(bytes) }
    }

    /// Ends the input and returns the handler.
    ///
    /// - Returns: The handler.
    /// - Throws: As ``append(_:)``; an incomplete document is malformed, one without content is empty.
    public func finish() throws -> Handler {
      // The remaining callback: the document type declaration.
      let tree = try driver.run { () throws(ParseError) in try parser.finish() }
      xmlFreeDoc(tree)
      return handler
    }
  }
}

/// Passes views of events to a handler, which is a listener for elements and text.
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
