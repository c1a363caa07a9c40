#if AsyncHTTPClient
  import AsyncHTTPClient
  import HTTPTypes
  import NIOCore
  import NIOHTTP1
  import StagecoachCore
  import StagecoachTransportKit
  import Synchronization

  extension Transfer {
    /// Creates the engine's request.
    func makeRequest() throws -> HTTPClient.Request {
      let head = request.head
      var (prepared, target) = try engineRequests.request(for: head, carryingTarget: false)
      var headers = HTTPHeaders()
      headers.reserveCapacity(head.headerFields.count + 3)
      headers.add(name: "Host", value: prepared.host)
      let fields = head.headerFields
      var hasCookie = false
      var hasEscapes = false
      // By index: a generic iteration over another module's collection is several times slower.
      for index in fields.startIndex..<fields.endIndex {
        let field = fields[index]
        if field.name.canonicalName == "host" { headers.remove(name: "Host") }
        var (text, isEscaped) = field.engineText
        if field.name == .cookie {
          // Cookies are sent as one field, even if the request has several (RFC 6265 5.4).
          guard !hasCookie else { continue }
          hasCookie = true
          for other in fields[fields: .cookie].dropFirst() {
            let (more, isAlsoEscaped) = other.engineText
            text += "; \(more)"
            isEscaped = isEscaped || isAlsoEscaped
          }
        }
        hasEscapes = hasEscapes || isEscaped
        headers.add(name: field.name.rawName, value: text)
      }
      if hasEscapes, target == nil {
        (prepared, target) = try engineRequests.request(for: head, carryingTarget: true)
      }
      if let target { EngineRequests.addTarget(target, hasEscapes: hasEscapes, to: &headers) }
      var engineRequest = prepared.request
      engineRequest.headers = headers
      engineRequest.body = try makeBody()
      return engineRequest
    }

    private func makeBody() throws -> HTTPClient.Body? {
      let body = request.body
      if let bytes = body.bytes {
        return bytes.isEmpty ? nil : .byteBuffer(ByteBuffer(bytes))
      }
      // Opened before anything is sent: a body that cannot be sent again fails without network traffic.
      let source = try body.makeSource()
      hold(source)
      // Trailers need chunked coding (RFC 9112 7.1.2).
      return .stream(contentLength: body.hasTrailers ? nil : body.length) { writer in
        // An empty write returns the event loop that the engine runs on.
        writer.write(.byteBuffer(ByteBuffer())).flatMapWithEventLoop { _, eventLoop in
          let promise = eventLoop.makePromise(of: Void.self)
          self.upload(source, to: writer, on: eventLoop, fulfilling: promise)
          return promise.futureResult
        }
      }
    }

    /// Creates the response, with this transfer as the source of its body.
    ///
    /// - Throws: ``ExchangeError`` for a head that is refused.
    func response(_ head: HTTPResponseHead) throws -> StagecoachCore.Response {
      var fields = HTTPFields()
      fields.reserveCapacity(head.headers.count)
      var meter = ResponseHeadMeter(request.options.responseHeadLimits)
      var length: Int64?
      for (name, value) in head.headers {
        try meter.add(name.utf8.count + value.utf8.count + 4)
        guard let fieldName = HTTPField.Name(name) else { continue }
        if fieldName == .contentLength { length = Int64(value) }
        fields.append(HTTPField(fieldName, value, isEscaped: head.version.major == 1))
      }
      let status = HTTPResponse.Status(code: Int(head.status.code), reasonPhrase: head.status.reasonPhrase)
      var response = StagecoachCore.Response(head: HTTPResponse(status: status, headerFields: fields))
      response.version = HTTPVersion(
        major: UInt8(clamping: head.version.major),
        minor: UInt8(clamping: head.version.minor)
      )
      if let connection { response.connection = connection }
      if hasNoContent(status.code) || length == 0 {
        expectEnd()
      } else {
        response.body = StagecoachCore.Response.Body(source: self, length: length)
      }
      return response
    }

    /// Receives the trailer fields of the response.
    ///
    /// - Throws: ``ExchangeError`` of kind `limit(.responseHead)`.
    func receive(trailers: HTTPHeaders) throws {
      var fields = HTTPFields()
      let isEscaped = !state.withLock { $0.hasFrames }
      var meter = ResponseHeadMeter(request.options.responseHeadLimits, areTrailers: true)
      for (name, value) in trailers {
        try meter.add(name.utf8.count + value.utf8.count + 4)
        if let name = HTTPField.Name(name) { fields.append(HTTPField(name, value, isEscaped: isEscaped)) }
      }
      withState { $0.trailers = fields }
    }

    /// Limits the time until the end of a response without a body, for which no reader waits. Over HTTP/2 the end can
    /// come any time after the head.
    private func expectEnd() {
      withState { $0.restartTimeout(after: request.options.idleTimeout) }
    }

    /// Whether the response ends with its head, whatever its fields say (RFC 9112 6.3).
    private func hasNoContent(_ status: Int) -> Bool {
      request.method == .head || status == 204 || status == 304
    }
  }

  extension HTTPResponse {
    /// Creates a head from the engine's status and fields.
    init(_ head: HTTPResponseHead) {
      var fields = HTTPFields()
      for (name, value) in head.headers {
        if let name = HTTPField.Name(name) {
          fields.append(HTTPField(name, value, isEscaped: head.version.major == 1))
        }
      }
      self.init(
        status: Status(code: Int(head.status.code), reasonPhrase: head.status.reasonPhrase),
        headerFields: fields
      )
    }
  }

  extension HTTPField {
    /// Creates a field from the text of the engine.
    ///
    /// - Parameter isEscaped: Whether octets may be escaped, by ``HeadText``: over HTTP/2 none are.
    fileprivate init(_ name: Name, _ text: String, isEscaped: Bool) {
      if isEscaped {
        self.init(name: name, engineText: text)
      } else {
        self.init(name: name, value: text)
      }
    }
  }

  extension ByteBuffer {
    /// Copies a chunk, because the engine writes only its own buffers.
    init(_ bytes: Bytes) {
      self = bytes.withUnsafeBytes { ByteBuffer(bytes: $0) }
    }
  }

  extension Bytes {
    /// Creates a chunk that shares the engine's memory, or a copy if it would keep much more memory than its bytes
    /// need: small chunks between dropped ones could hold any amount.
    init(_ buffer: ByteBuffer) {
      guard buffer.readableBytes >= buffer.storageCapacity / 4 else {
        self = buffer.withUnsafeReadableBytes { Bytes(Array($0)) }
        return
      }
      // Safe: the owner holds the buffer's memory, and any other holder copies it before writing.
      let owner = BufferOwner(buffer)
      self = owner.buffer.withUnsafeReadableBytes { Bytes(unsafeOwner: owner, buffer: $0) }
    }
  }

  /// Keeps the memory of a buffer.
  private final class BufferOwner: Sendable {
    let buffer: ByteBuffer

    init(_ buffer: ByteBuffer) {
      self.buffer = buffer
    }
  }
#endif
