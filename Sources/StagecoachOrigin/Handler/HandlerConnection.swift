#if Tool
  import HTTPTypes
  import NIOCore
  import NIOHTTP1
  import NIOPosix
  import StagecoachCore

  /// A connection of a ``HandlerServer``: one request after the other.
  struct HandlerConnection {
    typealias Channel = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>
    private typealias Outbound = ResponseWriter.Outbound

    /// The time for the client to take note of the end of a connection, before it is told by a reset.
    private static let lingerTime = TimeAmount.seconds(1)

    private let channel: Channel
    /// The authority of the server.
    private let server: String
    private let connections: Connections
    private let handler: HandlerServer.Handler

    init(
      _ channel: Channel,
      _ server: String,
      _ connections: Connections,
      _ handler: @escaping HandlerServer.Handler
    ) {
      self.channel = channel
      self.server = server
      self.connections = connections
      self.handler = handler
    }

    static func wrap(_ channel: any NIOCore.Channel, _ limits: HandlerLimits) throws -> Channel {
      let pipeline = channel.pipeline.syncOperations
      var encoding = HTTPResponseEncoder.Configuration()
      encoding.automaticallySetFramingHeaders = false
      var headLimits = NIOHTTPDecoderLimitConfiguration()
      headLimits.maxHeaderFieldSize = 32 * 1024
      headLimits.maxHeaderListSize = 64 * 1024
      let decoder = HTTPRequestDecoder(
        leftOverBytesStrategy: .dropBytes,
        informationalResponseStrategy: .drop,
        limitConfiguration: headLimits
      )
      let position = OctetFilter.Position()
      try pipeline.addHandler(OctetFilter(position))
      try pipeline.addHandler(HTTPResponseEncoder(configuration: encoding))
      try pipeline.addHandler(ByteToMessageHandler(decoder))
      try pipeline.addHandler(position)
      try pipeline.addHandler(ClientPace(limits))
      return try Channel(wrappingChannelSynchronously: channel)
    }

    /// Serves until the connection ends. A client that goes away cancels what is done for it.
    func serve() async {
      let task = Task { await serveRequests() }
      channel.channel.closeFuture.whenComplete { _ in task.cancel() }
      await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        task.cancel()
      }
    }

    private func serveRequests() async {
      try? await channel.executeThenClose { inbound, outbound in
        var parts = inbound.makeAsyncIterator()
        let client = ClientAddress(channel.channel.remoteAddress)
        do throws(Refusal) {
          try connections.enter(client)
        } catch {
          try await refuse(error, outbound)
          return await letClientRead(&parts)
        }
        defer { connections.leave(client) }
        do {
          while !connections.isClosed, case .head(let head)? = try await parts.next(isolation: #isolation) {
            connections.begin()
            defer { connections.end() }
            guard try await exchange(head, &parts, outbound) else { return await letClientRead(&parts) }
          }
        } catch let error as HTTPParserError where error != .invalidEOFState {
          try await refuse(Refusal(error), outbound)
          await letClientRead(&parts)
        }
      }
    }

    /// Answers one request; false if the connection ends with it.
    private func exchange(
      _ head: HTTPRequestHead,
      _ parts: inout NIOAsyncChannelInboundStream<HTTPServerRequestPart>.AsyncIterator,
      _ outbound: Outbound
    ) async throws -> Bool {
      let reading: RequestReading
      do {
        reading = try RequestReading(head, server: server)
      } catch {
        try await refuse(error, outbound)
        return false
      }
      let interim = InterimResponses(channel.channel)
      guard reading.hasContent else {
        guard case .end? = try await parts.next(isolation: #isolation) else { return false }
        return try await answer(reading, nil, interim, outbound)
      }
      let content = RequestContent { if reading.expectsContinue { interim.sendContinue() } }
      let answer = Task { try await self.answer(reading, content, interim, outbound) }
      return try await withTaskCancellationHandler {
        let isWhole = await receive(content, &parts)
        if isWhole == nil { answer.cancel() }
        guard try await answer.value else { return false }
        if isWhole == false { await endOutput() }
        return isWhole == true
      } onCancel: {
        answer.cancel()
      }
    }

    /// Reads the content of a request.
    ///
    /// - Returns: Whether it is well-formed and came in time; `nil` if the client went away.
    private func receive(
      _ content: RequestContent,
      _ parts: inout NIOAsyncChannelInboundStream<HTTPServerRequestPart>.AsyncIterator
    ) async -> Bool? {
      do {
        while let part = try await parts.next(isolation: #isolation) {
          switch part {
          case .head: continue
          case .body(let buffer): await content.write(Bytes(Array(buffer.readableBytesView)))
          case .end(let trailers):
            content.end(.success(trailers.map { HTTPFields($0) }))
            return true
          }
        }
      } catch let error as HTTPParserError where error != .invalidEOFState {
        content.refuse(Refusal("the content of the request is malformed"))
        return false
      } catch let refusal as Refusal {
        content.refuse(refusal)
        return false
      } catch {}
      content.end(.failure(ExchangeError(.connectionReset, "the client closed the connection")))
      return nil
    }

    private func answer(
      _ reading: RequestReading,
      _ content: RequestContent?,
      _ interim: InterimResponses,
      _ outbound: Outbound
    ) async throws -> Bool {
      defer { content?.cancel() }
      var writer: ResponseWriter?
      do {
        let response = try await handler(request(reading, content, interim))
        interim.close()
        // What follows malformed content cannot be read, nor what follows the head of a client that was not told to send
        // its content, and may send it or not.
        let isClear = (!reading.expectsContinue || interim.hasContinued) && content?.hasFailed != true
        let writing = ResponseWriter(
          response,
          to: reading,
          keepsAlive: reading.keepsAlive && isClear && !connections.isClosed
        )
        writer = writing
        try await writing.write(to: outbound, on: channel.channel.eventLoop)
        if !writing.keepsAlive { await endOutput() }
        return writing.keepsAlive
      } catch {
        interim.close()
        if writer == nil, let refusal = content?.refusal {
          try await refuse(refusal, outbound)
          return false
        }
        await cut(isSeen: writer.map { !$0.endsWithConnection } ?? false, because: error)
        return false
      }
    }

    private func request(
      _ reading: RequestReading,
      _ content: RequestContent?,
      _ interim: InterimResponses
    ) -> Request {
      let length = reading.length
      var request = Request(
        head: reading.request,
        body: content.map { content in
          .source(length: length, isReplayable: false, hasTrailers: length == nil) { content }
        } ?? .empty
      )
      if reading.isHTTP10 {
        request.options.receivedVersion = .http10
      } else {
        request.options.informationalResponseHandler = { interim.send($0) }
      }
      return request
    }

    // MARK: The end

    private func refuse(_ refusal: Refusal, _ outbound: Outbound) async throws {
      let text = ByteBuffer(string: refusal.reason + "\n")
      let fields: HTTPHeaders = [
        "Content-Type": "text/plain; charset=utf-8", "Content-Length": "\(text.readableBytes)",
        "Connection": "close",
      ]
      let head = HTTPResponseHead(version: .http1_1, status: refusal.status, headers: fields)
      try await outbound.write(contentsOf: [.head(head), .body(.byteBuffer(text)), .end(nil)])
      await endOutput()
    }

    /// Ends a connection in the middle of a response.
    ///
    /// - Parameter isSeen: Whether the client sees from the content that it is cut; a reset shows it otherwise.
    private func cut(isSeen: Bool, because error: any Error) async {
      if isSeen, (error as? ExchangeError)?.kind != .connectionReset {
        // What came still arrives.
        await endOutput()
      } else {
        try? await channel.channel.resetOnClose()?.get()
      }
      try? await channel.channel.close().get()
    }

    /// Ends the sending side, once everything is sent.
    private func endOutput() async {
      let channel = channel.channel
      await withTaskCancellationHandler {
        try? await channel.close(mode: .output).get()
      } onCancel: {
        channel.close(promise: nil)
      }
    }

    /// Lets the client read the last response: closing a connection with unread input would reset it (RFC 9112 9.6).
    private func letClientRead(
      _ parts: inout NIOAsyncChannelInboundStream<HTTPServerRequestPart>.AsyncIterator
    ) async {
      let channel = channel.channel
      let limit = channel.eventLoop.scheduleTask(in: Self.lingerTime) { channel.close(promise: nil) }
      while let part = try? await parts.next(isolation: #isolation) { _ = part }
      // The parser drops what follows an error, and the parts end before the connection.
      try? await channel.closeFuture.get()
      limit.cancel()
    }
  }

  extension HTTPFields {
    /// Creates trailer fields, in which no octets are escaped.
    fileprivate init(_ headers: HTTPHeaders) {
      self.init()
      for header in headers {
        if let name = HTTPField.Name(header.name) { append(HTTPField(name: name, value: header.value)) }
      }
    }
  }

  extension Refusal {
    /// The answer to what the parser could not read.
    fileprivate init(_ error: HTTPParserError) {
      switch error {
      case .headerOverflow: self.init(.requestHeaderFieldsTooLarge, "the head is too large")
      case .invalidVersion: self.init(.httpVersionNotSupported, "this server speaks HTTP/1.1 and HTTP/1.0")
      case .invalidMethod: self.init(.notImplemented, "unknown method")
      default: self.init("malformed request")
      }
    }
  }
#endif
