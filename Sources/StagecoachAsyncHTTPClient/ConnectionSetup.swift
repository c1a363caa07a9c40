#if AsyncHTTPClient
  import NIOCore
  import NIOHTTP1
  import NIOHTTP2
  import NIOSSL
  import StagecoachCore

  /// What is done with each new connection of an engine, after TLS and before any request.
  struct ConnectionSetup: Sendable {
    typealias Initializer = @Sendable (any Channel) -> EventLoopFuture<Void>

    let trust: Trust
    let host: String?
    let loops: [LoadedEventLoop]
    let time: any TimeSource

    /// Checks the certificate of the peer and lets the connection tell its transfers of itself.
    func connection(
      _ channel: any Channel,
      applicationProtocol: String?,
      then next: Initializer?
    ) -> EventLoopFuture<Void> {
      do {
        try check(channel)
        let pipeline = channel.pipeline.syncOperations
        let connection = loops.first { $0.eventLoop === channel.eventLoop }.map { loop in
          EngineConnection(
            channel,
            applicationProtocol: applicationProtocol,
            on: loop,
            established: time.now
          )
        }
        // With HTTP/2 responses come on streams.
        if applicationProtocol == nil {
          let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
          let responses = ResponseGuard(connection)
          connection?.responses = responses
          try pipeline.addHandler(responses, position: .after(decoder))
          try pipeline.addHandlers(
            [FramingGuard(responses), HeadText(responses)],
            position: .before(decoder)
          )
        }
        if applicationProtocol == "h2" {
          let frames = try pipeline.handler(type: NIOHTTP2Handler.self)
          try pipeline.addHandler(SettingsGuard(), position: .after(frames))
        }
        if let connection { try pipeline.addHandler(connection) }
      } catch {
        // The engine closes no connection that is refused here. Later, since its pool has to hear of the refusal
        // before it hears of the end.
        channel.eventLoop.execute { channel.close(promise: nil) }
        return channel.eventLoop.makeFailedFuture(error)
      }
      return next?(channel) ?? channel.eventLoop.makeSucceededVoidFuture()
    }

    /// Lets a stream of HTTP/2 tell its transfer of the connection.
    func stream(_ channel: any Channel, then next: Initializer?) -> EventLoopFuture<Void> {
      do {
        let pipeline = channel.pipeline.syncOperations
        let codec = try pipeline.handler(type: HTTP2FramePayloadToHTTP1ClientCodec.self)
        let parent = channel.parent?.pipeline.syncOperations
        let connection = try? parent?.handler(type: EngineConnection.self)
        try pipeline.addHandler(StreamHeadGuard(), position: .before(codec))
        try pipeline.addHandler(ResponseGuard(connection), position: .after(codec))
        if let connection { try pipeline.addHandler(connection) }
      } catch {
        return channel.eventLoop.makeFailedFuture(error)
      }
      return next?(channel) ?? channel.eventLoop.makeSucceededVoidFuture()
    }

    /// The chain is not to be seen: `nioSSL_peerValidatedCertificateChain` is nil without a verification callback,
    /// which the engine cannot set.
    private func check(_ channel: any Channel) throws {
      let pipeline = channel.pipeline.syncOperations
      guard (try? pipeline.context(handlerType: NIOSSLClientHandler.self)) != nil else {
        // Only https is spoken where there is a host: TLS is not NIOSSL's, and nothing is known of it.
        guard let host, trust.looksAtChain else { return }
        throw ExchangeError(
          .unsupported,
          "the certificate of \(host) cannot be seen on event loops of this kind",
          advice: "make the transport with a MultiThreadedEventLoopGroup"
        )
      }
      let isVerified = trust.verification == .full
      guard isVerified || trust.looksAtChain else { return }
      guard let certificate = try pipeline.nioSSL_peerCertificate() else {
        throw ExchangeError(.tls(.refused), "\(host ?? "the peer") showed no certificate")
      }
      if isVerified { try CertificateName(certificate: certificate).check(on: channel) }
      guard trust.looksAtChain else { return }
      let leaf = try Certificate(der: certificate.toDERBytes())
      try trust.check(Trust.Peer(host: host ?? "", chain: [leaf], isVerified: isVerified))
    }
  }
#endif
