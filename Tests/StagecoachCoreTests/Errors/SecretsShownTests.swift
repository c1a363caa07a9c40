import Foundation
import HTTPTypes
import Stagecoach
import StagecoachSystem
import TestSupport
import Testing

/// What holds a secret does not show it, however it is looked at.
@Suite struct SecretsShownTests {
  private static let secret = "hunter2"
  private static let url = "http://ada:hunter2@h:1/a?access_token=hunter2#access_token=hunter2"
  private static let key = "-----BEGIN PRIVATE KEY-----\naHVudGVyMg==\n-----END PRIVATE KEY-----\n"

  private struct Outer<Value> {
    let value: Value
  }

  /// An option of somebody else, whose value nobody here knows.
  private static let foreign = RequestOption("foreign", default: "")

  /// All texts that can be made of a value without asking it for its members.
  private static func texts(of value: Any) -> [String] {
    var texts = [
      "\(value)", String(reflecting: value), "\([value])", "\(["a": value])", "\(Outer(value: value))",
      "\(Optional(value) as Any)", String(describing: Result<Any, any Error>.success(value)),
    ]
    for nested in [value, [value], Outer(value: value), Optional(value) as Any] {
      var text = ""
      dump(nested, to: &text)
      texts.append(text)
    }
    return texts + reflected(value, depth: 0)
  }

  /// What its mirror and those of its children show.
  private static func reflected(_ value: Any, depth: Int) -> [String] {
    guard depth < 12 else { return [] }
    var texts: [String] = []
    var mirror: Mirror? = Mirror(reflecting: value)
    while let current = mirror {
      for child in current.children {
        texts.append("\(child.label ?? "") \(child.value)")
        texts += reflected(child.value, depth: depth + 1)
      }
      mirror = current.superclassMirror
    }
    return texts
  }

  private static func request() throws -> Request {
    var request = Request(.post, url, body: .bytes("password=hunter2"))
    request.fields[.authorization] = "Bearer hunter2"
    request.fields[.cookie] = "sid=hunter2"
    request.fields[try #require(HTTPField.Name("X-Auth"))] = "hunter2"
    request.fields[try #require(HTTPField.Name("X-Own"))] = "hunter2"
    request.options.sensitiveFields = [try #require(HTTPField.Name("X-Own"))]
    request.options.credential = Credential(user: "ada", password: secret)
    request.options[Self.foreign] = secret
    request.options.trust = Trust(identity: try identity())
    return request
  }

  private static func identity() throws -> ClientIdentity {
    try ClientIdentity(chainPEM: SampleCertificates.server, privateKeyPEM: key)
  }

  private static func response() throws -> Response {
    Response(
      .ok,
      fields: [.setCookie: "sid=hunter2", .location: url],
      body: .bytes("hunter2")
    )
  }

  private static func values() async throws -> [any Sendable] {
    let request = try request()
    let proxy = try Proxy("http://ada:hunter2@proxy:3128")
    var connections = ConnectionOptions()
    connections.proxy = .server(proxy)
    let environment = ProxyEnvironment(["http_proxy": "http://ada:hunter2@proxy:3128"])
    let credentials = MemoryCredentialStore()
    try credentials.set(Credential(user: "ada", password: secret), for: "http://h")
    let netrc = try NetrcFile("machine h login ada password hunter2")
    var authentication = Authentication(store: credentials)
    authentication.schemes = [BasicScheme()]
    let jar = CookieJar()
    let transport = HandlerTransport { request in
      if request.fields[.authorization] == nil {
        return Response(.unauthorized, fields: [.wwwAuthenticate: "Basic realm=a"])
      }
      return Response(.ok, fields: [.setCookie: "sid=hunter2"], body: .bytes("hunter2"))
    }
    let client = try Client(
      Pipeline(over: transport) {
        authentication
        Cookies(jar: jar)
      }
    )
    client.updateDefaults {
      $0.fields[HTTPField.Name("X-Api-Key")!] = secret
      $0.options.credential = Credential(token: secret)
    }
    let response = try await client.send(.get("http://h/"))
    let decoded = try await client.response(for: request, as: .data)
    let cookies = jar.cookies()
    #expect(!cookies.isEmpty)
    return [
      request, [request], request.body, request.options, response, response.body, try Self.response(),
      decoded,
      proxy, ProxySetting.server(proxy), connections, environment,
      Credential(user: "ada", password: secret), Credential(token: secret), Token(secret),
      TokenSource(Token(secret)) { _ in Token(secret) },
      Authorization("Basic hunter2"), credentials, netrc, NetrcCredentialStore(netrc), authentication,
      try identity(), Trust(identity: try identity()), client, client.defaults, client.pipeline, transport,
      Client.Configuration(
        defaults: client.defaults,
        connections: connections,
        trust: Trust(identity: try identity())
      ),
      jar,
      cookies, jar.exported(as: .json, includingSession: true), Bytes("hunter2"),
      Request.Body.bytes("hunter2"),
    ]
  }

  @Test func noDescriptionShowsAKeptSecret() async throws {
    for value in try await Self.values() {
      for text in Self.texts(of: value) where text.contains(Self.secret) || text.contains("aHVudGVyMg") {
        Issue.record("\(type(of: value)) shows it: \(text.prefix(2000))")
      }
    }
  }

  @Test func whatPoliciesAreAskedShowsNothing() async throws {
    @Sendable func check(_ value: Any) {
      for text in Self.texts(of: value) where text.contains(Self.secret) {
        Issue.record("\(type(of: value)) shows it: \(text.prefix(2000))")
      }
    }
    let policy = RedirectPolicy.ask { proposal in
      check(proposal)
      return .follow
    }
    var retry = RetryPolicy()
    retry.decide = { attempt in
      check(attempt)
      return .stop
    }
    let transport = HandlerTransport { request in
      request.hop == 0
        ? Response(.found, fields: [.location: "/b?token=hunter2", .setCookie: "sid=hunter2"])
        : Response(.serviceUnavailable, fields: [.setCookie: "sid=hunter2"], body: .bytes("hunter2"))
    }
    let pipeline = Pipeline(over: transport) {
      Retry(retry)
      Redirects(policy: policy)
    }
    var request = Request.get("http://h/a?token=hunter2")
    request.fields[.authorization] = "Bearer hunter2"
    let response = try await pipeline.send(request)
    #expect(response.status == .serviceUnavailable)
    check(response)
  }

  /// What is no secret is shown.
  @Test func showsEverythingButSecrets() throws {
    let request = try Self.request()
    #expect("\(request)" == "POST http://[redacted]@h:1/a?access_token=[redacted]#access_token=[redacted]")
    var text = ""
    dump(request, to: &text)
    #expect(text.contains("POST"))
    #expect(text.contains("16 bytes"))
    #expect(text.contains("credential"))
    #expect("\(try Self.response())" == "200 OK")
    #expect("\(try Proxy("http://ada:hunter2@proxy:3128"))" == "http://…@proxy:3128")
  }
}
