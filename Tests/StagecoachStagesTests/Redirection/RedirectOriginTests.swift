import HTTPTypes
import Stagecoach
import TestSupport
import Testing

/// 1.4: what is for one origin stays there.
@Suite struct RedirectOriginTests {
  private static let start = "https://a.example/start"

  /// The form of a key is all that is looked at here.
  private static let key = "-----BEGIN PRIVATE KEY-----\nMAA=\n-----END PRIVATE KEY-----\n"

  private static let secrets = [
    "Authorization", "Cookie", "Origin", "Referer", "X-Api-Key", "X-Auth-Token", "Api-Key",
    "X-Amz-Security-Token",
    "X-Own",
  ]

  private static func request(_ start: String = RedirectOriginTests.start) throws -> Request {
    var request = Request.get(start)
    request.options.sensitiveFields.insert(try #require(HTTPField.Name("x-own")))
    try request.addField("Accept", "*/*")
    for name in secrets { try request.addField(name, "s") }
    try request.addField("X-Public", "p")
    return request
  }

  @Test(arguments: [
    ("1.4 same origin", "https://a.example/start", "/next", true),
    ("1.4 same origin, default port", "https://a.example/start", "https://A.EXAMPLE:443/next", true),
    ("1.5 #2, 1.4 upgrade of the scheme", "http://a.example/start", "https://a.example/next", false),
    ("1.4 upgrade with the other port", "http://a.example:443/start", "https://a.example/next", false),
    ("1.4 another port", "https://a.example/start", "https://a.example:8443/next", false),
    ("1.4 a subdomain", "https://a.example/start", "https://sub.a.example/next", false),
    ("1.4 the domain above", "https://sub.a.example/start", "https://a.example/next", false),
    ("1.4 another host", "https://a.example/start", "//b.example/next", false),
    ("1.4 another form of the host", "https://a.example/start", "https://a.example./next", false),
  ])
  func secretsStayWithTheOrigin(row: String, start: String, location: String, stay: Bool) async throws {
    let stripped = stay ? [] : Self.secrets
    let last = ["Accept"] + (stay ? Self.secrets : []) + ["X-Public"]
    for code in [301, 302, 303, 307, 308] {
      let outcome = try await RedirectOutcome(
        Self.request(start),
        over: HandlerTransport { $0.hop == 0 ? redirect(location, code) : Response(.ok) }
      )
      #expect(outcome.names.first == ["Accept"] + Self.secrets + ["X-Public"])
      #expect(outcome.names.last == last, "\(row)")
      guard case .followed(let step) = outcome.recorder.redirects.first else {
        Issue.record("no event, \(row)")
        continue
      }
      #expect(step.isOriginChange == !stay)
      #expect(step.strippedFields.map(\.rawName) == stripped)
      #expect(outcome.response?.history.first?.request.headerFields[values: .cookie] == ["[redacted]"])
      let own = try #require(HTTPField.Name("X-Own"))
      #expect(outcome.response?.history.first?.request.headerFields[own] == "[redacted]")
    }
  }

  @Test func secretsDoNotComeBackWithTheChain() async throws {
    let outcome = try await RedirectOutcome(
      Self.request(),
      [
        Self.start: redirect("/1"), "https://a.example/1": redirect("https://b.example/"),
        "https://b.example/": redirect("https://a.example/2"), "https://a.example/2": redirect("3"),
      ]
    )
    let all = ["Accept"] + Self.secrets + ["X-Public"]
    let few = ["Accept", "X-Public"]
    #expect(outcome.names == [all, all, few, few, few])
    #expect(outcome.urls.last == "https://a.example/3")
  }

  @Test func whatIsMarkedIsNotShown() async throws {
    let outcome = try await RedirectOutcome(
      Self.request(),
      over: HandlerTransport { request in
        if request.hop == 1 { throw Foreign() }
        return redirect("/1")
      }
    )
    let own = try #require(HTTPField.Name("X-Own"))
    #expect(outcome.error?.request?.headerFields[own] == "[redacted]")
    let started = outcome.recorder.events.compactMap { event in
      if case .exchangeStarted(let head) = event.kind { head.headerFields[own] } else { nil }
    }
    #expect(started == ["[redacted]"])
  }

  @Test func whatIsCalledASecretStaysWithItsOrigin() async throws {
    var request = try Self.request()
    let names = [
      "PRIVATE-TOKEN", "X-Vault-Token", "X-Goog-Api-Key", "X-Auth-Key", "X-Session-Id", "X-Client-Secret",
      "X-Auth", "X-Access-Key", "X-OTP", "Client-Assertion", "X-Private-Key",
    ]
    for name in names { request.fields[try #require(HTTPField.Name(name))] = "s" }
    let outcome = try await RedirectOutcome(request, [Self.start: redirect("https://b.example/")])
    #expect(outcome.names.last == ["Accept", "X-Public"])
  }

  /// Assigning marks fields besides those that are called secrets, and never takes one out.
  @Test func markingAddsToWhatIsMarked() async throws {
    for (marked, kept) in [([], ["X-Own", "X-Public"]), (["X-Own"], ["X-Public"])] {
      var request = try Self.request()
      request.options.sensitiveFields = Set(marked.compactMap { HTTPField.Name($0) })
      let outcome = try await RedirectOutcome(request, [Self.start: redirect("https://b.example/")])
      #expect(outcome.names.last == ["Accept"] + kept)
    }
  }

  @Test func whatAClientMarksStaysMarked() async throws {
    let (ofClient, ofRequest) = (
      try #require(HTTPField.Name("X-Team")), try #require(HTTPField.Name("X-Own"))
    )
    let transport = redirectServer([Self.start: redirect("https://b.example/")])
    let client = try Client(Pipeline(over: transport) { Redirects() })
    client.updateDefaults {
      $0.fields[ofClient] = "t"
      $0.options.sensitiveFields.insert(ofClient)
    }
    var request = Request.get(Self.start)
    request.fields[ofRequest] = "o"
    request.options.sensitiveFields.insert(ofRequest)
    _ = try await client.send(request)
    #expect(transport.requests.map { $0.fields[ofClient] } == ["t", nil])
    #expect(transport.requests.map { $0.fields[ofRequest] } == ["o", nil])
    #expect(transport.requests[0].options.sensitiveFields == [ofClient, ofRequest])
  }

  @Test func whatAStageBelowAddsIsNotCarriedOn() async throws {
    let transport = redirectServer([
      Self.start: redirect("/1"), "https://a.example/1": redirect("https://b.example/"),
    ])
    let adding = Stage { request, next in
      var request = request
      request.fields[.authorization] = "hop \(request.hop)"
      request.fields[.cookie] = "hop=\(request.hop)"
      if request.hop == 0 { request.fields[.ifNoneMatch] = "\"of the cache\"" }
      return try await next(request)
    }
    let pipeline = Pipeline(over: transport, stages: [Redirects(), adding])
    let response = try await pipeline.send(.get(Self.start))
    #expect(transport.requests.map { $0.fields[.authorization] } == ["hop 0", "hop 1", "hop 2"])
    #expect(transport.requests.map { $0.fields[.ifNoneMatch] } == ["\"of the cache\"", nil, nil])
    #expect(response.history.map { $0.request.headerFields[.authorization] } == ["[redacted]", "[redacted]"])
  }

  @Test func theClientCertificateStaysAndTheRestOfTheTrustGoesOn() async throws {
    let identity = try ClientIdentity(chainPEM: SampleCertificates.server, privateKeyPEM: Self.key)
    var trust = Trust(identity: identity)
    trust.minimumVersion = .tls13
    trust.hosts["b.example"] = Trust(identity: identity)
    var request = Request.get(Self.start)
    request.options.trust = trust
    let outcome = try await RedirectOutcome(
      request,
      [
        Self.start: redirect("/1"), "https://a.example/1": redirect("https://b.example/"),
        "https://b.example/": redirect(Self.start + "2"),
      ]
    )
    let trusts = outcome.transport.requests.map { $0.options.trust }
    #expect(trusts.map { $0?.identity } == [identity, identity, nil, nil])
    #expect(
      trusts.allSatisfy { $0?.minimumVersion == .tls13 && $0?.hosts["b.example"]?.identity == identity }
    )
    let stripped = outcome.recorder.redirects.map { event in
      if case .followed(let step) = event { step.strippedIdentity } else { false }
    }
    #expect(stripped == [false, true, false])
  }

  /// 10.1.3 of RFC 9110, in 1.6 of the reference.
  @Test(arguments: [
    ("https://a.example/p?q=1#f", "/next", "https://a.example/p?q=1"),
    ("https://a.example:8443/p", "https://b.example/", "https://a.example:8443/"),
    ("http://a.example/p", "https://a.example/", "http://a.example/"),
    ("https://a.example/p", "http://a.example/", nil),
  ])
  func refererIsSentIfAsked(start: String, location: String, referer: String?) async throws {
    for own in [nil, "https://own.example/"] {
      var request = Request.get(start)
      request.fields[.referer] = own
      request.options.redirectRules = RedirectRules()
      request.options.redirectRules?.allowsInsecure = true
      for isAsked in [true, false] {
        request.options.redirectRules?.sendsReferer = isAsked
        let outcome = try await RedirectOutcome(
          request,
          over: HandlerTransport { $0.hop == 0 ? redirect(location) : Response(.ok) }
        )
        let keepsOwn = location == "/next" ? own : nil
        #expect(
          outcome.transport.requests.map { $0.fields[.referer] } == [own, isAsked ? referer : keepsOwn]
        )
      }
    }
  }
}
