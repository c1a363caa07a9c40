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
      let prepared = try engineRequests.request(for: head)
      var engineRequest = prepared.request
      var headers = HTTPHeaders()
      headers.reserveCapacity(head.headerFields.count + 2)
      if let target = prepared.trueTarget { EngineRequests.addTarget(target, to: &headers) }
      headers.add(name: "Host", value: prepared.host)
      let fields = head.headerFields
      var hasCookie = false
      // By index: a generic iteration over another module's collection is several times slower.
      for index in fields.startIndex..<fields.endIndex {
        let field = fields[index]
        if field.name.canonicalName == "host" { headers.remove(name: "Host") }
        try Self.check(field)
        if field.name == .cookie {
          // Cookies are sent as one field, even if the request has several (RFC 6265 5.4).
          guard !hasCookie else { continue }
          hasCookie = true
          let joined = fields[fields: .cookie].count > 1 ? fields[.cookie] : nil
          headers.add(name: field.name.rawName, value: joined ?? field.value)
          continue
        }
        headers.add(name: field.name.rawName, value: field.value)
      }
      engineRequest.headers = headers
      engineRequest.body = try makeBody()
      return engineRequest
    }

    /// Refuses a value that is not UTF-8: the engine's values are strings, and other octets would become U+FFFD.
    static func check(_ field: HTTPField) throws {
      let isText = field.withUnsafeBytesOfValue { bytes in
        bytes.allSatisfy { $0 < 0x80 } || String(validating: bytes, as: UTF8.self) != nil
      }
      guard !isText else { return }
      throw ExchangeError(
        .unsupported,
        "AsyncHTTPClient cannot send the value of \(field.name), which is not UTF-8",
        advice: "encode the value, or use another transport"
      )
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
        fields.append(HTTPField(name: fieldName, value: value))
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
      var meter = ResponseHeadMeter(request.options.responseHeadLimits, areTrailers: true)
      for (name, value) in trailers {
        try meter.add(name.utf8.count + value.utf8.count + 4)
        if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
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
        if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
      }
      self.init(
        status: Status(code: Int(head.status.code), reasonPhrase: head.status.reasonPhrase),
        headerFields: fields
      )
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
