public import HTTPTypes
public import StagecoachCore

/// A decision of ``Redirects`` on a response. A redirect that is an error is reported as the failure of the stage.
@nonexhaustive
public enum RedirectEvent: StageEvent, Hashable {
  /// A redirect was followed.
  case followed(RedirectStep)
  /// A redirect was returned as the response, because of a policy or a rule.
  case refused(Refusal)
  /// A 3xx was returned as the response, because there is nothing to follow.
  case ignored(Omission)

  /// The reason that a redirect was not followed.
  @nonexhaustive
  public enum Refusal: String, Sendable, Hashable {
    /// The policy follows no redirects, or its closure declined.
    case policy
    /// The policy only follows redirects to the same origin.
    case otherOrigin
    /// The content would have to be sent again, but cannot be replayed.
    case bodyNotReplayable
  }

  /// The reason that there is nothing to follow.
  @nonexhaustive
  public enum Omission: String, Sendable, Hashable {
    /// There is no `Location`.
    case missingLocation
    /// The `Location` is empty.
    case emptyLocation
    /// The status is not one that is followed, although there is a `Location`: 300, 304, 305, 306 or an unknown
    /// status.
    case status
  }

  /// A description on one line.
  public var description: String {
    switch self {
    case .followed(let step): "redirected by \(step)"
    case .refused(.policy): "redirect not followed: declined by the policy"
    case .refused(.otherOrigin): "redirect not followed: it leads to another origin"
    case .refused(.bodyNotReplayable): "redirect not followed: the request body cannot be replayed"
    case .ignored(.missingLocation): "no redirect: the Location is absent"
    case .ignored(.emptyLocation): "no redirect: the Location is empty"
    case .ignored(.status): "no redirect: the status is not a redirect to follow"
    }
  }
}

/// A redirect that was followed.
public struct RedirectStep: Sendable, Hashable, CustomStringConvertible {
  /// The status of the redirect.
  public let status: HTTPResponse.Status
  /// The method of the next request.
  public let method: HTTPRequest.Method
  /// The URL of the next request, without secrets.
  public let url: String
  /// Whether the next request has another scheme, host or port.
  public let isOriginChange: Bool
  /// The names of the fields that were removed because they belong to another origin.
  public let strippedFields: [HTTPField.Name]
  /// Whether the client certificate of the request was removed because it belongs to another origin.
  public let strippedIdentity: Bool
  /// Whether the content was removed.
  public let droppedContent: Bool
  /// Whether user information was removed from the `Location`.
  public let droppedUserInformation: Bool

  /// A description on one line.
  public var description: String {
    var missing = strippedFields.map(\.rawName)
    if strippedIdentity { missing.append("the client certificate") }
    if droppedContent { missing.append("the content") }
    if droppedUserInformation { missing.append("the user information of its Location") }
    let without = missing.isEmpty ? "" : ", without \(missing.joined(separator: ", "))"
    return "\(status.code) to \(isOriginChange ? "another origin: " : "")\(method.rawValue) \(url)\(without)"
  }
}
