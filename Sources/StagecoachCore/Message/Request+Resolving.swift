public import HTTPTypes

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Request {
  /// A request for a URL of Foundation's.
  ///
  /// - Throws: ``ExchangeError`` of kind `invalidRequest` if it is not an absolute http or https URL.
  public init(_ method: HTTPRequest.Method, url: URL, fields: HTTPFields = [:], body: Body = .empty) throws {
    self.init(method, url.absoluteString, fields: fields, body: body)
    try resolve(against: nil)
  }

  /// Turns the URI reference into scheme, authority and path of the head, and its user information into the credential
  /// of the request, unless that has one.
  mutating func resolve(against base: TargetURI?) throws {
    guard let reference else { return }
    do {
      let target: TargetURI
      do {
        target = try Self.target(reference, base, userInformation: .refuse)
      } catch  where error.reason == .userInformation {
        target = try Self.target(reference, base, userInformation: .strip)
        if !options.isSet(RequestOptions.credential), let known = UserInformation(of: reference) {
          options.credential = Credential(user: known.user, password: known.password ?? "")
        }
      }
      // A new head costs less than three changes to one.
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
        advice: base == nil ? "give an absolute URL, or give the client a base URL" : nil,
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
