#if AsyncHTTPClient
  import AsyncHTTPClient
  import HTTPTypes
  import NIOCore
  import NIOHTTP1
  import StagecoachCore
  import Synchronization

  extension Transfer {
    /// The request in the engine's terms.
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
          // RFC 6265 5.4: one field, whatever it was made of.
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

    /// The engine's values are strings: of other octets than UTF-8 it would make U+FFFD.
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
      // Opened before anything is sent: what cannot be sent again fails without a trace on the wire.
      let source = try body.makeSource()
      hold(source)
      // RFC 9112 7.1.2: after chunks alone.
      return .stream(contentLength: body.hasTrailers ? nil : body.length) { writer in
        // An empty write is the engine's way of telling which event loop it runs on.
        writer.write(.byteBuffer(ByteBuffer())).flatMapWithEventLoop { _, eventLoop in
          let promise = eventLoop.makePromise(of: Void.self)
          self.upload(source, to: writer, on: eventLoop, fulfilling: promise)
          return promise.futureResult
        }
      }
    }

    /// The response, with this transfer as the source of its body.
    ///
    /// - Throws: ``ExchangeError`` for a head that cannot be accepted.
    func response(_ head: HTTPResponseHead) throws -> StagecoachCore.Response {
      var fields = HTTPFields()
      fields.reserveCapacity(head.headers.count)
      var meter = ResponseHeadLimits.Meter(request.options.responseHeadLimits)
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

    /// Takes the trailer fields of the response.
    ///
    /// - Throws: ``ExchangeError`` of kind `limit(.responseHead)`.
    func receive(trailers: HTTPHeaders) throws {
      var fields = HTTPFields()
      var meter = ResponseHeadLimits.Meter(request.options.responseHeadLimits, areTrailers: true)
      for (name, value) in trailers {
        try meter.add(name.utf8.count + value.utf8.count + 4)
        if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
      }
      state.withLock { $0.trailers = fields }
    }

    var trailers: HTTPFields? { state.withLock { $0.trailers } }

    /// Limits how long the end may take that nobody waits for, since there is no body to read: over HTTP/2 it can come
    /// any time after its head.
    private func expectEnd() {
      state.withLock { state in
        if state.end == nil, let watch = state.watch { watchdog.move(watch, to: request.options.idleTimeout) }
      }
    }

    /// RFC 9112 6.3: whatever the fields say, these end with their head.
    private func hasNoContent(_ status: Int) -> Bool {
      request.method == .head || status == 204 || status == 304
    }
  }

  extension HTTPResponse {
    /// The status and the fields of a head.
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
    /// A copy of a chunk: the engine writes its own buffers only.
    init(_ bytes: Bytes) {
      self = bytes.withUnsafeBytes { ByteBuffer(bytes: $0) }
    }
  }

  extension Bytes {
    /// A chunk that shares the engine's memory, unless it would keep much more of that than its bytes: small chunks between
    /// others that are dropped could hold any amount.
    init(_ buffer: ByteBuffer) {
      guard buffer.readableBytes >= buffer.storageCapacity / 4 else {
        self = buffer.withUnsafeReadableBytes { Bytes(Array($0)) }
        return
      }
      // Safe: the owner holds the buffer's memory, and whoever else does copies it before writing.
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
