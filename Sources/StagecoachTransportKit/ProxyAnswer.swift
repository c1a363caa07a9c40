public import HTTPTypes
public import StagecoachCore

/// The errors of a proxy that does not connect to the origin, in the same words for every engine.
///
/// Permanent refusals, such as of a password, have kind `proxyRefused`; other failures have kind
/// `connectionFailed`. The request was not sent in either case.
public struct ProxyAnswer: Sendable {
  /// The proxy, as text without credentials.
  public let name: String
  private let proxy: Proxy
  /// The host and port of the origin.
  private let destination: String
  private let isSecure: Bool

  /// - Parameters:
  ///   - proxy: The proxy.
  ///   - head: The head of the request.
  public init(of proxy: Proxy, to head: HTTPRequest) {
    self.proxy = proxy
    name = "the proxy \(proxy)"
    let authority = head.authority ?? ""
    isSecure = head.scheme == "https"
    let hasPort = HostAndPort(authority)?.port != nil
    destination = hasPort ? authority : "\(authority):\(isSecure ? 443 : 80)"
  }

  // MARK: HTTP

  /// Returns the error for a response to CONNECT that is not 2xx (RFC 9110 9.3.6).
  ///
  /// - Parameters:
  ///   - status: The status; `nil` if the engine does not report it.
  ///   - schemes: The authentication schemes that the proxy offers, if known.
  public func connect(status: Int?, offering schemes: [String] = []) -> ExchangeError {
    var ports = "check that the proxy allows connections to \(destination): many only allow port 443"
    if !isSecure, proxy.authentication == .basic { ports += "; CURL forwards http requests without CONNECT" }
    guard let status = status.map(Self.status) else {
      return error(
        .proxyRefused,
        "\(name) refused CONNECT \(destination) with a status that the engine does not report",
        advice: ports
      )
    }
    var message = "\(name) answered CONNECT \(destination) with \(Format.status(status))"
    var result: ExchangeError
    switch status.code {
    case 407:
      if !schemes.isEmpty { message += " and offers \(schemes.joined(separator: ", "))" }
      result = error(.proxyRefused, message, advice: authenticationAdvice(schemes))
    case 408, 429, 500...:
      result = error(.connectionFailed, message, advice: "check host and port; the proxy may not reach them")
    default: result = error(.proxyRefused, message, advice: ports)
    }
    result.response = HTTPResponse(status: status)
    return result
  }

  private static func status(_ code: Int) -> HTTPResponse.Status {
    let known: [HTTPResponse.Status] = [
      .badRequest, .unauthorized, .forbidden, .notFound, .methodNotAllowed, .proxyAuthenticationRequired,
      .tooManyRequests, .internalServerError, .notImplemented, .badGateway, .serviceUnavailable,
      .gatewayTimeout,
    ]
    return known.first { $0.code == code } ?? HTTPResponse.Status(code: min(max(code, 0), 999))
  }

  private func authenticationAdvice(_ schemes: [String]) -> String {
    let digest = "set its authentication to .digest, over a transport with proxyDigest, such as CURL"
    guard proxy.user != nil else { return "give the proxy a name and a password" }
    switch (proxy.authentication, schemes.isEmpty) {
    case (.basic, false) where !schemes.contains("Basic") && schemes.contains("Digest"):
      return "use Digest for the proxy: \(digest)"
    case (.digest, false) where !schemes.contains("Digest"):
      return "use a scheme that the proxy offers: set its authentication to .basic"
    case (.basic, true):
      return "check the name and the password of the proxy; if it only takes Digest, \(digest)"
    default: return "check the name and the password of the proxy"
    }
  }

  // MARK: SOCKS

  /// Returns the error for a reply of SOCKS 5 that is not 0 (RFC 1928 6).
  public func socks(reply: UInt8) -> ExchangeError {
    let (kind, words): (ExchangeError.Kind, String) =
      switch reply {
      case 1: (.connectionFailed, "general failure of the proxy")
      case 2: (.proxyRefused, "not allowed by the rules of the proxy")
      case 3: (.connectionFailed, "network unreachable")
      case 4: (.connectionFailed, "host unreachable")
      case 5: (.connectionFailed, "connection refused")
      case 6: (.connectionFailed, "TTL expired")
      case 7: (.proxyRefused, "command not supported")
      case 8: (.proxyRefused, "address type not supported")
      default: (.connectionFailed, "unknown reason")
      }
    let advice =
      kind == .proxyRefused
      ? "check that the proxy allows connections to \(destination)"
      : "check host and port; the proxy may not reach them"
    return error(
      kind,
      "\(name) did not connect to \(destination): \(words) (SOCKS reply \(reply))",
      advice: advice
    )
  }

  /// The error for a SOCKS proxy that accepts none of the offered ways to authenticate (RFC 1928 3).
  public var wantsAuthentication: ExchangeError {
    error(
      .proxyRefused,
      "\(name) requires a way to authenticate that it was not offered",
      advice: proxy.user == nil
        ? "give the proxy a name and a password, over a transport that sends them to SOCKS proxies, such as CURL"
        : "check what the proxy accepts: it was offered a name and a password"
    )
  }

  /// The error for a SOCKS proxy that refuses the name or the password (RFC 1929 2).
  public var refusesPassword: ExchangeError {
    error(
      .proxyRefused,
      "\(name) refused the name or the password",
      advice: "check the name and the password of the proxy"
    )
  }

  // MARK: Others

  /// Returns an error of this kind for a proxy at whose address nothing listens.
  ///
  /// - Parameter detail: The text of the engine, if it tells more.
  public func down(_ detail: String? = nil) -> ExchangeError {
    error(
      .connectionRefused,
      "nothing listens at the address of \(name)" + (detail.map { " (\($0))" } ?? ""),
      advice: "check the address of the proxy, and that it is running"
    )
  }

  /// Returns the error of the given kind and message, for a request that was not sent.
  public func error(_ kind: ExchangeError.Kind, _ message: String, advice: String? = nil) -> ExchangeError {
    var error = ExchangeError(kind, message, advice: advice)
    error.requestMayHaveBeenSent = false
    return error
  }

  /// Returns an error that names the proxy too, if the phase that took too long was that of connecting.
  public func named(_ error: any Error) -> any Error {
    guard var error = error as? ExchangeError, error.kind == .timeout(.connect) else { return error }
    error.message += ", by way of \(name)"
    return error
  }
}
