public import HTTPTypes

/// Whether redirects are followed.
@nonexhaustive
public enum RedirectPolicy: Sendable {
  /// Yes.
  case follow
  /// No: the 3xx is the response.
  case refuse
  /// Only to the same scheme, host and port; another 3xx is the response.
  case sameOriginOnly
  /// A closure decides about each, and may change what is sent.
  ///
  /// It is asked last: what the rules of ``Redirects`` refuse, such as http after https, never gets here. What it
  /// throws ends the exchange.
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

  /// What a closure decides.
  public enum Decision: Sendable, Hashable {
    /// Send the request of the proposal.
    case follow
    /// The 3xx is the response.
    case stop
  }
}

/// A redirect as it would be followed, after all rules: for the closure of ``RedirectPolicy/ask(_:)``.
public struct RedirectProposal: Sendable {
  /// The head of the response that redirects.
  public let response: HTTPResponse

  /// The request that it answers, as it left ``Redirects``.
  public let redirected: Request

  /// Where the redirect leads to, with the fragment.
  public let target: TargetURI

  /// Whether ``target`` has another scheme, host or port than the request that was redirected.
  public let isOriginChange: Bool

  /// The names of the fields that were taken out because of that.
  public internal(set) var strippedFields: [HTTPField.Name]

  /// The request to send. It may be changed, its target too; a new ``Request`` in its place takes over the options.
  public var request: Request

  /// Sensitive fields of ``request`` that are sent although the chain has left the origin they were for.
  ///
  /// What is sensitive (see ``RequestOptions/sensitiveFields``) and not named here is taken out again if the closure
  /// adds it:
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
  /// The request to send, without secrets.
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
