import HTTPTypes
import StagecoachCore

extension Authentication {
  /// The peer that a stage authenticates to, and the fields it uses.
  struct Role: Sendable {
    static let origin = Role(proxy: nil)

    private let proxy: TargetURI.Origin?
    private let proxyHead: HTTPRequest?

    init(proxyAt origin: TargetURI.Origin) {
      self.init(proxy: origin)
    }

    private init(proxy: TargetURI.Origin?) {
      self.proxy = proxy
      proxyHead = proxy.map { proxy in
        HTTPRequest(
          method: .get,
          scheme: proxy.isSecure ? "https" : "http",
          authority: proxy.authority,
          path: "/"
        )
      }
    }

    var isProxy: Bool { proxy != nil }
    var status: Int { isProxy ? 407 : 401 }
    var challenge: HTTPField.Name { isProxy ? .proxyAuthenticate : .wwwAuthenticate }
    var credentials: HTTPField.Name { isProxy ? .proxyAuthorization : .authorization }

    /// Returns the field with credentials, marked never to be indexed by intermediaries (RFC 7541 7.1.3).
    func field(_ authorization: Authorization) -> HTTPField {
      var field = HTTPField(name: credentials, value: authorization.value)
      field.indexingStrategy = .disallow
      return field
    }

    /// Returns the server to authenticate to; `nil` if there is none, as for a tunnel.
    func server(for request: Request) -> TargetURI.Origin? {
      guard let proxy else { return TargetURI.Origin(request.head) }
      return request.head.scheme == "http" ? proxy : nil
    }

    /// Returns whether a response is from the server of the stage: an origin according to the request that was
    /// answered, a proxy only if the transport names it.
    func isAnswered(by response: Response) -> Bool {
      guard let proxy else { return true }
      return response.proxy.map { $0 == proxy } ?? false
    }

    /// Returns the request head that is passed to a store.
    func head(for request: Request) -> HTTPRequest { proxyHead ?? request.head }
  }
}
