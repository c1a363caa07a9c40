public import Foundation
import HTTPTypes
import StagecoachCore

extension NSError {
  /// Creates the error that AFNetworking reported for an error of an exchange.
  ///
  /// | error | domain | code |
  /// |---|---|---|
  /// | kinds `status`, `validation` | ``BridgedError/responseDomain`` | -1011 |
  /// | kind `mediaType`, text that its charset cannot decode | ``BridgedError/responseDomain`` | -1016 |
  /// | kind `requestSerialization` | ``BridgedError/requestDomain`` | -1016 |
  /// | kind `file`, of the request | ``BridgedError/requestDomain`` | -1000 |
  /// | `CancellationError`, kinds `bodyCancelled` and `shutdown` | `NSURLErrorDomain` | -999 |
  /// | kind `tls`: an untrusted or unpinned certificate | `NSURLErrorDomain` | -1202 |
  /// | kind `invalidRequest` | `NSURLErrorDomain` | -1000 |
  /// | kind `serialization` | `NSCocoaErrorDomain` | 3840 |
  /// | kind `file`, of the response | `NSCocoaErrorDomain` | 512 |
  ///
  /// Errors of connections and of time have the codes of `NSURLErrorDomain` that URLSession gives them, such as -1001
  /// for a timeout, and so have all other kinds, -1 if nothing fits. An error of another type keeps its domain and code.
  ///
  /// The user info has the description, the advice (`NSLocalizedRecoverySuggestionErrorKey`), the URL
  /// (`NSURLErrorFailingURLErrorKey`), the response (``BridgedError/responseKey``) and its first bytes
  /// (``BridgedError/dataKey``) as far as they are known, without secrets, and the underlying error, bridged in the same
  /// way: a response with a wrong status and a wrong content type is a -1011 over a -1016.
  public convenience init(bridging error: any Error) {
    if let error = error as? ExchangeError {
      self.init(exchange: error)
    } else if error is CancellationError {
      let code = BridgedCode.cancelled
      self.init(
        domain: code.domain,
        code: code.code,
        userInfo: [NSLocalizedDescriptionKey: "the request was cancelled"]
      )
    } else {
      let other = error as NSError
      self.init(
        domain: other.domain,
        code: other.code,
        userInfo: other.userInfo.merging([NSLocalizedDescriptionKey: Format.describe(error)]) { own, _ in own
        }
      )
    }
  }

  private convenience init(exchange error: ExchangeError) {
    var info: [String: Any] = [NSLocalizedDescriptionKey: error.message]
    if let advice = error.advice { info[NSLocalizedRecoverySuggestionErrorKey] = advice }
    let url = error.request.map { Redaction.url(of: $0) } ?? ""
    if !url.isEmpty {
      info[NSURLErrorFailingURLErrorKey] = URL(string: url)
    }
    if let response = error.response {
      info[BridgedError.responseKey] = response
      info[BridgedError.dataKey] = Data(error.bodyPrefix.array)
    }
    if let underlying = error.underlying {
      info[NSUnderlyingErrorKey] = NSError(bridging: Self.completed(underlying, by: error))
    }
    let code = BridgedCode(error)
    self.init(domain: code.domain, code: code.code, userInfo: info)
  }

  /// Adds what only the outermost error of a refused response has to the reason beneath it.
  private static func completed(_ underlying: any Error, by error: ExchangeError) -> any Error {
    guard var reason = underlying as? ExchangeError, reason.response == nil, reason.kind == .mediaType else {
      return underlying
    }
    reason.request = reason.request ?? error.request
    reason.response = error.response
    reason.bodyPrefix = error.bodyPrefix
    return reason
  }
}
