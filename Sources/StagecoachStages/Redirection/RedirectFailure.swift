import HTTPTypes
public import StagecoachCore

/// The reason that a redirect is an error.
@nonexhaustive
public enum RedirectFailure: String, StageFailure {
  /// There are more consecutive redirects than the limit.
  case tooMany
  /// A redirect from https to http.
  case insecure
  /// Several `Location` fields with different targets.
  case ambiguousLocation
  /// The `Location` is malformed, or ambiguous among clients.
  case invalidLocation
  /// The `Location` is longer than 8 KiB.
  case locationTooLong
  /// The scheme of the `Location` is neither http nor https.
  case unsupportedScheme
  /// The `Location` contains user information, which ``RedirectRules/refusesUserInformation`` refuses.
  case userInformation

  /// The stable name, such as `redirect.tooMany`.
  public var description: String { "redirect.\(rawValue)" }

  /// Advice to return the response without following the redirect.
  public var advice: String? {
    "use options.redirectPolicy = .refuse to get the response without following it"
  }
}

extension ExchangeError.Kind {
  /// A failure to follow a redirect.
  public static func redirect(_ failure: RedirectFailure) -> Self { .stageFailure(failure) }
}

/// The redirects that led to an error, oldest first; the ``ExchangeError/underlying`` error of ``Redirects``.
public struct RedirectChain: Error, Sendable, Hashable, CustomStringConvertible {
  /// The responses, without secrets; the last one could not be followed.
  public let hops: [Response.Hop]
  /// The target of the last redirect, without secrets; `nil` if the target itself is the problem.
  public let target: String?

  /// A description on one line.
  public var description: String {
    let steps = hops.map { hop in
      "\(hop.request.method.rawValue) \(Redaction.url(of: hop.request)) (\(hop.response.status.code))"
    }
    // The ends of a long chain are the most useful.
    let shown = steps.count <= 24 ? steps : steps.prefix(12) + ["..."] + steps.suffix(11)
    return (shown + (target.map { [$0] } ?? [])).joined(separator: " → ")
  }
}

extension ExchangeError {
  static func redirect(_ error: URIError) -> ExchangeError {
    let failure: RedirectFailure =
      switch error.reason {
      case .ambiguous: .ambiguousLocation
      case .tooLong: .locationTooLong
      case .unsupportedScheme: .unsupportedScheme
      case .userInformation: .userInformation
      default: .invalidLocation
      }
    return ExchangeError(
      .redirect(failure),
      "invalid redirect: \(error)",
      advice: "use options.redirectPolicy = .refuse to get the response without following it"
    )
  }

  static var insecureRedirect: ExchangeError {
    ExchangeError(
      .redirect(.insecure),
      "the redirect leads from https to http",
      advice:
        "set RedirectRules.allowsInsecure if others may read and change the messages in transit"
    )
  }

  static func tooManyRedirects(_ limit: Int) -> ExchangeError {
    ExchangeError(
      .redirect(.tooMany),
      "more than \(limit) consecutive redirects",
      advice: "the server may expect a cookie or a credential that the request does not have; raise "
        + "options.redirectLimit if a longer chain is expected",
      limit: Limit(option: RequestOptions.redirectLimit.name, value: "\(limit)")
    )
  }

  static var redirectNeedsBodyAgain: ExchangeError {
    ExchangeError(
      .bodyNotReplayable,
      "the redirect requires sending the request body again, but it can be sent only once",
      advice: "create the body with .bytes, .file or .stream, which can be sent again"
    )
  }
}
