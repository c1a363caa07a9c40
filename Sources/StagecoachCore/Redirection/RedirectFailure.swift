import HTTPTypes

/// Why a redirect is an error.
@nonexhaustive
public enum RedirectFailure: String, Sendable, Hashable {
  /// More redirects in a row than the limit.
  case tooMany
  /// The same request again, and nothing has changed that could make the answer another one.
  case loop
  /// From https to http.
  case insecure
  /// Several `Location` fields that name different targets.
  case ambiguousLocation
  /// The `Location` is no reference that can be followed, or clients disagree about where it leads.
  case invalidLocation
  /// The `Location` is longer than 8 KiB.
  case locationTooLong
  /// The `Location` is neither of http nor of https.
  case unsupportedScheme
  /// The `Location` holds user information, which ``RedirectRules/refusesUserInformation`` refuses.
  case userInformation
}

/// The redirects that led to an error, oldest first: the ``ExchangeError/underlying`` of errors of ``Redirects``.
public struct RedirectChain: Error, Sendable, Hashable, CustomStringConvertible {
  /// The answers, without secrets; the last is the one that could not be followed.
  public let hops: [Response.Hop]
  /// Where the last one led to, without secrets; nil where that is what is wrong.
  public let target: String?

  /// The chain in one line.
  public var description: String {
    let steps = hops.map { hop in
      "\(hop.request.method.rawValue) \(Redaction.url(of: hop.request)) (\(hop.response.status.code))"
    }
    // The ends of a long chain tell most.
    let shown = steps.count <= 24 ? steps : steps.prefix(12) + ["..."] + steps.suffix(11)
    return (shown + (target.map { [$0] } ?? [])).joined(separator: " → ")
  }
}

extension ExchangeError {
  static func redirect(_ error: LocationError) -> ExchangeError {
    switch error.reason {
    case .ambiguous:
      return ExchangeError(
        .redirect(.ambiguousLocation),
        "\(error)",
        advice: "the server has to send one; options.redirectPolicy = .refuse gives the response as it is"
      )
    case .tooLong:
      return ExchangeError(.redirect(.locationTooLong), "\(error)")
    case .invalid(let uri):
      let failure: RedirectFailure =
        switch uri.reason {
        case .unsupportedScheme: .unsupportedScheme
        case .userInformation: .userInformation
        default: .invalidLocation
        }
      return ExchangeError(
        .redirect(failure),
        "the redirect cannot be followed: \(uri)",
        advice: "options.redirectPolicy = .refuse gives the response as it is"
      )
    }
  }

  static var insecureRedirect: ExchangeError {
    ExchangeError(
      .redirect(.insecure),
      "the redirect leads from https to http",
      advice:
        "set RedirectRules.allowsInsecure if what is sent and received may be read and changed on its way"
    )
  }

  static var redirectLoop: ExchangeError {
    ExchangeError(
      .redirect(.loop),
      "the redirects lead back to a request that was answered before",
      advice: "the server may expect a cookie or a credential that the request does not have"
    )
  }

  static func tooManyRedirects(_ limit: Int) -> ExchangeError {
    ExchangeError(
      .redirect(.tooMany),
      "there are more redirects in a row than \(limit)",
      advice: "raise options.redirectLimit if the chain is expected to be that long",
      limit: Limit(option: RequestOptions.redirectLimit.name, value: "\(limit)")
    )
  }

  static var redirectNeedsBodyAgain: ExchangeError {
    ExchangeError(
      .bodyNotReplayable,
      "the redirect needs the request body again, which exists once and was sent",
      advice: "make the body with .bytes, .file or .stream, which can be sent again"
    )
  }
}
