import HTTPTypes

/// The stage that answers when a server asks who one is (RFC 9110 11): 401 and WWW-Authenticate.
///
/// ```swift
/// let store = MemoryCredentialStore()
/// // A password for one origin, by Digest where the server offers it, else by Basic:
/// try store.set(Credential(user: "ada", password: "secret"), for: "https://files.example.com")
/// // A bearer token for another, renewed by a closure once it is refused or near its end:
/// let tokens = TokenSource { _ in Token("t-2", lifetime: .seconds(3600)) }
/// try store.set(Credential(tokens: tokens), for: "https://api.example.com")
///
/// let pipeline = Pipeline(over: transport) { Authentication(store: store) }
///
/// // A password for one request:
/// var request = Request.get("https://example.com/private")
/// request.options.credential = Credential(user: "ada", password: "secret")
/// ```
///
/// One stage serves all origins: two of them would not know what the other has sent.
///
/// Each credential belongs to one origin (scheme, host, port) and is never sent to another, whatever redirects lead
/// where. User information in the URL of a request is a credential for that request; in a `Location` it is none. Basic
/// and Bearer go over https alone, or to this machine, unless ``RequestOptions/allowsPlainCredentials`` says otherwise.
///
/// The best challenge that a scheme answers is answered, by the order of ``schemes``. What was learned is used for
/// later requests to the same protection space before the server asks again. A refused credential is not sent again;
/// ``RequestOptions/authenticationAttempts`` bounds how many are tried. A request whose caller set the Authorization
/// field is left alone, and a refusal that cannot be answered goes on to the caller, with an event that says why.
///
/// Copies of a stage share what they learn, until the schemes of one are changed. The stage belongs below redirects
/// and retries, which make each hop and each attempt a request of its own. NTLM and Negotiate prove who one is for a
/// connection, not a request: a stage above connections cannot answer them.
public struct Authentication: Middleware {
  /// The schemes that are answered, the preferred ones first: Bearer, Digest, Basic by default.
  ///
  /// To refuse weaker ones, leave them out: `[DigestScheme()]`.
  public var schemes: [any AuthenticationScheme] = [BearerScheme(), DigestScheme(), BasicScheme()] {
    didSet { memory = SessionMemory() }
  }

  /// Where credentials come from that no request brings along.
  public let store: any CredentialStore

  /// Decides on each challenge; nil to answer with the credential of the request or the store.
  public var handler: (any ChallengeHandler)?

  let role: Role
  private(set) var memory = SessionMemory()

  /// A stage with a store of credentials, empty by default, and a handler, if any.
  public init(
    store: any CredentialStore = MemoryCredentialStore(),
    handler: (any ChallengeHandler)? = nil
  ) {
    self.store = store
    self.handler = handler
    role = .origin
  }

  /// A stage with a name and a password for one origin.
  ///
  /// - Parameters:
  ///   - user: The name.
  ///   - password: The password.
  ///   - origin: The origin, as `https://host:port`; what follows is ignored.
  ///   - isPreemptive: Whether they are sent with Basic before the server asks; false by default.
  /// - Throws: ``ExchangeError`` of kind `invalidRequest` if the origin is no http or https URL.
  public init(user: String, password: String, for origin: String, isPreemptive: Bool = false) throws {
    try self.init(Credential(user: user, password: password, isPreemptive: isPreemptive), for: origin)
  }

  /// A stage with a bearer token for one origin, sent from the first request on.
  ///
  /// - Throws: ``ExchangeError`` of kind `invalidRequest` if the origin is no http or https URL.
  public init(bearer token: String, for origin: String) throws {
    try self.init(Credential(token: token), for: origin)
  }

  /// A stage with bearer tokens that are renewed for one origin, sent from the first request on.
  ///
  /// - Throws: ``ExchangeError`` of kind `invalidRequest` if the origin is no http or https URL.
  public init(bearer tokens: TokenSource, for origin: String) throws {
    try self.init(Credential(tokens: tokens), for: origin)
  }

  private init(_ credential: Credential, for origin: String) throws {
    let store = MemoryCredentialStore()
    try store.set(credential, for: origin)
    self.init(store: store)
  }

  /// A stage that answers a proxy in place of origins: 407 and Proxy-Authenticate (RFC 9110 11.7).
  ///
  /// It answers for `http` requests alone: those of `https` go through a tunnel that the transport makes, and answers
  /// for. Give the transport the proxy without name and password then, so that it leaves `http` to the stage. The name
  /// and the password go to the proxy as its URL says, over http too.
  ///
  /// A 407 is answered where the transport says that this proxy sent it (``Response/proxy``), and is final elsewhere: what
  /// an origin sends, through a tunnel or past the proxy, gets no password. What was learned is sent unasked to origins
  /// for which the proxy has asked, so that the first request to each is refused once.
  /// A transport that asks for a tunnel for `http` as well, as that over AsyncHTTPClient does, leaves the stage nothing
  /// to answer.
  ///
  /// - Parameters:
  ///   - proxy: The proxy that the transport goes through, one of HTTP. Its name and password, if it has some, are used.
  ///   - handler: Decides on each challenge; nil, the default, to answer with name and password of the proxy.
  public init(proxy: Proxy, handler: (any ChallengeHandler)? = nil) {
    let store = MemoryCredentialStore()
    // One of SOCKS never answers requests.
    let origin = proxy.origin ?? TargetURI.Origin(isSecure: false, host: proxy.host, port: proxy.port)
    if let user = proxy.user {
      store.set(Credential(user: user, password: proxy.password ?? ""), for: origin)
    }
    self.store = store
    self.handler = handler
    role = Role(proxyAt: origin)
  }

  /// `Authentication`, or `ProxyAuthentication`.
  public var name: String { role.isProxy ? "ProxyAuthentication" : "Authentication" }

  /// Forgets what was learned: nonces, protection spaces, and which credentials were refused.
  public func reset() {
    memory.removeAll()
  }

  /// Sends a request with the credentials that its server is known to want, and answers challenges.
  ///
  /// - Throws: ``ExchangeError``, of kind `authentication` where the stage itself ends the exchange.
  public func handle(_ request: Request, next: Next) async throws -> Response {
    guard let known = try known(for: request) else {
      let response = try await next(request)
      guard response.status.code == role.status else { return response }
      return try await answer(response, to: request, next)
    }
    return try await send(request, with: known, next)
  }

  // Cold code stays out of `handle`: every request in flight holds its frame.

  @inline(never)
  private func answer(_ response: Response, to request: Request, _ next: Next) async throws -> Response {
    memory.follow(revision: store.revision)
    var pass = AuthenticationPass(self, request, next)
    return try await pass.run(from: response)
  }

  @inline(never)
  private func send(_ request: Request, with known: KnownSession, _ next: Next) async throws -> Response {
    var pass = AuthenticationPass(self, request, next)
    return try await pass.run(with: known)
  }

  /// What a request is sent with before anybody asks; costs next to nothing where nothing is known.
  @inline(never)
  private func known(for request: Request) throws -> KnownSession? {
    let isGiven = request.options.isSet(RequestOptions.credential) && !role.isProxy
    // Before the store is asked: what it says is kept only while that is still its word.
    let revision = store.revision
    let preemptive = store.preemptiveCredential(for: role.head(for: request))
    if preemptive == nil, !isGiven, memory.isEmpty { return nil }
    return try known(for: request, preemptive, of: revision)
  }

  private func known(
    for request: Request,
    _ preemptive: Credential?,
    of revision: Int
  ) throws -> KnownSession? {
    guard let server = role.server(for: request) else { return nil }
    if role.isProxy, !memory.leadsThroughProxy(request.head) { return nil }
    let given = givenCredential(for: request, on: server)
    if given == nil, !request.options.usesStoredCredentials { return nil }
    memory.follow(revision: store.revision)
    let credential = given ?? preemptive
    let known = memory.session(for: request.head.path ?? "/", on: server, with: credential)
    // The store has said so itself, whatever the credential is for.
    let isPreemptive = given.map(\.isPreemptive) ?? (preemptive != nil)
    guard known != nil || isPreemptive, request.options.authenticationAttempts > 0,
      request.fields.first(of: role.credentials) == nil
    else { return nil }
    if let known { return mayUse(known, for: request) ? known : nil }
    return try credential.flatMap { try begin($0, isShared: given == nil, of: revision, on: server, request) }
  }

  private func mayUse(_ known: KnownSession, for request: Request) -> Bool {
    guard isAllowed(known.scheme, for: request) else { return false }
    guard known.revealsCredential, !mayRevealCredential(to: known.space.origin, request) else { return true }
    request.emit(.authentication(.skipped(scheme: known.scheme, .plainHTTP)))
    return false
  }

  /// The session of a credential that is sent before anybody asked.
  private func begin(
    _ credential: Credential,
    isShared: Bool,
    of revision: Int,
    on server: ServerName,
    _ request: Request
  ) throws -> KnownSession? {
    guard let origin = server.origin else { return nil }
    let space = ProtectionSpace(origin: origin, realm: credential.realm ?? "", isProxy: role.isProxy)
    for scheme in schemes where isAllowed(scheme.name, for: request) {
      guard !memory.wasRefused(credential, by: scheme.name, in: space) else { continue }
      guard let session = try scheme.session(for: nil, in: space, with: credential) else { continue }
      guard !scheme.revealsCredential || mayRevealCredential(to: origin, request) else {
        request.emit(.authentication(.skipped(scheme: scheme.name, .plainHTTP)))
        continue
      }
      return memory.add(
        session,
        by: scheme,
        in: space,
        isRealmKnown: false,
        on: server,
        with: credential,
        isShared: isShared,
        of: revision
      )
    }
    return nil
  }

  /// The credential of the request itself, if it is for this server.
  func givenCredential(for request: Request, on server: ServerName) -> Credential? {
    guard !role.isProxy, request.options.isSet(RequestOptions.credential),
      let given = request.options.credential,
      let exchange = request.exchange
    else { return nil }
    guard exchange.bindsCredential(to: server, atHop: request.hop) else {
      request.emit(.authentication(.skipped(scheme: "credential of the request", .otherOrigin)))
      return nil
    }
    return given
  }

  /// Whether the options of a request allow a scheme.
  func isAllowed(_ scheme: String, for request: Request) -> Bool {
    request.options.authenticationSchemes?.contains { $0.equalsIgnoringASCIICase(scheme) } ?? true
  }

  /// Whether a credential that can be read on the way may go to a server.
  func mayRevealCredential(to origin: TargetURI.Origin, _ request: Request) -> Bool {
    origin.isSecure || role.isProxy || origin.isLoopback || request.options.allowsPlainCredentials
  }
}

extension Authentication: CustomReflectable {
  /// The names of the schemes, and nothing of credentials.
  public var customMirror: Mirror { Mirror(self, children: ["schemes": schemes.map(\.name)]) }
}
