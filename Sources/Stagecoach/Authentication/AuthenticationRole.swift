import HTTPTypes

extension Authentication {
  /// Whom a stage answers, and in which fields.
  struct Role: Sendable {
    static let origin = Role(proxy: nil)

    private let proxy: ServerName?
    private let proxyHead: HTTPRequest?
    private let goesThrough: @Sendable (HTTPRequest) -> Bool

    /// - Parameter goesThrough: Whether a request goes through the proxy.
    init(proxyAt origin: TargetURI.Origin, goesThrough: @escaping @Sendable (HTTPRequest) -> Bool) {
      self.init(proxy: ServerName(origin), goesThrough: goesThrough)
    }

    private init(proxy: ServerName?, goesThrough: @escaping @Sendable (HTTPRequest) -> Bool = { _ in false })
    {
      self.proxy = proxy
      self.goesThrough = goesThrough
      proxyHead = proxy.map { proxy in
        HTTPRequest(
          method: .get,
          scheme: proxy.isSecure ? "https" : "http",
          authority: proxy.authority,
          path: "/"
        )
      }
    }

    static func origin(of proxy: Proxy) -> TargetURI.Origin {
      let host = proxy.host.contains(":") ? "[\(proxy.host)]" : proxy.host
      return TargetURI.Origin(isSecure: proxy.kind == .https, host: host.lowercased(), port: proxy.port)
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

    /// The server that a request is answered for; nil if there is none, as for a tunnel, or past the proxy.
    func server(for request: Request) -> ServerName? {
      guard let proxy else { return ServerName(request.head) }
      return request.head.scheme == "http" && goesThrough(request.head) ? proxy : nil
    }

    /// The head that a store is asked about.
    func head(for request: Request) -> HTTPRequest { proxyHead ?? request.head }
  }
}
