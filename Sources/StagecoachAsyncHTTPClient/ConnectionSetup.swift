#if AsyncHTTPClient
  import NIOCore
  import NIOHTTP1
  import NIOHTTP2
  import NIOSSL
  import StagecoachCore

  /// Sets up each new connection of an engine, after the TLS handshake and before any request.
  struct ConnectionSetup: Sendable {
    typealias Initializer = @Sendable (any Channel) -> EventLoopFuture<Void>

    let trust: Trust
    let host: String?
    let loops: [LoadedEventLoop]
    let time: any TimeSource

    /// Checks the certificate of the peer and adds the handler that reports the connection to its transfers.
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
        // Over HTTP/2, responses arrive on streams.
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
        // The engine does not close a connection that is refused here. It is closed later, because the pool must learn
        // of the refusal before it learns of the end.
        channel.eventLoop.execute { channel.close(promise: nil) }
        return channel.eventLoop.makeFailedFuture(error)
      }
      return next?(channel) ?? channel.eventLoop.makeSucceededVoidFuture()
    }

    /// Adds the handler that reports the connection to the transfer of an HTTP/2 stream.
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

    /// The chain is not available: `nioSSL_peerValidatedCertificateChain` is nil without a verification callback, which
    /// the engine cannot set.
    private func check(_ channel: any Channel) throws {
      let pipeline = channel.pipeline.syncOperations
      guard (try? pipeline.context(handlerType: NIOSSLClientHandler.self)) != nil else {
        // A host is only given for https: TLS is not NIOSSL's here, so the certificate is not available.
        guard let host, trust.examinesChain else { return }
        throw ExchangeError(
          .unsupported,
          "the certificate of \(host) cannot be seen on event loops of this kind",
          advice: "make the transport with a MultiThreadedEventLoopGroup"
        )
      }
      let isVerified = trust.verification == .full
      guard isVerified || trust.examinesChain else { return }
      guard let certificate = try pipeline.nioSSL_peerCertificate() else {
        throw ExchangeError(.tls(.refused), "\(host ?? "the peer") showed no certificate")
      }
      if isVerified { try CertificateName(certificate: certificate).check(on: channel) }
      guard trust.examinesChain else { return }
      let leaf = try Certificate(der: certificate.toDERBytes())
      try trust.evaluate(Trust.Peer(host: host ?? "", chain: [leaf], isVerified: isVerified))
    }
  }
#endif
