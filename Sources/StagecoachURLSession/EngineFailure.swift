import Foundation
import HTTPTypes
import StagecoachCore
import StagecoachTransportKit

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Maps URLSession's errors to ``ExchangeError/Kind``.
///
/// On Linux most errors have the same code, so the text of libcurl takes precedence.
enum EngineFailure {
  private typealias Story = (kind: ExchangeError.Kind, message: String)

  /// - Parameters:
  ///   - proxy: The proxy of the request, if known.
  ///   - response: The head, if it arrived.
  ///   - wasStarted: Whether the engine was given the request.
  ///   - isConnected: Whether a connection is known to have been made.
  static func map(
    _ error: any Error,
    proxy: ProxyAnswer?,
    response: EngineHead?,
    wasStarted: Bool,
    isConnected: Bool
  ) -> any Error {
    if error is CancellationError { return error }
    var failure: ExchangeError
    if let ours = error as? ExchangeError {
      failure = ours
    } else if response == nil, let answer = proxy.flatMap({ answer(error as NSError, $0) }) {
      failure = answer
    } else {
      let (kind, message) = describe(error as NSError, response: response)
      failure = ExchangeError(kind, message, underlying: withoutURL(error))
      if (error as NSError).code == NSURLErrorAppTransportSecurityRequiresSecureConnection {
        failure.advice = "use https, or allow the host in NSAppTransportSecurity of the app's Info.plist"
      }
      if case .limit(.responseHead) = kind {
        failure.setLimitOfEngine("100 KiB for a field, 300 KiB for all")
      }
    }
    if failure.requestMayHaveBeenSent == nil {
      failure.requestMayHaveBeenSent = wasStarted && (isConnected || !isBeforeRequest(failure.kind))
    }
    return failure
  }

  /// Returns the error without the URL of the request, whose query may hold secrets: errors print their underlying
  /// error.
  private static func withoutURL(_ error: any Error) -> any Error {
    let original = error as NSError
    var information = original.userInfo
    information[NSURLErrorFailingURLErrorKey] = nil
    // NSURLErrorFailingURLStringErrorKey, which is deprecated but still set.
    information["NSErrorFailingURLStringKey"] = nil
    #if canImport(FoundationNetworking)
      // Both repeat the text, which is in the message.
      information[NSUnderlyingErrorKey] = nil
      information[NSLocalizedDescriptionKey] = nil
    #else
      if let cause = information[NSUnderlyingErrorKey] as? any Error {
        information[NSUnderlyingErrorKey] = withoutURL(cause)
      }
    #endif
    if let code = (error as? URLError)?.code { return URLError(code, userInfo: information) }
    return NSError(domain: original.domain, code: original.code, userInfo: information)
  }

  /// Returns the error for a proxy that is not there or does not connect, from the texts of libcurl; `nil` for other
  /// failures.
  private static func answer(_ error: NSError, _ proxy: ProxyAnswer) -> ExchangeError? {
    let text = error.localizedDescription
    if text.contains("SOCKS5 connection"),
      let reply = text.split(whereSeparator: { !$0.isNumber }).last.flatMap({ UInt8($0) })
    {
      return proxy.socks(reply: reply)
    }
    if text.hasPrefix("User was rejected") { return proxy.refusesPassword }
    if text.hasPrefix("No authentication method") { return proxy.wantsAuthentication }
    guard error.code == NSURLErrorCannotConnectToHost else { return nil }
    return proxy.down(text)
  }

  private static func isBeforeRequest(_ kind: ExchangeError.Kind) -> Bool {
    switch kind {
    case .nameResolution, .connectionRefused, .connectionFailed, .proxyRefused, .tls, .timeout(.connect),
      .timeout(.pool),
      .invalidRequest, .unsupported:
      true
    default: false
    }
  }

  private static func describe(_ error: NSError, response: EngineHead?) -> Story {
    let text = error.localizedDescription
    #if canImport(FoundationNetworking)
      if let story = tls(text) ?? connection(text, response) ?? syntax(text, response) { return story }
    #endif
    let isHeadReceived = response != nil
    switch error.code {
    case NSURLErrorCannotConnectToHost: return (.connectionRefused, text)
    case NSURLErrorCannotFindHost, NSURLErrorDNSLookupFailed: return (.nameResolution, text)
    case NSURLErrorNetworkConnectionLost:
      return isHeadReceived ? (.incompleteBody, text) : (.connectionReset, text)
    case NSURLErrorBadServerResponse, NSURLErrorCannotParseResponse: return (.protocolViolation, text)
    case NSURLErrorBadURL, NSURLErrorUnsupportedURL:
      return (.invalidRequest, "URLSession refuses the URL: \(text)")
    case NSURLErrorTimedOut: return (isHeadReceived ? .timeout(.idle) : headlessTimeout, text)
    case NSURLErrorNotConnectedToInternet, NSURLErrorDataNotAllowed, NSURLErrorInternationalRoamingOff,
      NSURLErrorCallIsActive:
      return (.connectionFailed, text)
    case NSURLErrorAppTransportSecurityRequiresSecureConnection: return (.unsupported, text)
    case NSURLErrorServerCertificateUntrusted, NSURLErrorServerCertificateHasUnknownRoot:
      return (.tls(.untrusted), text)
    case NSURLErrorServerCertificateHasBadDate, NSURLErrorServerCertificateNotYetValid:
      return (.tls(.expired), text)
    case NSURLErrorClientCertificateRejected, NSURLErrorClientCertificateRequired: return (.tls(.alert), text)
    case NSURLErrorSecureConnectionFailed: return (.tls(.handshake), text)
    case NSURLErrorCannotDecodeContentData, NSURLErrorCannotDecodeRawData:
      return (.contentCoding(.malformed), text)
    default: return (.transport, text)
    }
  }

  /// The kind of a timeout of the engine before the head.
  private static var headlessTimeout: ExchangeError.Kind {
    #if canImport(Darwin)
      // It may be the timeout of the response, so the request must not be reported as never sent.
      .timeout(.head)
    #else
      // libcurl has a timeout only for connecting.
      .timeout(.connect)
    #endif
  }

  #if canImport(FoundationNetworking)
    private static func tls(_ text: String) -> Story? {
      guard text.contains("SSL") || text.contains("TLS") || text.contains("certificate") else { return nil }
      if text.contains("has expired") || text.contains("not yet valid") {
        return (.tls(.expired), "the peer's certificate is not valid at this time (\(text))")
      }
      if text.hasPrefix("SSL certificate problem") {
        return (.tls(.untrusted), "the peer's certificate is not trusted (\(text))")
      }
      if text.contains("no alternative certificate subject name") || text.contains("certificate subject name")
      {
        return (.tls(.hostMismatch), "the certificate is for another name (\(text))")
      }
      if text.contains("alert") {
        return (.tls(.alert), "the peer ended the TLS handshake with an alert (\(text))")
      }
      if text.contains("SSL_read") || text.contains("SSL_write") { return nil }
      return (.tls(.handshake), "the TLS handshake failed (\(text))")
    }

    private static func connection(_ text: String, _ response: EngineHead?) -> Story? {
      if text.hasPrefix("Could not resolve") { return (.nameResolution, text) }
      if text.hasPrefix("Failed to connect") || text.contains("Couldn't connect") {
        // The engine's code identifies refusals.
        return nil
      }
      let isClosed =
        text.hasPrefix("transfer closed") || text.hasPrefix("Empty reply") || text.hasPrefix("Recv failure")
        || text.hasPrefix("Send failure") || text.contains("SSL_read") || text.contains("SSL_write")
        || text.contains("Connection reset") || text.contains("Broken pipe") || text.contains("data rewind")
      guard isClosed else { return nil }
      if text.contains("reset by peer") || response == nil {
        return (.connectionReset, "the peer closed the connection before the response was complete (\(text))")
      }
      return (.incompleteBody, "the connection was closed before the body was complete (\(text))")
    }

    private static func syntax(_ text: String, _ response: EngineHead?) -> Story? {
      if text == "Out of memory" && response == nil || text.hasPrefix("Too large response headers") {
        return (.limit(.responseHead), "the head of the response is larger than the engine accepts (\(text))")
      }
      if text.hasPrefix("Unrecognized content encoding"), response?.isCoded == true {
        return (
          .contentCoding(.unknown), "the response has a content coding that libcurl does not know (\(text))"
        )
      }
      if text.contains("content unencoding") {
        return (.contentCoding(.malformed), "the content of the response is malformed (\(text))")
      }
      let marks = [
        "header", "http/", "http version", "response code", "content-length", "hexadecimal", "chunk",
      ]
      let isSyntax = marks.contains(where: text.lowercased().contains)
      // An unknown transfer coding has the error text of an unknown content coding.
      guard isSyntax || text.hasPrefix("Unrecognized content encoding") else { return nil }
      return (.protocolViolation, "the peer sent malformed HTTP (\(text))")
    }
  #endif
}
