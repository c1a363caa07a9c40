#if CURL
  import CCurl
  import HTTPTypes
  import StagecoachCore
  import StagecoachTransportKit

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// Maps curl's errors to ``ExchangeError/Kind``.
  enum EngineFailure {
    private typealias Story = (ExchangeError.Kind, String)

    /// Returns the error for a failure of curl.
    ///
    /// - Parameters:
    ///   - head: The head of the request.
    ///   - isSent: Whether curl was allowed to send the request.
    ///   - hasHead: Whether the head of the response has arrived.
    static func map(
      _ code: CURLcode,
      of easy: EasyHandle,
      _ head: HTTPRequest,
      isSent: Bool,
      hasHead: Bool
    ) -> any Error {
      let proxy = isSent ? nil : easy.proxy.map { ProxyAnswer(of: $0, to: head) }
      if let answer = proxy.flatMap({ answer(code, easy, $0) }) { return answer }
      let (kind, message) = describe(code, easy, hasHead, proxy)
      let detail = easy.errorText.isEmpty ? String(cString: curl_easy_strerror(code)) : easy.errorText
      var failure = ExchangeError(kind, "\(message) (\(detail))")
      failure.requestMayHaveBeenSent = isSent
      if case .limit(.responseHead) = kind { failure.setLimitOfEngine("100 KiB for a line, 300 KiB for all") }
      if isSent { failure.connectionWasReused = code == CURLE_SEND_FAIL_REWIND || easy.connectionCount == 0 }
      return failure
    }

    /// Completes an error of this transport with whether the request may have been sent.
    static func finished(_ error: any Error, isSent: Bool) -> any Error {
      guard var failure = error as? ExchangeError else { return error }
      failure.requestMayHaveBeenSent = failure.requestMayHaveBeenSent ?? isSent
      return failure
    }

    /// A reused connection died before the response.
    static let diedUnanswered: ExchangeError = {
      var error = ExchangeError(
        .connectionReset,
        "the peer closed the connection, which had been kept from an earlier request, before it answered"
      )
      error.requestMayHaveBeenSent = true
      error.connectionWasReused = true
      return error
    }()

    /// The peer did not process a request on a new connection.
    static let refusedStream: ExchangeError = {
      var error = ExchangeError(
        .connectionReset,
        "the peer refused the stream of the request, which it did not process (RFC 9113 8.7)"
      )
      error.requestMayHaveBeenSent = false
      return error
    }()

    /// The content of a 417, which curl skips if it was waiting for a 100.
    static let ignoredContent: ExchangeError = {
      var error = ExchangeError(.incompleteBody, "libcurl does not hand over the content of this 417")
      error.requestMayHaveBeenSent = true
      return error
    }()

    /// Returns the error for the answer of a proxy that does not connect; `nil` for other failures.
    private static func answer(_ code: CURLcode, _ easy: EasyHandle, _ proxy: ProxyAnswer) -> ExchangeError? {
      guard code == CURLE_PROXY else {
        if code == CURLE_COULDNT_CONNECT, easy.systemError == Int(ECONNREFUSED) { return proxy.down() }
        let status = easy.connectStatus
        guard status >= 300 else { return nil }
        return proxy.connect(status: status, offering: status == 407 ? easy.offeredProxySchemes : [])
      }
      switch easy.proxyError {
      case CURLPX_REPLY_GENERAL_SERVER_FAILURE: return proxy.socks(reply: 1)
      case CURLPX_REPLY_NOT_ALLOWED: return proxy.socks(reply: 2)
      case CURLPX_REPLY_NETWORK_UNREACHABLE: return proxy.socks(reply: 3)
      case CURLPX_REPLY_HOST_UNREACHABLE: return proxy.socks(reply: 4)
      case CURLPX_REPLY_CONNECTION_REFUSED: return proxy.socks(reply: 5)
      case CURLPX_REPLY_TTL_EXPIRED: return proxy.socks(reply: 6)
      case CURLPX_REPLY_COMMAND_NOT_SUPPORTED: return proxy.socks(reply: 7)
      case CURLPX_REPLY_ADDRESS_TYPE_NOT_SUPPORTED: return proxy.socks(reply: 8)
      case CURLPX_NO_AUTH: return proxy.wantsAuthentication
      case CURLPX_USER_REJECTED: return proxy.refusesPassword
      // A proxy may close the connection instead of an answer to the password, which is not sent again.
      case CURLPX_CLOSED where easy.proxy?.user != nil, CURLPX_RECV_AUTH:
        return proxy.error(
          .proxyRefused,
          "\(proxy.name) closed the connection, maybe because of the name or the password (\(easy.errorText))"
        )
      case CURLPX_IDENTD, CURLPX_IDENTD_DIFFER:
        return proxy.error(.proxyRefused, "\(proxy.name) refused the user name (\(easy.errorText))")
      case CURLPX_RESOLVE_HOST:
        return proxy.error(
          .nameResolution,
          "the host could not be resolved for \(proxy.name) (\(easy.errorText))"
        )
      default:
        return proxy.error(.connectionFailed, "\(proxy.name) did not connect (\(easy.errorText))")
      }
    }

    private static func describe(
      _ code: CURLcode,
      _ easy: EasyHandle,
      _ hasHead: Bool,
      _ proxy: ProxyAnswer?
    ) -> Story {
      switch code {
      case CURLE_OK, CURLE_GOT_NOTHING: closed(hasHead)
      case CURLE_COULDNT_RESOLVE_HOST: (.nameResolution, "the host could not be resolved")
      case CURLE_COULDNT_RESOLVE_PROXY:
        (.nameResolution, "the host of \(proxy?.name ?? "the proxy") could not be resolved")
      case CURLE_COULDNT_CONNECT: connection(easy, proxy)
      case CURLE_OPERATION_TIMEDOUT:
        (.timeout(.connect), "libcurl gave up connecting" + (proxy.map { " to \($0.name)" } ?? ""))
      case CURLE_SEND_ERROR, CURLE_RECV_ERROR: broken(easy, hasHead, proxy)
      case CURLE_SEND_FAIL_REWIND: (.connectionReset, diedUnanswered.message)
      case CURLE_PARTIAL_FILE: (.incompleteBody, "the connection was closed before the body was complete")
      case CURLE_HTTP2 where hasHead, CURLE_HTTP2_STREAM where hasHead, CURLE_HTTP3 where hasHead:
        (.incompleteBody, "the stream or its connection failed before the body was complete")
      // The second code is that of libcurl 8.
      case CURLE_SSL_CERTPROBLEM where concernsKey(easy), CURLE_BAD_FUNCTION_ARGUMENT where concernsKey(easy):
        (
          .tls(.identity),
          "the private key of the client identity is malformed or does not match its certificate"
        )
      // curl reports the last code for a field line.
      case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_HTTP2,
        CURLE_HTTP2_STREAM, CURLE_HTTP3, CURLE_BAD_FUNCTION_ARGUMENT:
        (.protocolViolation, "the peer sent malformed HTTP")
      case CURLE_OUT_OF_MEMORY where !hasHead, tooLarge where !hasHead:
        (.limit(.responseHead), "a line of the response head is longer than libcurl accepts")
      case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR: certificate(easy, peer(easy, proxy))
      case CURLE_SSL_CONNECT_ERROR: handshake(easy, peer(easy, proxy))
      case CURLE_SSL_CACERT_BADFILE: (.tls(.untrusted), "no root certificate could be used")
      case CURLE_SSL_CERTPROBLEM: (.tls(.identity), "the client identity could not be used")
      case CURLE_SSL_CLIENTCERT: (.tls(.alert), "the peer requires a client certificate")
      case CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED, CURLE_SSL_ENGINE_INITFAILED:
        (.tls(.handshake), "TLS failed")
      case CURLE_URL_MALFORMAT: (.invalidRequest, "libcurl cannot use the URL")
      case CURLE_INTERFACE_FAILED: (.connectionFailed, "the local address cannot be used")
      case CURLE_UPLOAD_FAILED: (.requestBody, "the request body could not be sent")
      default:
        easy.errorText.contains("chunk")
          ? (.protocolViolation, "the chunks of the body are malformed") : (.transport, "libcurl failed")
      }
    }

    /// Whether a failure concerns the private key of the client identity.
    private static func concernsKey(_ easy: EasyHandle) -> Bool {
      easy.errorText.hasPrefix("unable to set private key")
        || easy.errorText.hasPrefix("Private key does not match")
    }

    /// `CURLE_TOO_LARGE`, new in libcurl 8.6.
    private static let tooLarge = CURLcode(rawValue: 100)

    /// The peer of a TLS handshake that failed: an https proxy before it has answered CONNECT, otherwise the server.
    private static func peer(_ easy: EasyHandle, _ proxy: ProxyAnswer?) -> String {
      guard let proxy, easy.proxy?.kind == .https, easy.connectStatus == 0 else { return "the peer" }
      return proxy.name
    }

    private static func connection(_ easy: EasyHandle, _ proxy: ProxyAnswer?) -> Story {
      switch Int32(easy.systemError) {
      case ECONNREFUSED: (.connectionRefused, "nothing listens at that address")
      case ETIMEDOUT: (.timeout(.connect), "the connection\(proxy.map { " to \($0.name)" } ?? "") timed out")
      default: (.connectionFailed, "no connection\(proxy.map { " to \($0.name)" } ?? "") could be made")
      }
    }

    private static func broken(_ easy: EasyHandle, _ hasHead: Bool, _ proxy: ProxyAnswer?) -> Story {
      let text = easy.errorText
      if text.contains("chunk") { return (.protocolViolation, "the chunks of the body are malformed") }
      if text.contains("alert") { return (.tls(.alert), "the peer ended TLS with an alert") }
      if let proxy, text.contains("proxy") || text.contains("CONNECT") {
        return (.connectionFailed, "\(proxy.name) did not answer CONNECT")
      }
      if hasHead, easy.systemError != Int(ECONNRESET) { return closed(true) }
      if let proxy { return (.connectionReset, "\(proxy.name), or the peer behind it, reset the connection") }
      return (.connectionReset, "the peer reset the connection before the response was complete")
    }

    private static func closed(_ hasHead: Bool) -> Story {
      hasHead
        ? (.incompleteBody, "the connection was closed before the body was complete")
        : (.connectionReset, "the peer closed the connection before it answered")
    }

    /// OpenSSL's verification results for a certificate that is expired or not yet valid.
    private static let timeFaults: Set<Int> = [9, 10]

    private static func certificate(_ easy: EasyHandle, _ peer: String) -> Story {
      let text = easy.errorText
      // Tested first: this text contains names, which may contain any word.
      if text.contains("subject name") || text.contains("host name") || text.contains("hostname") {
        return (.tls(.hostMismatch), "the certificate of \(peer) is for another name")
      }
      if timeFaults.contains(easy.verificationResult) || text.contains("expired")
        || text.contains("not yet valid")
      {
        return (.tls(.expired), "the certificate of \(peer) is not valid at this time")
      }
      return (.tls(.untrusted), "the certificate of \(peer) is not trusted")
    }

    private static func handshake(_ easy: EasyHandle, _ peer: String) -> Story {
      // Without the host name, which may contain the word.
      let (text, place) = (easy.errorText, " in connection to ")
      return text[..<(text.firstRange(of: place)?.lowerBound ?? text.endIndex)].contains("alert")
        ? (.tls(.alert), "\(peer) ended the TLS handshake with an alert")
        : (.tls(.handshake), "the TLS handshake with \(peer) failed")
    }
  }
#endif
