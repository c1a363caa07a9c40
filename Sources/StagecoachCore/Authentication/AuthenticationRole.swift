import HTTPTypes

extension Authentication {
  /// Whom a stage answers, and in which fields.
  struct Role: Sendable {
    static let origin = Role(proxy: nil)

    private let proxy: ServerName?
    private let proxyHead: HTTPRequest?

    init(proxyAt origin: TargetURI.Origin) {
      self.init(proxy: ServerName(origin))
    }

    private init(proxy: ServerName?) {
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

    /// The field that carries credentials, which no intermediary may put into a table (RFC 7541 7.1.3).
    func field(_ authorization: Authorization) -> HTTPField {
      var field = HTTPField(name: credentials, value: authorization.value)
      field.indexingStrategy = .disallow
      return field
    }

    /// The server that a request is answered for; nil if there is none, as for a tunnel.
    func server(for request: Request) -> ServerName? {
      guard let proxy else { return ServerName(request.head) }
      return request.head.scheme == "http" ? proxy : nil
    }

    /// Whether it is the server of a stage that a response came from: an origin by the request that was answered, a proxy
    /// only where the transport names it.
    func isAnswered(by response: Response) -> Bool {
      guard let proxy else { return true }
      return response.proxy.map { ServerName($0) == proxy } ?? false
    }

    /// The head that a store is asked about.
    func head(for request: Request) -> HTTPRequest { proxyHead ?? request.head }
  }
}
