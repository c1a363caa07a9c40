public import HTTPTypes
public import StagecoachCore

/// The policy for following redirects.
@nonexhaustive
public enum RedirectPolicy: Sendable {
  /// Follows redirects.
  case follow
  /// Returns the 3xx as the response.
  case refuse
  /// Follows redirects to the same scheme, host and port; any other 3xx is the response.
  case sameOriginOnly
  /// Calls a closure for each redirect, which may change the next request.
  ///
  /// It is called last: redirects that the rules of ``Redirects`` refuse, such as from https to http, are errors
  /// before. Its errors end the exchange.
  ///
  /// ```swift
  /// let redirects = Redirects(
  ///   policy: .ask { proposal in
  ///     guard proposal.target.host.hasSuffix(".example.com") else { return .stop }
  ///     proposal.request.fields[.accept] = "application/json"
  ///     return .follow
  ///   }
  /// )
  /// ```
  case ask(@Sendable (inout RedirectProposal) async throws -> Decision)

  /// The decision of a closure.
  public enum Decision: Sendable, Hashable {
    /// Sends the request of the proposal.
    case follow
    /// Returns the 3xx as the response.
    case stop
  }
}

/// A redirect that is about to be followed, for the closure of ``RedirectPolicy/ask(_:)``.
public struct RedirectProposal: Sendable {
  /// The head of the redirect response.
  public let response: HTTPResponse

  /// The redirected request, as it left ``Redirects``.
  public let redirected: Request

  /// The target of the redirect, with the fragment.
  public let target: TargetURI

  /// Whether ``target`` has another scheme, host or port than the redirected request.
  public let isOriginChange: Bool

  /// The names of the fields that were removed because of the change of origin.
  public internal(set) var strippedFields: [HTTPField.Name]

  /// The next request. The closure may change it, including its target; a new ``Request`` inherits the options.
  public var request: Request

  /// The sensitive fields of ``request`` that are sent although they belong to an earlier origin.
  ///
  /// Other sensitive fields (see ``RequestOptions/sensitiveFields``) are removed again if the closure adds them:
  ///
  /// ```swift
  /// let toOurs = RedirectPolicy.ask { proposal in
  ///   if proposal.target.host == "files.example.com" {
  ///     proposal.request.fields[.authorization] = proposal.redirected.fields[.authorization]
  ///     proposal.allowSensitive = [.authorization]
  ///   }
  ///   return .follow
  /// }
  /// ```
  public var allowSensitive: Set<HTTPField.Name> = []

  /// The request before the closure changed it.
  let offered: Request
  let hadUserInformation: Bool

  init(
    after response: HTTPResponse,
    to redirected: Request,
    request: Request,
    target: TargetURI,
    isOriginChange: Bool,
    strippedFields: [HTTPField.Name],
    hadUserInformation: Bool
  ) {
    self.response = response
    self.redirected = redirected
    self.request = request
    self.target = target
    self.isOriginChange = isOriginChange
    self.strippedFields = strippedFields
    self.hadUserInformation = hadUserInformation
    offered = request
  }
}

extension RedirectProposal: CustomStringConvertible, CustomReflectable {
  /// The next request, without secrets.
  public var description: String { "\(request)" }

  /// The requests and the response without secrets.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "response": Redaction.head(response), "redirected": redirected, "request": request,
        "isOriginChange": isOriginChange, "strippedFields": strippedFields,
        "allowSensitive": allowSensitive,
      ]
    )
  }
}
