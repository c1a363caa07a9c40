public import HTTPTypes

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Request {
  /// Creates a request for a Foundation URL.
  ///
  /// - Throws: ``ExchangeError`` of kind `invalidRequest` if it is not an absolute http or https URL.
  public init(_ method: HTTPRequest.Method, url: URL, fields: HTTPFields = [:], body: Body = .empty) throws {
    self.init(method, url.absoluteString, fields: fields, body: body)
    try resolve(against: nil)
  }

  /// Resolves the URI reference into scheme, authority and path of the head, and stores its user information
  /// separately for the authentication stage.
  package mutating func resolve(against base: TargetURI?) throws {
    guard let reference else { return }
    do {
      let target: TargetURI
      do {
        target = try Self.target(reference, base, userInformation: .refuse)
      } catch  where error.reason == .userInformation {
        target = try Self.target(reference, base, userInformation: .strip)
        if let known = UserInformation(of: reference) { options[RequestOptions.userInformation] = known }
      }
      // Creating a new head costs less than three changes to the old one.
      var resolved = HTTPRequest(
        method: head.method,
        scheme: target.scheme,
        authority: target.authority,
        path: target.requestTarget,
        headerFields: head.headerFields
      )
      resolved.extendedConnectProtocol = head.extendedConnectProtocol
      head = resolved
      if let fragment = target.fragment { self.fragment = fragment }
      self.reference = nil
    } catch {
      throw ExchangeError(
        .invalidRequest,
        "\(error)",
        advice: error.reason == .missingScheme
          ? "use an absolute URL, or set the base URL of the client" : nil,
        underlying: error
      )
    }
  }

  private static func target(
    _ reference: String,
    _ base: TargetURI?,
    userInformation: TargetURI.UserInformationRule
  ) throws(URIError) -> TargetURI {
    guard let base else { return try TargetURI(parsing: reference, userInformation: userInformation) }
    return try base.resolving(reference, userInformation: userInformation)
  }
}

extension RequestOptions {
  /// The user information from the URL of the request.
  package static let userInformation = RequestOption<UserInformation?>("userInformation", default: nil)
}
