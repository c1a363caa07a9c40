#if Tool
  import NIOCore
  import NIOPosix
  import NIOSSL
  import NIOTLS

  /// A TLS listener that forwards the decrypted bytes to a plain port of this machine, which adds TLS to any server.
  ///
  /// ```swift
  /// import Foundation
  ///
  /// let chain = try String(contentsOfFile: "chain.pem", encoding: .utf8)
  /// let key = try String(contentsOfFile: "key.pem", encoding: .utf8)
  /// let origin = try await Origin.start()
  /// let front = try await TLSFront.start(.init(chainPEM: chain, keyPEM: key), to: origin.port)
  /// defer { front.stop() }
  /// ```
  public final class TLSFront: Sendable {
    /// The TLS configuration.
    public struct Configuration: Sendable {
      /// The certificate chain in PEM, with the server's certificate first.
      public var chainPEM: String
      /// The private key in PEM.
      public var keyPEM: String
      /// The protocols offered by ALPN, in order of preference; HTTP/1.1 by default (RFC 7301).
      public var protocols = ["http/1.1"]
      /// The root certificates for client certificates, in PEM; `nil`, the default, to request none.
      public var clientRootsPEM: String?
      /// The supported versions of TLS; by default all that the library supports.
      public var versions = Versions.all
      /// Whether connections end without close_notify (RFC 8446 6.1); `false` by default.
      public var endsAbruptly = false

      /// Creates a configuration with a certificate chain and a key.
      public init(chainPEM: String, keyPEM: String) {
        self.chainPEM = chainPEM
        self.keyPEM = keyPEM
      }

      /// Versions of TLS.
      @nonexhaustive
      public enum Versions: Sendable, Hashable {
        /// All versions that the library supports.
        case all
        /// TLS 1.1 and earlier, which are obsolete (RFC 8996).
        case outdated
        /// Only TLS 1.2 (RFC 5246).
        case only12
        /// Only TLS 1.3 (RFC 8446).
        case only13

        fileprivate var range: (oldest: TLSVersion, newest: TLSVersion)? {
          switch self {
          case .all: nil
          case .outdated: (.tlsv1, .tlsv11)
          case .only12: (.tlsv12, .tlsv12)
          case .only13: (.tlsv13, .tlsv13)
          }
        }
      }

      fileprivate func context() throws -> NIOSSLContext {
        let chain = try NIOSSLCertificate.fromPEMBytes(Array(chainPEM.utf8))
        var configuration = TLSConfiguration.makeServerConfiguration(
          certificateChain: chain.map { .certificate($0) },
          privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(keyPEM.utf8), format: .pem))
        )
        configuration.applicationProtocols = protocols
        if let clientRootsPEM {
          configuration.trustRoots = .certificates(
            try NIOSSLCertificate.fromPEMBytes(Array(clientRootsPEM.utf8))
          )
          configuration.certificateVerification = .noHostnameVerification
        }
        if let range = versions.range {
          configuration.minimumTLSVersion = range.oldest
          configuration.maximumTLSVersion = range.newest
        }
        return try NIOSSLContext(configuration: configuration)
      }
    }

    /// The TCP port.
    public let port: Int

    private let listener: any Channel

    deinit {
      stop()
    }

    private init(_ listener: any Channel) {
      self.listener = listener
      port = listener.localAddress?.port ?? 0
    }

    /// Starts a listener on a free port.
    ///
    /// - Parameters:
    ///   - configuration: The TLS configuration.
    ///   - host: The address to listen on; `127.0.0.1` by default.
    ///   - port: The port of the plain server, on `127.0.0.1`.
    /// - Throws: ``OriginError`` if it cannot listen or the certificates are invalid.
    public static func start(
      _ configuration: Configuration,
      host: String = "127.0.0.1",
      to port: Int
    ) async throws -> TLSFront {
      let context: NIOSSLContext
      do { context = try configuration.context() } catch { throw OriginError.invalidCertificate("\(error)") }
      let endsAbruptly = configuration.endsAbruptly
      do {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
          .serverChannelOption(.backlog, value: 1024)
          .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
          .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
          .childChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
              let tls = NIOSSLServerHandler(context: context)
              try channel.pipeline.syncOperations.addHandler(tls, name: "tls")
              try channel.pipeline.syncOperations.addHandler(FrontHandler(port, endsAbruptly: endsAbruptly))
            }
          }
          .bind(host: host, port: 0).get()
        return TLSFront(listener)
      } catch {
        throw OriginError.cannotListen("\(error)")
      }
    }

    /// Stops listening. Existing connections continue until one side closes them.
    public func stop() {
      listener.close(promise: nil)
    }
  }

  /// Connects to the plain port once TLS is agreed on, and passes bytes both ways, as fast as the slower side takes
  /// them.
  private final class FrontHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let port: Int
    private let endsAbruptly: Bool
    private var back: (any Channel)?
    private var early: [ByteBuffer] = []
    private var hasEnded = false
    /// Whether more is to be read once the other side takes it.
    private var holdsRead = false

    init(_ port: Int, endsAbruptly: Bool) {
      self.port = port
      self.endsAbruptly = endsAbruptly
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if case .some(.handshakeCompleted) = event as? TLSUserEvent { connect(context) }
      context.fireUserInboundEventTriggered(event)
    }

    private func connect(_ context: ChannelHandlerContext) {
      let front = NIOLoopBound(self, eventLoop: context.eventLoop)
      let frontContext = NIOLoopBound(context, eventLoop: context.eventLoop)
      ClientBootstrap(group: context.eventLoop)
        .channelOption(.tcpOption(.tcp_nodelay), value: 1)
        .channelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(BackHandler(front.value, frontContext.value))
          }
        }
        .connect(host: "127.0.0.1", port: port)
        .whenComplete { result in
          switch result {
          case .success(let channel): front.value.use(channel, frontContext.value)
          case .failure: frontContext.value.close(promise: nil)
          }
        }
    }

    private func use(_ channel: any Channel, _ context: ChannelHandlerContext) {
      guard !hasEnded else { return channel.close(promise: nil) }
      back = channel
      for buffer in early { channel.write(buffer, promise: nil) }
      channel.flush()
      early = []
      goOn(context)
    }

    /// Whether the plain side takes more; there is some room before it is there.
    private var isWritable: Bool { back?.isWritable ?? early.isEmpty }

    func read(context: ChannelHandlerContext) {
      holdsRead = !isWritable
      if !holdsRead { context.read() }
    }

    /// The plain side takes more.
    fileprivate func goOn(_ context: ChannelHandlerContext) {
      guard holdsRead, isWritable else { return }
      holdsRead = false
      context.read()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
      if context.channel.isWritable { back?.read() }
      context.fireChannelWritabilityChanged()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let buffer = unwrapInboundIn(data)
      guard let back else { return early.append(buffer) }
      back.writeAndFlush(buffer, promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
      hasEnded = true
      back?.close(promise: nil)
      context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      context.close(promise: nil)
    }

    /// The plain side has closed.
    fileprivate func end(_ context: ChannelHandlerContext) {
      guard !hasEnded else { return }
      hasEnded = true
      if endsAbruptly, let tls = try? context.pipeline.syncOperations.context(name: "tls") {
        // From below TLS, which would say goodbye.
        tls.close(promise: nil)
      } else {
        context.close(promise: nil)
      }
    }
  }

  private final class BackHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let front: FrontHandler
    private let frontContext: ChannelHandlerContext

    init(_ front: FrontHandler, _ frontContext: ChannelHandlerContext) {
      self.front = front
      self.frontContext = frontContext
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      frontContext.writeAndFlush(data, promise: nil)
    }

    /// Held while the other side does not take what there is; its change of that reads again.
    func read(context: ChannelHandlerContext) {
      if frontContext.channel.isWritable { context.read() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
      if context.channel.isWritable { front.goOn(frontContext) }
      context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
      front.end(frontContext)
      context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      context.close(promise: nil)
    }
  }

  extension TLSFront.Configuration: CustomStringConvertible, CustomReflectable {
    /// The protocols and versions, without the key.
    public var description: String { "TLS \(versions) with \(protocols.joined(separator: ", "))" }

    /// A mirror without the key.
    public var customMirror: Mirror {
      Mirror(self, children: ["protocols": protocols, "versions": versions])
    }
  }
#endif
