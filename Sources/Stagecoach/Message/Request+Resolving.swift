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

  /// Turns the URI reference into scheme, authority and path of the head.
  mutating func resolve(against base: TargetURI?) throws {
    guard let reference else { return }
    do {
      let target = try base?.resolving(reference) ?? TargetURI(parsing: reference)
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
}
