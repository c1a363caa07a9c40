#if AsyncHTTPClient
  import AsyncHTTPClient
  import NIOCore
  import NIOHTTP1
  import NIOHTTP2
  import NIOPosix
  import NIOSSL
  import StagecoachCore
  import StagecoachTransportKit

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// Maps the errors of AsyncHTTPClient and SwiftNIO to ``ExchangeError/Kind``.
  struct EngineFailure {
    /// The authority of the request.
    private let host: String
    private let isHeadReceived: Bool
    /// The proxy, while nothing was sent through it.
    private let proxy: ProxyAnswer?

    /// - Parameters:
    ///   - proxy: The proxy of a request that was not yet written to a connection.
    ///   - isConnected: Whether the request was about to be written to a connection.
    ///   - isReused: Whether that connection had served another request before, if known.
    static func map(
      _ error: any Error,
      host: String,
      proxy: ProxyAnswer? = nil,
      isConnected: Bool,
      isReused: Bool?,
      isHeadReceived: Bool,
      isShutDown: Bool
    ) -> any Error {
      if error is CancellationError { return error }
      if var ours = error as? ExchangeError {
        ours.requestMayHaveBeenSent = ours.requestMayHaveBeenSent ?? isConnected
        ours.connectionWasReused = isReused
        return proxy?.named(ours) ?? ours
      }
      let engine = EngineFailure(host: host, isHeadReceived: isHeadReceived, proxy: proxy)
      var failure: ExchangeError
      if isShutDown {
        failure = ExchangeError(
          .shutdown,
          "the transport was shut down while the transfer was under way",
          underlying: error
        )
      } else if let answer = engine.answer(error) {
        failure = answer
      } else {
        let (kind, message) = engine.describe(error)
        failure = ExchangeError(kind, message)
        if kind == .tls(.untrusted) { failure.advice = engine.untrustedAdvice }
        // An error whose text names places in the engine's sources is only told in the message.
        if !EngineText(error).hasSources { failure.underlying = error }
      }
      if case .limit(.responseHead) = failure.kind { failure.setLimitOfEngine("256 fields, 80 KiB each") }
      failure.requestMayHaveBeenSent = isConnected && !isRefusedStream(error)
      failure.connectionWasReused = isReused
      return failure
    }

    /// The peer did not process the request (RFC 9113 8.7, 6.8).
    private static func isRefusedStream(_ error: any Error) -> Bool {
      (error as? NIOHTTP2Errors.StreamClosed)?.errorCode == .refusedStream
        || error is NIOHTTP2Errors.CreatedStreamAfterGoaway
    }

    /// The answer of a proxy that does not connect.
    private func answer(_ error: any Error) -> ExchangeError? {
      guard let proxy else { return nil }
      if let error = error as? HTTPClientError {
        switch error {
        case .proxyAuthenticationRequired: return proxy.connect(status: 407)
        case .invalidProxyResponse: return proxy.connect(status: nil)
        case .socksHandshakeTimeout, .httpProxyHandshakeTimeout:
          return proxy.error(.timeout(.connect), "\(proxy.name) accepted the connection, but did not answer")
        default: return nil
        }
      }
      let first = (error as? NIOConnectionError)?.connectionErrors.first?.error ?? error
      if (first as? IOError)?.errnoCode == ECONNREFUSED { return proxy.down() }
      // The types of NIOSOCKS are not available here.
      let type = String(reflecting: type(of: error))
      guard type.hasPrefix("NIOSOCKS.") else { return nil }
      if let reply = Mirror(reflecting: error).descendant("reply", "value") as? UInt8 {
        return proxy.socks(reply: reply)
      }
      if type.contains("Authentication") { return proxy.wantsAuthentication }
      if type.hasSuffix("InvalidProtocolVersion") {
        return proxy.error(.connectionFailed, "\(proxy.name) does not speak SOCKS 5")
      }
      return proxy.error(
        .connectionFailed,
        "\(proxy.name) broke the protocol SOCKS 5: \(EngineText(error).text)"
      )
    }

    /// The peer that a connection is made to.
    private var peer: String { proxy?.name ?? host }

    private typealias Story = (ExchangeError.Kind, String)

    private func describe(_ error: any Error) -> Story {
      switch error {
      case let error as HTTPClientError: return describe(error)
      case let error as NIOConnectionError: return describe(error)
      case let error as IOError: return describe(error)
      case let error as ChannelError: return describe(error)
      case let error as HTTPParserError: return describe(error)
      case let error as NIOSSLError: return describe(error)
      case let error as NIOSSLExtraError:
        return error == .failedToValidateHostname
          ? (.tls(.hostMismatch), "the certificate of \(host) is for another name: \(error.description)")
          : (.tls(.handshake), "TLS with \(host) failed: \(error.description)")
      case let error as BoringSSLError: return describeTLS(EngineText(error).text)
      case _ where Self.isRefusedStream(error):
        return (.connectionReset, "\(host) refused the stream of the request, and has not processed it")
      case let error as NIOHTTP2Errors.StreamClosed:
        return (
          .connectionReset,
          "\(host) reset the stream \(isHeadReceived ? "before the body was complete" : "before it answered"): "
            + "\(error.errorCode)"
        )
      default:
        let text = String(reflecting: type(of: error))
        if text.hasPrefix("NIOHTTP2.") || text.hasPrefix("NIOHTTP1.") {
          return (.protocolViolation, "\(host) broke the protocol: \(EngineText(error).text)")
        }
        return (.transport, EngineText(error).text)
      }
    }

    private func describe(_ error: HTTPClientError) -> Story {
      switch error {
      case .remoteConnectionClosed: return closed
      // This transport never causes this error itself: the request met a connection that was about to be closed.
      case .cancelled: return (.connectionReset, "\(host) was closing the connection of the request")
      case .connectTimeout: return (.timeout(.connect), "the engine gave up connecting to \(peer)")
      case .tlsHandshakeTimeout: return (.timeout(.connect), "\(host) did not finish the TLS handshake")
      case .getConnectionFromPoolTimeout:
        return (.timeout(.pool), "no connection became free within the engine's limit")
      case .readTimeout, .writeTimeout: return (.timeout(.idle), "the engine's limit for pauses: \(error)")
      case .deadlineExceeded: return (.timeout(.head), "the engine's deadline passed")
      case .alreadyShutdown: return (.shutdown, "the transport was shut down")
      case .bodyLengthMismatch, .writeAfterRequestSent, .requestStreamCancelled:
        return (.requestBody, "the request body was not sent completely: \(error)")
      case .invalidURL, .emptyHost, .emptyScheme, .traceRequestWithBody, .contentLengthMissing,
        .identityCodingIncorrectlyPresent:
        return (.invalidRequest, "the engine refused the request: \(error)")
      case .uncleanShutdown: return closed
      default: return (.transport, "\(error)")
      }
    }

    private func describe(_ error: NIOConnectionError) -> Story {
      if let first = error.connectionErrors.first?.error { return describe(first) }
      let place = proxy.map { "\(error.host), the host of \($0.name)," } ?? error.host
      if error.dnsAError != nil || error.dnsAAAAError != nil {
        return (.nameResolution, "\(place) could not be resolved")
      }
      return (.connectionFailed, "no address of \(place) accepted a connection")
    }

    private func describe(_ error: IOError) -> Story {
      switch error.errnoCode {
      case ECONNREFUSED: (.connectionRefused, "nothing listens at the address of \(host)")
      // For the path of a Unix socket.
      case ENOENT: (.connectionRefused, "the socket for \(host) does not exist")
      case ECONNRESET, EPIPE:
        isHeadReceived
          ? (.connectionReset, "\(host) reset the connection before the body was complete")
          : (.connectionReset, "\(peers) reset the connection before it answered")
      case ETIMEDOUT: (.timeout(.connect), "the connection to \(peer) timed out")
      default: (.connectionFailed, "\(peer): \(String(cString: strerror(error.errnoCode)))")
      }
    }

    private func describe(_ error: ChannelError) -> Story {
      switch error {
      case .connectTimeout: (.timeout(.connect), "the engine gave up connecting to \(peer)")
      case .ioOnClosedChannel, .alreadyClosed, .eof, .inputClosed, .outputClosed: closed
      default: (.transport, "\(error)")
      }
    }

    private func describe(_ error: HTTPParserError) -> Story {
      switch error {
      case .invalidEOFState: closed
      case .headerOverflow:
        (.limit(.responseHead), "the head of the response is larger than the engine accepts")
      // For a malformed line end or transfer coding.
      case .unknown: (.protocolViolation, "\(host) sent malformed HTTP, and the parser gives no reason")
      default: (.protocolViolation, "\(host) sent malformed HTTP: \(error)")
      }
    }

    private func describe(_ error: NIOSSLError) -> Story {
      switch error {
      case .uncleanShutdown: closed
      case .handshakeFailed(let reason): describeTLS(EngineText(reason).text)
      // Both were read before: BoringSSL compares them.
      case .failedToLoadPrivateKey, .failedToLoadCertificate:
        (.tls(.identity), "the private key of the client identity does not match its certificate")
      default: (.tls(.handshake), "TLS with \(host) failed: \(error)")
      }
    }

    /// It is not known which of both is the reason, and a certificate that has expired must not be trusted.
    private var untrustedAdvice: String {
      "look at its dates and its issuer: one that has expired must be renewed, an issuer of your own must be trusted"
    }

    /// The names of BoringSSL's errors have the reason; all certificate errors share one name.
    private func describeTLS(_ reason: String) -> Story {
      if reason.contains("CERTIFICATE_VERIFY_FAILED") {
        return (
          .tls(.untrusted),
          "the certificate of \(host) is not trusted: its issuer is not trusted, or it is not valid now (\(reason))"
        )
      }
      if reason.contains("CERTIFICATE_REQUIRED") {
        return (.tls(.alert), "\(host) requires a client certificate (\(reason))")
      }
      if reason.contains("UNSUPPORTED_PROTOCOL") || reason.contains("ALERT_PROTOCOL_VERSION") {
        return (.tls(.handshake), "\(host) and the client have no version of TLS in common (\(reason))")
      }
      if reason.contains("WRONG_VERSION_NUMBER") || reason.contains("HTTP_REQUEST") {
        return (.tls(.handshake), "\(host) does not speak TLS there (\(reason))")
      }
      if reason.contains("ALERT") {
        return (.tls(.alert), "\(host) ended TLS with an alert (\(reason))")
      }
      return (.tls(.handshake), "TLS with \(host) failed (\(reason))")
    }

    private var closed: Story {
      isHeadReceived
        ? (.incompleteBody, "the connection to \(host) was closed before the body was complete")
        : (.connectionReset, "\(peers) closed the connection before it answered")
    }

    /// The peers of a connection that may have ended before or behind the proxy.
    private var peers: String { proxy.map { "\($0.name), or \(host) behind it," } ?? host }
  }
#endif
