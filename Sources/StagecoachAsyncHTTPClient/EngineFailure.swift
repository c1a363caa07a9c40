#if AsyncHTTPClient
  import AsyncHTTPClient
  import NIOCore
  import NIOHTTP1
  import NIOPosix
  import NIOSSL
  import Stagecoach

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// Translates what AsyncHTTPClient and SwiftNIO throw into our kinds.
  enum EngineFailure {
    static func map(
      _ error: any Error,
      isConnected: Bool,
      isHeadReceived: Bool,
      isShutDown: Bool
    ) -> any Error {
      if error is CancellationError { return error }
      if var ours = error as? ExchangeError {
        ours.requestMayHaveBeenSent = ours.requestMayHaveBeenSent ?? isConnected
        return ours
      }
      let (kind, message) =
        isShutDown
        ? (.shutdown, "the transport was shut down while the transfer was under way")
        : describe(error, isHeadReceived: isHeadReceived)
      var failure = ExchangeError(kind, message, advice: advice(for: kind), underlying: error)
      if case .limit(.responseHead) = kind {
        failure.limit = ExchangeError.Limit(
          option: "responseHeadLimit",
          value: "256 fields, 80 KiB each (engine)"
        )
      }
      failure.requestMayHaveBeenSent = isConnected
      return failure
    }

    private typealias Story = (ExchangeError.Kind, String)

    private static func describe(_ error: any Error, isHeadReceived: Bool) -> Story {
      switch error {
      case let error as HTTPClientError: return describe(error, isHeadReceived)
      case let error as NIOConnectionError: return describe(error)
      case let error as IOError: return describe(error, isHeadReceived)
      case let error as ChannelError: return describe(error, isHeadReceived)
      case let error as HTTPParserError: return describe(error, isHeadReceived)
      case let error as NIOSSLError: return describe(error, isHeadReceived)
      case let error as NIOSSLExtraError:
        return error == .failedToValidateHostname
          ? (.tls(.hostMismatch), "the certificate is for another name: \(error.description)")
          : (.tls(.handshake), error.description)
      case let error as BoringSSLError: return (.tls(.handshake), "TLS failed: \(error)")
      default:
        let text = String(reflecting: type(of: error))
        if text.hasPrefix("NIOHTTP2.") || text.hasPrefix("NIOHTTP1.") {
          return (.protocolViolation, "the peer broke the protocol: \(error)")
        }
        return (.transport, String(describing: error))
      }
    }

    private static func describe(_ error: HTTPClientError, _ isHeadReceived: Bool) -> Story {
      switch error {
      case .remoteConnectionClosed: return closed(isHeadReceived)
      case .connectTimeout, .socksHandshakeTimeout, .httpProxyHandshakeTimeout, .tlsHandshakeTimeout:
        return (.timeout(.connect), "the engine gave up connecting: \(error)")
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
      case .uncleanShutdown: return closed(isHeadReceived)
      case .proxyAuthenticationRequired, .invalidProxyResponse:
        return (.connectionFailed, "the proxy refused: \(error)")
      default: return (.transport, "\(error)")
      }
    }

    private static func describe(_ error: NIOConnectionError) -> Story {
      if let first = error.connectionErrors.first?.error {
        return describe(first, isHeadReceived: false)
      }
      if error.dnsAError != nil || error.dnsAAAAError != nil {
        return (.nameResolution, "\(error.host) could not be resolved")
      }
      return (.connectionFailed, "no address of \(error.host) could be connected to")
    }

    private static func describe(_ error: IOError, _ isHeadReceived: Bool) -> Story {
      switch error.errnoCode {
      case ECONNREFUSED: (.connectionRefused, "nothing listens at that address")
      case ECONNRESET, EPIPE:
        isHeadReceived
          ? (.connectionReset, "the peer reset the connection before the body was complete")
          : (.connectionReset, "the peer reset the connection before it answered")
      case ETIMEDOUT: (.timeout(.connect), "the connection timed out")
      default: (.connectionFailed, String(cString: strerror(error.errnoCode)))
      }
    }

    private static func describe(_ error: ChannelError, _ isHeadReceived: Bool) -> Story {
      switch error {
      case .connectTimeout: (.timeout(.connect), "the engine gave up connecting")
      case .ioOnClosedChannel, .alreadyClosed, .eof, .inputClosed, .outputClosed: closed(isHeadReceived)
      default: (.transport, "\(error)")
      }
    }

    private static func describe(_ error: HTTPParserError, _ isHeadReceived: Bool) -> Story {
      switch error {
      case .invalidEOFState: closed(isHeadReceived)
      case .headerOverflow:
        (.limit(.responseHead), "the head of the response is larger than the engine reads")
      default: (.protocolViolation, "the peer sent no valid HTTP: \(error)")
      }
    }

    private static func describe(_ error: NIOSSLError, _ isHeadReceived: Bool) -> Story {
      switch error {
      case .uncleanShutdown: closed(isHeadReceived)
      case .handshakeFailed(let reason):
        handshake(String(describing: reason))
      default: (.tls(.handshake), "TLS failed: \(error)")
      }
    }

    private static func handshake(_ reason: String) -> Story {
      if reason.contains("CERTIFICATE_VERIFY_FAILED") {
        return (.tls(.untrusted), "the peer's certificate is not trusted (\(reason))")
      }
      if reason.contains("ALERT") {
        return (.tls(.alert), "the peer ended the TLS handshake with an alert (\(reason))")
      }
      return (.tls(.handshake), "the TLS handshake failed (\(reason))")
    }

    private static func closed(_ isHeadReceived: Bool) -> Story {
      isHeadReceived
        ? (.incompleteBody, "the connection was closed before the body was complete")
        : (.connectionReset, "the peer closed the connection before it answered")
    }

    private static func advice(for kind: ExchangeError.Kind) -> String? {
      switch kind {
      case .connectionRefused: "check host and port, and that the server runs"
      case .nameResolution: "check the spelling of the host and the resolver of this machine"
      case .tls(.untrusted): "trust the issuer through the transport's TLS configuration"
      case .tls(.hostMismatch): "use the name that the certificate is for"
      default: nil
      }
    }
  }
#endif
