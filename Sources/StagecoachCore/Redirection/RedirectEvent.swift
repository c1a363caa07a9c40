public import HTTPTypes

/// What ``Redirects`` decided about a response; a redirect that is an error shows as the failure of the stage.
@nonexhaustive
public enum RedirectEvent: Sendable, Hashable, CustomStringConvertible {
  /// The next hop was begun.
  case followed(RedirectStep)
  /// A redirect became the response, because of a policy or a rule.
  case refused(Refusal)
  /// A 3xx became the response, because there is nothing to follow.
  case ignored(Omission)

  /// Why a redirect became the response.
  @nonexhaustive
  public enum Refusal: String, Sendable, Hashable {
    /// The policy follows none, or its closure did not follow this one.
    case policy
    /// The policy follows only those to the same origin.
    case otherOrigin
    /// The content would have to be sent again, and exists once.
    case bodyNotReplayable
  }

  /// Why there is nothing to follow.
  @nonexhaustive
  public enum Omission: String, Sendable, Hashable {
    /// There is no `Location`.
    case missingLocation
    /// The `Location` is empty.
    case emptyLocation
    /// There is a `Location`, but the status is not one that is followed: 300, 304, 305, 306, or an unknown one.
    case status
  }

  /// What was decided, in one line.
  public var description: String {
    switch self {
    case .followed(let step): "redirected by \(step)"
    case .refused(.policy): "redirect not followed: the policy is against it"
    case .refused(.otherOrigin): "redirect not followed: it leads to another origin"
    case .refused(.bodyNotReplayable): "redirect not followed: the request body exists once and was sent"
    case .ignored(.missingLocation): "no redirect: there is no Location"
    case .ignored(.emptyLocation): "no redirect: the Location is empty"
    case .ignored(.status): "no redirect: the status is not one to follow"
    }
  }
}

/// A redirect that was followed.
public struct RedirectStep: Sendable, Hashable, CustomStringConvertible {
  /// The status that redirected.
  public let status: HTTPResponse.Status
  /// The method of the next request.
  public let method: HTTPRequest.Method
  /// The URL of the next request, without secrets.
  public let url: String
  /// Whether the next request goes to another scheme, host or port.
  public let isOriginChange: Bool
  /// The names of the fields that were taken out because they belong to another origin.
  public let strippedFields: [HTTPField.Name]
  /// Whether the client certificate that the request asked for was left behind, with the origin it was for.
  public let strippedIdentity: Bool
  /// Whether content was left behind.
  public let droppedContent: Bool
  /// Whether the `Location` held user information, which was left out.
  public let droppedUserInformation: Bool

  /// The step in one line.
  public var description: String {
    var missing = strippedFields.map(\.rawName)
    if strippedIdentity { missing.append("the client certificate") }
    if droppedContent { missing.append("the content") }
    if droppedUserInformation { missing.append("the user information of its Location") }
    let without = missing.isEmpty ? "" : ", without \(missing.joined(separator: ", "))"
    return "\(status.code) to \(isOriginChange ? "another origin: " : "")\(method.rawValue) \(url)\(without)"
  }
}
