import HTTPTypes
import Stagecoach
import Testing

@Suite(.timeLimit(.minutes(1))) struct ProxyAuthenticationTests {
  private static let digest = #"Digest realm="p", nonce="n", qop="auth""#

  private static func transport(_ challenges: [String]) -> HandlerTransport {
    HandlerTransport { request in
      if request.fields[.proxyAuthorization] != nil { return Response(.ok) }
      var response = Response(.proxyAuthenticationRequired)
      for challenge in challenges {
        response.fields.append(HTTPField(name: .proxyAuthenticate, value: challenge))
      }
      return response
    }
  }

  @Test func theProxyIsAnsweredForEveryOrigin() async throws {
    for kind in ["http", "https"] {
      let transport = Self.transport([Self.digest, #"Basic realm="p""#])
      let stage = Authentication(proxy: try Proxy("\(kind)://ada:secret@proxy.example:3128"))
      #expect(stage.name == "ProxyAuthentication")
      let client = try stage.client(over: transport)
      for url in ["http://a/x?y", "http://b:81/z", "http://c/"] {
        #expect(try await client.send(.get(url)).status == .ok)
      }
      #expect(transport.requests.count == 4)
      let uris = transport.requests.compactMap { $0.fields[.proxyAuthorization] }.map {
        AuthenticationChallenge.parse($0).challenges.first?[parameter: "uri"]
      }
      #expect(uris == ["http://a/x?y", "http://b:81/z", "http://c/"])
      #expect(transport.requests.allSatisfy { $0.authorization == nil })
    }
  }

  @Test func aTunnelIsForTheTransport() async throws {
    let transport = Self.transport([Self.digest])
    let log = AuthenticationLog()
    let client = try Authentication(proxy: try Proxy("http://ada:secret@proxy:3128")).client(
      over: transport,
      log
    )
    _ = try await client.send(.get("http://a/"))
    #expect(try await client.send(.get("https://a/")).status == .proxyAuthenticationRequired)
    #expect(transport.requests.last?.fields[.proxyAuthorization] == nil)
    #expect(log.all.last == .passedOn(.tunnel))
  }

  @Test func a407IsFinalWithoutAProxy() async throws {
    let transport = Self.transport([Self.digest])
    let client = try Authentication(user: "ada", password: "secret", for: "http://a").client(over: transport)
    #expect(try await client.send(.get("http://a/")).status == .proxyAuthenticationRequired)
    #expect(transport.requests.count == 1)
  }

  @Test func proxyAndOriginMayTakeTurns() async throws {
    let transport = HandlerTransport { request in
      if request.fields[.proxyAuthorization] == nil {
        return Response(.proxyAuthenticationRequired, fields: [.proxyAuthenticate: #"Basic realm="p""#])
      }
      return request.authorization == nil ? .challenge(Self.digest) : Response(.ok)
    }
    let proxy = Authentication(proxy: try Proxy("http://p:p@proxy:3128"))
    let origin = try Authentication(user: "ada", password: "secret", for: "http://a")
    for stages in [[proxy, origin], [origin, proxy]] {
      let client = try Client(Pipeline(over: transport, stages: stages))
      for stage in stages { stage.reset() }
      #expect(try await client.send(.get("http://a/")).status == .ok)
      #expect(try await client.send(.get("http://a/")).status == .ok)
    }
  }

  @Test func nextNonceOfAProxyIsUsed() async throws {
    let transport = HandlerTransport { request in
      guard request.fields[.proxyAuthorization] != nil else {
        return Response(.proxyAuthenticationRequired, fields: [.proxyAuthenticate: Self.digest])
      }
      return Response(.ok, fields: [.proxyAuthenticationInfo: #"nextnonce="n2""#])
    }
    let client = try Authentication(proxy: try Proxy("http://ada:secret@proxy:3128")).client(over: transport)
    for _ in 0..<2 { _ = try await client.send(.get("http://a/")) }
    #expect(transport.requests.last?.fields[.proxyAuthorization]?.contains(#"nonce="n2""#) == true)
  }

  @Test func whatGoesPastTheProxyCarriesNothing() async throws {
    let url = "http://ada:secret@proxy:3128"
    let environment = try ProxyEnvironment(["http_proxy": url, "no_proxy": "direct"])
    let transport = Self.transport([Self.digest])
    let log = AuthenticationLog()
    let stage = Authentication(proxy: try Proxy(url), environment: environment)
    let client = try stage.client(over: transport, log)
    #expect(try await client.send(.get("http://a/")).status == .ok)
    #expect(try await client.send(.get("http://direct/")).status == .proxyAuthenticationRequired)
    #expect(log.all.last == .passedOn(.tunnel))
    #expect(try await client.send(.get("http://b/")).status == .ok)
    let carries = transport.requests.map { $0.fields[.proxyAuthorization] != nil }
    #expect(carries == [false, true, false, true])
  }
}
