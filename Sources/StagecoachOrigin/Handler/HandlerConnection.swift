#if Tool
  import HTTPTypes
  import NIOCore
  import NIOHTTP1
  import NIOPosix
  import StagecoachCore

  /// A connection of a ``HandlerServer``: one request after the other.
  struct HandlerConnection {
    typealias Channel = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>
    private typealias Outbound = NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>

    private let channel: Channel
    private let url: String
    private let connections: Connections
    private let handler: HandlerServer.Handler

    init(
      _ channel: Channel,
      _ url: String,
      _ connections: Connections,
      _ handler: @escaping HandlerServer.Handler
    ) {
      self.channel = channel
      self.url = url
      self.connections = connections
      self.handler = handler
    }

    static func wrap(_ channel: any NIOCore.Channel) throws -> Channel {
      let pipeline = channel.pipeline.syncOperations
      var configuration = HTTPResponseEncoder.Configuration()
      configuration.automaticallySetFramingHeaders = false
      try pipeline.addHandler(IdleStateHandler(allTimeout: .seconds(60)))
      try pipeline.addHandler(HTTPResponseEncoder(configuration: configuration))
      try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)))
      try pipeline.addHandler(IdleCloser())
      return try Channel(wrappingChannelSynchronously: channel)
    }

    func serve() async {
      try? await channel.executeThenClose { inbound, outbound in
        var parts = inbound.makeAsyncIterator()
        while !connections.isClosed, case .head(let head)? = try await parts.next() {
          connections.begin()
          defer { connections.end() }
          guard try await exchange(head, &parts, outbound) else { return }
        }
      }
    }

    /// Answers one request; false if the connection ends with it.
    private func exchange(
      _ head: HTTPRequestHead,
      _ parts: inout NIOAsyncChannelInboundStream<HTTPServerRequestPart>.AsyncIterator,
      _ outbound: Outbound
    ) async throws -> Bool {
      if head.headers[canonicalForm: "Expect"].contains(where: { $0.lowercased() == "100-continue" }) {
        try await outbound.write(.head(HTTPResponseHead(version: .http1_1, status: .continue)))
      }
      let content = RequestContent()
      guard let request = request(head, content) else {
        let fields: HTTPHeaders = ["Content-Length": "0", "Connection": "close"]
        try await outbound.write(
          .head(HTTPResponseHead(version: .http1_1, status: .badRequest, headers: fields))
        )
        try await outbound.write(.end(nil))
        return false
      }
      let answer = Task { try await self.answer(head, request, content, outbound) }
      return try await withTaskCancellationHandler {
        do {
          reading: while let part = try await parts.next() {
            switch part {
            case .head: break reading
            case .body(let buffer): await content.write(Bytes(Array(buffer.readableBytesView)))
            case .end(let trailers):
              content.end(.success(trailers.map(HTTPFields.init)))
              return try await answer.value
            }
          }
          content.end(.failure(ExchangeError(.connectionReset, "the client closed the connection")))
        } catch {
          content.end(.failure(error))
          answer.cancel()
        }
        return try await answer.value && false
      } onCancel: {
        answer.cancel()
      }
    }

    private func request(_ head: HTTPRequestHead, _ content: RequestContent) -> Request? {
      guard let method = HTTPRequest.Method(head.method.rawValue), head.headers["Host"].count <= 1 else {
        return nil
      }
      var fields = HTTPFields(head.headers)
      let authority = fields[.init("Host")!] ?? String(url.dropFirst("http://".count))
      fields[.init("Host")!] = nil
      // A proxy is asked for a complete URL (RFC 9112 3.2.2).
      let target = head.uri
      let path = target.firstRange(of: "://").map { scheme in
        String(target[scheme.upperBound...].drop { $0 != "/" })
      }
      let length = fields[.contentLength].flatMap { Int64($0) }
      let hasContent = length.map { $0 > 0 } ?? (fields[.transferEncoding] != nil)
      let body: Request.Body =
        hasContent
        ? .source(length: length, isReplayable: false, hasTrailers: length == nil) { content } : .empty
      let httpHead = HTTPRequest(
        method: method,
        scheme: "http",
        authority: authority,
        path: path ?? target,
        headerFields: fields
      )
      return Request(head: httpHead, body: body)
    }

    // MARK: The response

    private func answer(
      _ head: HTTPRequestHead,
      _ request: Request,
      _ content: RequestContent,
      _ outbound: Outbound
    ) async throws -> Bool {
      do {
        let response = try await handler(request)
        let keeps = try await write(response, to: head, outbound)
        content.cancel()
        return keeps
      } catch {
        content.cancel()
        // The peer sees a reset, as of a server that failed.
        if let options = channel.channel as? any SocketOptionProvider {
          try? await options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        }
        try? await channel.channel.close().get()
        return false
      }
    }

    private func write(_ response: Response, to request: HTTPRequestHead, _ outbound: Outbound) async throws
      -> Bool
    {
      let status = response.status.code
      let mayHaveBody = request.method != .HEAD && status >= 200 && status != 204 && status != 304
      var fields = HTTPHeaders()
      for field in response.fields where !Self.ofConnection.contains(field.name.canonicalName) {
        fields.add(name: field.name.rawName, value: field.value)
      }
      var keeps = request.isKeepAlive
      let hasLength = response.fields[.contentLength] != nil
      if mayHaveBody, !hasLength {
        if let length = response.body.length {
          fields.add(name: "Content-Length", value: "\(length)")
        } else if request.version == .http1_0 {
          keeps = false
        } else {
          fields.add(name: "Transfer-Encoding", value: "chunked")
        }
      }
      if !keeps { fields.add(name: "Connection", value: "close") }
      let reason = response.status.reasonPhrase
      try await outbound.write(
        .head(
          HTTPResponseHead(
            version: .http1_1,
            status: .custom(code: UInt(status), reasonPhrase: reason),
            headers: fields
          )
        )
      )
      guard mayHaveBody else {
        response.body.cancel()
        try await outbound.write(.end(nil))
        return keeps
      }
      for try await chunk in response.body {
        try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: chunk.array))))
      }
      let trailers = response.body.trailers.map { HTTPHeaders($0.map { ($0.name.rawName, $0.value) }) }
      try await outbound.write(.end(hasLength ? nil : trailers))
      return keeps
    }

    /// Fields that belong to a connection, not to the message (RFC 9110 7.6.1).
    private static let ofConnection: Set<String> = [
      "connection", "keep-alive", "proxy-connection", "transfer-encoding", "te", "upgrade",
    ]
  }

  extension HTTPFields {
    fileprivate init(_ headers: HTTPHeaders) {
      self.init()
      for header in headers {
        if let name = HTTPField.Name(header.name) { append(HTTPField(name: name, value: header.value)) }
      }
    }
  }

  /// Closes a connection that was idle.
  private final class IdleCloser: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if event is IdleStateHandler.IdleStateEvent { context.close(promise: nil) }
      context.fireUserInboundEventTriggered(event)
    }
  }
#endif
