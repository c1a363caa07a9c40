import HTTPTypes
public import StagecoachCore

/// A stage that answers authentication challenges: 401 responses with WWW-Authenticate (RFC 9110 11).
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
/// Use one stage for all origins: two stages do not know what the other one has sent.
///
/// Each credential belongs to one origin (scheme, host, port) and is never sent to another, wherever redirects lead.
/// User information in the URL of a request is a credential for that request; in a `Location` it is ignored. Basic and
/// Bearer are only sent over https or to this machine, unless ``RequestOptions/allowsPlainCredentials`` is set.
///
/// Of the challenges that can be answered, the stage answers the best one in the order of ``schemes``. It remembers
/// the result and sends credentials to the same protection space before the server asks again. A refused credential is
/// not sent again; ``RequestOptions/authenticationAttempts`` limits the number of credentials tried. A request with an
/// explicit Authorization field is passed on unchanged. A refusal that cannot be answered is returned to the caller,
/// with an event that gives the reason.
///
/// Copies of a stage share this memory, until the schemes of one of them are changed. Place the stage below redirects
/// and retries, which send each hop and each attempt as a separate request. NTLM and Negotiate authenticate a
/// connection, not a request, so a stage above connections cannot support them.
public struct Authentication: Middleware {
  /// The supported schemes in order of preference: Bearer, Digest, Basic by default.
  ///
  /// To refuse weaker schemes, leave them out: `[DigestScheme()]`.
  public var schemes: [any AuthenticationScheme] = [BearerScheme(), DigestScheme(), BasicScheme()] {
    didSet { memory = SessionMemory() }
  }

  /// The credentials for requests that have none of their own.
  public let store: any CredentialStore

  /// Decides how to answer each challenge; `nil` to use the credential of the request or the store.
  public var handler: (any ChallengeHandler)?

  let role: Role
  private(set) var memory = SessionMemory()

  /// Creates a stage with a store of credentials, empty by default, and an optional handler.
  public init(
    store: any CredentialStore = MemoryCredentialStore(),
    handler: (any ChallengeHandler)? = nil
  ) {
    self.store = store
    self.handler = handler
    role = .origin
  }

  /// Creates a stage with a name and a password for one origin.
  ///
  /// - Parameters:
  ///   - user: The name.
  ///   - password: The password.
  ///   - origin: The origin, as `https://host:port`; what follows is ignored.
  ///   - isPreemptive: Whether to send them with Basic before the server asks; `false` by default.
  /// - Throws: ``ExchangeError`` of kind `invalidRequest` if the origin is not an http or https URL.
  public init(user: String, password: String, for origin: String, isPreemptive: Bool = false) throws {
    try self.init(Credential(user: user, password: password, isPreemptive: isPreemptive), for: origin)
  }

  /// Creates a stage with a bearer token for one origin, sent from the first request on.
  ///
  /// - Throws: ``ExchangeError`` of kind `invalidRequest` if the origin is not an http or https URL.
  public init(bearer token: String, for origin: String) throws {
    try self.init(Credential(token: token), for: origin)
  }

  /// Creates a stage with renewable bearer tokens for one origin, sent from the first request on.
  ///
  /// - Throws: ``ExchangeError`` of kind `invalidRequest` if the origin is not an http or https URL.
  public init(bearer tokens: TokenSource, for origin: String) throws {
    try self.init(Credential(tokens: tokens), for: origin)
  }

  private init(_ credential: Credential, for origin: String) throws {
    let store = MemoryCredentialStore()
    try store.set(credential, for: origin)
    self.init(store: store)
  }

  /// Creates a stage that answers challenges of a proxy: 407 responses with Proxy-Authenticate (RFC 9110 11.7).
  ///
  /// It only handles `http` requests: `https` requests use a tunnel that the transport creates and authenticates.
  /// Configure the transport with the proxy without name and password, so that it leaves `http` to the stage. The name
  /// and the password are sent to the proxy as its URL says, even over http.
  ///
  /// A 407 is only answered if the transport reports that this proxy sent it (``Response/proxy``); otherwise it is
  /// final, so that an origin never receives the password. Credentials are sent without being asked for to origins for
  /// which the proxy has asked before, so the first request to each origin is refused once. With a transport that also
  /// tunnels `http`, such as the one over AsyncHTTPClient, the stage has nothing to answer.
  ///
  /// - Parameters:
  ///   - proxy: The HTTP proxy that the transport uses, with its name and password, if any.
  ///   - handler: Decides how to answer each challenge; `nil`, the default, to use the name and password of the proxy.
  public init(proxy: Proxy, handler: (any ChallengeHandler)? = nil) {
    let store = MemoryCredentialStore()
    // A SOCKS proxy never answers requests.
    let origin = proxy.origin ?? TargetURI.Origin(isSecure: false, host: proxy.host, port: proxy.port)
    if let user = proxy.user {
      store.set(Credential(user: user, password: proxy.password ?? ""), for: origin)
    }
    self.store = store
    self.handler = handler
    role = Role(proxyAt: origin)
  }

  /// The name of the stage: `Authentication` or `ProxyAuthentication`.
  public var name: String { role.isProxy ? "ProxyAuthentication" : "Authentication" }

  /// Forgets everything learned: nonces, protection spaces, and refused credentials.
  public func reset() {
    memory.removeAll()
  }

  /// Sends a request with known credentials for its server, and answers challenges.
  ///
  /// - Throws: ``ExchangeError``, of kind `authentication` if the stage itself ends the exchange.
  public func handle(_ request: Request, next: Next) async throws -> Response {
    guard let known = try known(for: request) else {
      let response = try await next(request)
      guard response.status.code == role.status else { return response }
      return try await answer(response, to: request, next)
    }
    return try await send(request, with: known, next)
  }

  // Cold code is kept out of `handle`, whose frame lives as long as its request.

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

  /// Returns the session to use before the server asks; cheap if nothing is known.
  @inline(never)
  private func known(for request: Request) throws -> KnownSession? {
    let isGiven = request.options.hasCredential && !role.isProxy
    // Read before the store is queried: its answer is kept only if the store does not change meanwhile.
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
    // The store itself has chosen the credential.
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
    request.emit(AuthenticationEvent.skipped(scheme: known.scheme, .plainHTTP))
    return false
  }

  /// Returns the session for a preemptive credential.
  private func begin(
    _ credential: Credential,
    isShared: Bool,
    of revision: Int,
    on server: TargetURI.Origin,
    _ request: Request
  ) throws -> KnownSession? {
    let space = ProtectionSpace(origin: server, realm: credential.realm ?? "", isProxy: role.isProxy)
    for scheme in schemes where isAllowed(scheme.name, for: request) {
      guard !memory.wasRefused(credential, by: scheme.name, in: space) else { continue }
      guard let session = try scheme.session(for: nil, in: space, with: credential) else { continue }
      guard !scheme.revealsCredential || mayRevealCredential(to: server, request) else {
        request.emit(AuthenticationEvent.skipped(scheme: scheme.name, .plainHTTP))
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

  /// Returns the credential of the request itself, if it is for this server.
  func givenCredential(for request: Request, on server: TargetURI.Origin) -> Credential? {
    guard !role.isProxy, request.options.hasCredential,
      let given = request.options.credential,
      let exchange = request.exchange
    else { return nil }
    guard exchange.withState(CredentialBinding.state, { $0.binds(to: server, atHop: request.hop) }) else {
      request.emit(AuthenticationEvent.skipped(scheme: "credential of the request", .otherOrigin))
      return nil
    }
    return given
  }

  /// Returns whether the options of a request allow a scheme.
  func isAllowed(_ scheme: String, for request: Request) -> Bool {
    request.options.authenticationSchemes?.contains { $0.equalsIgnoringASCIICase(scheme) } ?? true
  }

  /// Returns whether a credential that others could read in transit may be sent to a server.
  func mayRevealCredential(to origin: TargetURI.Origin, _ request: Request) -> Bool {
    origin.isSecure || role.isProxy || origin.isLoopback || request.options.allowsPlainCredentials
  }
}

extension Authentication: CustomReflectable {
  /// The names of the schemes, without credentials.
  public var customMirror: Mirror { Mirror(self, children: ["schemes": schemes.map(\.name)]) }
}
