import HTTPTypes
import Stagecoach
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ProxyAuthenticationTests {
  private static let digest = #"Digest realm="p", nonce="n", qop="auth""#

  /// - Parameters:
  ///   - challenges: What who answers asks for until it is told.
  ///   - proxies: Who answers requests to a host, as the transport tells.
  private static func transport(
    _ challenges: [String],
    through proxies: @escaping @Sendable (String) throws -> Proxy?
  ) -> HandlerTransport {
    HandlerTransport { request in
      var response = Response(.ok)
      if request.fields[.proxyAuthorization] == nil {
        response = Response(.proxyAuthenticationRequired)
        for challenge in challenges {
          response.fields.append(HTTPField(name: .proxyAuthenticate, value: challenge))
        }
      }
      response.proxy = try proxies(request.head.authority ?? "")?.origin
      return response
    }
  }

  @Test func theProxyIsAnsweredForEveryOrigin() async throws {
    for kind in ["http", "https"] {
      let proxy = try Proxy("\(kind)://ada:secret@Proxy.example:3128")
      let transport = Self.transport([Self.digest, #"Basic realm="p""#]) { _ in proxy }
      let stage = Authentication(proxy: proxy)
      #expect(stage.name == "ProxyAuthentication")
      let client = try stage.client(over: transport)
      for url in ["http://a/x?y", "http://b:81/z", "http://c/", "http://a/again"] {
        #expect(try await client.send(.get(url)).status == .ok)
      }
      // Unasked only where it is known that the proxy asks.
      #expect(transport.requests.count == 7)
      let uris = transport.requests.compactMap { $0.fields[.proxyAuthorization] }.map {
        AuthenticationChallenge.parse($0).challenges.first?[parameter: "uri"]
      }
      #expect(uris == ["http://a/x?y", "http://b:81/z", "http://c/", "http://a/again"])
      #expect(transport.requests.allSatisfy { $0.authorization == nil })
    }
  }

  @Test func aTunnelIsForTheTransport() async throws {
    let proxy = try Proxy("http://ada:secret@proxy:3128")
    let transport = Self.transport([Self.digest]) { _ in proxy }
    let log = AuthenticationLog()
    let client = try Authentication(proxy: proxy).client(over: transport, log)
    _ = try await client.send(.get("http://a/"))
    #expect(try await client.send(.get("https://a/")).status == .proxyAuthenticationRequired)
    #expect(transport.requests.last?.fields[.proxyAuthorization] == nil)
    #expect(log.all.last == .passedOn(.tunnel))
  }

  @Test func a407IsFinalWithoutAProxy() async throws {
    let transport = Self.transport([Self.digest]) { _ in nil }
    let client = try Authentication(user: "ada", password: "secret", for: "http://a").client(over: transport)
    #expect(try await client.send(.get("http://a/")).status == .proxyAuthenticationRequired)
    #expect(transport.requests.count == 1)
  }

  /// What an origin answers in a tunnel looks the same, and so does what a transport answers that knows of no proxies.
  @Test func a407ThatNoProxySentIsFinal() async throws {
    let proxy = try Proxy("http://ada:secret@proxy:3128")
    for other in [
      nil, try Proxy("http://proxy:3129"), try Proxy("https://proxy:3128"), try Proxy("socks5://proxy:3128"),
    ] {
      let transport = Self.transport([Self.digest, #"Basic realm="p""#]) { _ in other }
      let log = AuthenticationLog()
      let client = try Authentication(proxy: proxy).client(over: transport, log)
      for url in ["http://a/", "http://a/", "http://b/"] {
        #expect(try await client.send(.get(url)).status == .proxyAuthenticationRequired)
        #expect(log.all.last == .passedOn(.otherThanProxy))
      }
      #expect(transport.requests.count == 3)
      #expect(transport.requests.allSatisfy { $0.fields[.proxyAuthorization] == nil })
    }
  }

  /// One of SOCKS answers no requests: what names itself so is nobody.
  @Test func aProxyOfSOCKSIsNeverAnswered() async throws {
    let proxy = try Proxy("socks5://ada:secret@proxy:1080")
    #expect(proxy.origin == nil)
    let transport = Self.transport([Self.digest]) { _ in proxy }
    let client = try Authentication(proxy: proxy).client(over: transport)
    #expect(try await client.send(.get("http://a/")).status == .proxyAuthenticationRequired)
    #expect(transport.requests.count == 1)
  }

  /// Where the way of requests changes, nothing is sent unasked any more.
  @Test func whatIsSentUnaskedFollowsTheWay() async throws {
    let proxy = try Proxy("http://ada:secret@proxy:3128")
    let isDirect = Atomic(false)
    let transport = HandlerTransport { request in
      let isAnswered = request.fields[.proxyAuthorization] != nil
      var response = Response(isAnswered ? .ok : .proxyAuthenticationRequired)
      if !isAnswered { response.fields[.proxyAuthenticate] = Self.digest }
      if !isDirect.load(ordering: .relaxed) { response.proxy = proxy.origin }
      return response
    }
    let client = try Authentication(proxy: proxy).client(over: transport)
    for _ in 0..<2 { #expect(try await client.send(.get("http://a/")).status == .ok) }
    isDirect.store(true, ordering: .relaxed)
    _ = try await client.send(.get("http://a/"))
    for _ in 0..<2 {
      #expect(try await client.send(.get("http://a/")).status == .proxyAuthenticationRequired)
    }
    let carries = transport.requests.map { $0.fields[.proxyAuthorization] != nil }
    #expect(carries == [false, true, true, true, false, false])
  }

  /// A redirect leads from an origin behind the proxy to one that is not, which asks as the proxy does.
  @Test(arguments: [true, false])
  func aRedirectPastTheProxyCarriesNothing(isAbove: Bool) async throws {
    let proxy = try Proxy("http://ada:secret@proxy:3128")
    let transport = HandlerTransport { request in
      guard request.head.authority == "behind" else {
        return Response(.proxyAuthenticationRequired, fields: [.proxyAuthenticate: Self.digest])
      }
      let isAnswered = request.fields[.proxyAuthorization] != nil
      var response = Response(isAnswered ? .found : .proxyAuthenticationRequired)
      response.fields[isAnswered ? .location : .proxyAuthenticate] =
        isAnswered ? "http://direct/" : Self.digest
      response.proxy = proxy.origin
      return response
    }
    let stage = Authentication(proxy: proxy)
    let stages: [any Middleware] = isAbove ? [Redirects(), stage] : [stage, Redirects()]
    let client = try Client(Pipeline(over: transport, stages: stages))
    for _ in 0..<2 {
      #expect(try await client.send(.get("http://behind/")).status == .proxyAuthenticationRequired)
    }
    let past = transport.requests.filter { $0.head.authority == "direct" }
    #expect(past.count == 2)
    #expect(past.allSatisfy { $0.fields[.proxyAuthorization] == nil })
  }

  @Test func proxyAndOriginMayTakeTurns() async throws {
    let server = try Proxy("http://p:p@proxy:3128")
    let transport = HandlerTransport { request in
      var response: Response
      if request.fields[.proxyAuthorization] == nil {
        response = Response(.proxyAuthenticationRequired, fields: [.proxyAuthenticate: #"Basic realm="p""#])
      } else {
        response = request.authorization == nil ? .challenge(Self.digest) : Response(.ok)
      }
      response.proxy = server.origin
      return response
    }
    let proxy = Authentication(proxy: server)
    let origin = try Authentication(user: "ada", password: "secret", for: "http://a")
    for stages in [[proxy, origin], [origin, proxy]] {
      let client = try Client(Pipeline(over: transport, stages: stages))
      for stage in stages { stage.reset() }
      #expect(try await client.send(.get("http://a/")).status == .ok)
      #expect(try await client.send(.get("http://a/")).status == .ok)
    }
  }

  @Test func nextNonceOfAProxyIsUsed() async throws {
    let proxy = try Proxy("http://ada:secret@proxy:3128")
    let transport = HandlerTransport { request in
      var response = Response(.ok, fields: [.proxyAuthenticationInfo: #"nextnonce="n2""#])
      if request.fields[.proxyAuthorization] == nil {
        response = Response(.proxyAuthenticationRequired, fields: [.proxyAuthenticate: Self.digest])
      }
      response.proxy = proxy.origin
      return response
    }
    let client = try Authentication(proxy: proxy).client(over: transport)
    for _ in 0..<2 { _ = try await client.send(.get("http://a/")) }
    #expect(transport.requests.last?.fields[.proxyAuthorization]?.contains(#"nonce="n2""#) == true)
  }

  @Test func whatGoesPastTheProxyCarriesNothing() async throws {
    let url = "http://ada:secret@proxy:3128"
    let environment = ProxyEnvironment(["http_proxy": url, "no_proxy": "direct"])
    let transport = Self.transport([Self.digest]) {
      try? environment.proxy(scheme: "http", host: $0, port: 80)
    }
    let log = AuthenticationLog()
    let client = try Authentication(proxy: try Proxy(url)).client(over: transport, log)
    #expect(try await client.send(.get("http://a/")).status == .ok)
    #expect(try await client.send(.get("http://direct/")).status == .proxyAuthenticationRequired)
    #expect(log.all.last == .passedOn(.otherThanProxy))
    #expect(try await client.send(.get("http://b/")).status == .ok)
    let carries = transport.requests.map { $0.fields[.proxyAuthorization] != nil }
    #expect(carries == [false, true, false, false, true])
  }
}
