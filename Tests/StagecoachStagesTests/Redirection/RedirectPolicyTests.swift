import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite struct RedirectPolicyTests {
  private static let start = "https://a.example/0"
  private static let toSame = [start: redirect("1")]
  private static let toOther = [start: redirect("https://b.example/1")]

  @Test func refuseGivesTheRedirectWithItsContent() async throws {
    for location in ["1", "https://b.example/", "http://a.example/", "ftp://b.example/", "http:t"] {
      var answer = redirect(location)
      answer.body = .bytes("moved")
      let outcome = try await RedirectOutcome(
        .get(Self.start),
        Redirects(policy: .refuse),
        [Self.start: answer]
      )
      #expect(outcome.response?.status == .found)
      #expect(try await outcome.response?.collectBody() == "moved")
      #expect(outcome.response?.history.isEmpty == true)
      #expect(outcome.recorder.redirects == [.refused(.policy)])
      #expect(outcome.urls.count == 1)
    }
  }

  /// In the standard chain, where a status is judged.
  @Test(arguments: [RedirectPolicy.refuse, .sameOriginOnly, .ask { _ in .stop }])
  func aRedirectThatIsNotFollowedIsReturned(policy: RedirectPolicy) async throws {
    let transport = HandlerTransport { _ in redirect("https://b.example/") }
    let client = try Client(over: transport)
    var request = Request.get(Self.start)
    request.options.redirectPolicy = policy
    #expect(try await client.send(request).status == .found)
    // No value is made of it.
    let error = await #expect(throws: ExchangeError.self) { try await client.value(for: request, as: .data) }
    #expect(error?.kind == .status)
    let lost = try Client(over: HandlerTransport { _ in Response(.found) })
    await #expect(throws: ExchangeError.self) { try await lost.send(request) }
  }

  @Test func sameOriginOnlyGoesAsFarAsTheOrigin() async throws {
    let redirects = Redirects(policy: .sameOriginOnly)
    let outcome = try await RedirectOutcome(
      .get(Self.start),
      redirects,
      [Self.start: redirect("1"), "https://a.example/1": redirect("http://a.example/2")]
    )
    #expect(outcome.response?.status == .found)
    #expect(outcome.response?.history.count == 1)
    #expect(outcome.recorder.redirects.last == .refused(.otherOrigin))
    #expect(outcome.urls.count == 2)
  }

  @Test func aRequestOverridesTheStage() async throws {
    var request = Request.get(Self.start)
    request.options.redirectPolicy = .refuse
    #expect(try await RedirectOutcome(request, Self.toSame).urls.count == 1)
    request.options.redirectPolicy = .follow
    #expect(try await RedirectOutcome(request, Redirects(policy: .refuse), Self.toSame).urls.count == 2)
    request.options.redirectPolicy = .sameOriginOnly
    #expect(try await RedirectOutcome(request, Self.toOther).urls.count == 1)
  }

  @Test func theClosureSeesResponseAndProposal() async throws {
    let log = Log<RedirectProposal>()
    var request = Request.post("https://a.example/0#f", body: .bytes("x"))
    request.fields = [.authorization: "s", .contentType: "a/b", .accept: "c/d"]
    let policy = RedirectPolicy.ask { proposal in
      log.add(proposal)
      proposal.request.fields[.userAgent] = "changed"
      return .follow
    }
    let outcome = try await RedirectOutcome(request, Redirects(policy: policy), Self.toOther)
    let proposal = try #require(log.all.first)
    #expect(proposal.response.status == .found)
    #expect(proposal.redirected.fields[.authorization] == "s")
    #expect(proposal.target.description == "https://b.example/1#f")
    #expect(proposal.isOriginChange)
    #expect(proposal.strippedFields == [.authorization])
    #expect(proposal.request.method == .get)
    #expect(proposal.request.body.isEmpty)
    #expect(proposal.request.fields == [.accept: "c/d"])
    #expect(outcome.transport.requests.last?.fields == [.accept: "c/d", .userAgent: "changed"])
    #expect(outcome.transport.requests.last?.hop == 1)
  }

  @Test func theClosureMayStop() async throws {
    let policy = RedirectPolicy.ask { $0.target.path == "/1" ? .follow : .stop }
    let outcome = try await RedirectOutcome(
      .get(Self.start),
      Redirects(policy: policy),
      over: HandlerTransport { redirect("\($0.hop + 1)") }
    )
    #expect(outcome.urls.count == 2)
    #expect(outcome.response?.history.count == 1)
    #expect(outcome.recorder.redirects.last == .refused(.policy))
  }

  @Test func whatTheClosureThrowsEndsTheExchange() async throws {
    let policy = RedirectPolicy.ask { _ in throw Foreign(text: "no") }
    let outcome = try await RedirectOutcome(.get(Self.start), Redirects(policy: policy), Self.toSame)
    #expect(outcome.error?.kind == .stage)
    #expect(outcome.error?.stage == "Redirects")
    #expect(outcome.error?.underlying as? Foreign == Foreign(text: "no"))
    #expect(outcome.error?.response?.status == .found)
  }

  @Test func theClosureIsNotAskedWhatTheRulesRefuse() async throws {
    let policy = RedirectPolicy.ask { _ in
      Issue.record("asked")
      return .follow
    }
    for location in ["http://a.example/1", "ftp://a.example/", "http:t"] {
      let outcome = try await RedirectOutcome(
        .get(Self.start),
        Redirects(policy: policy),
        [Self.start: redirect(location)]
      )
      #expect(outcome.error != nil)
    }
  }

  @Test func aSecretDoesNotComeBackByAccident() async throws {
    let whole = RedirectPolicy.ask { proposal in
      // The accident: all fields of the request before.
      proposal.request.fields = proposal.redirected.fields
      return .follow
    }
    var request = Request.get(Self.start)
    request.fields = [.authorization: "s", .cookie: "a=b", .accept: "c/d"]
    let answers = [
      Self.start: redirect("https://b.example/1"), "https://b.example/1": redirect("2"),
      "https://b.example/2": redirect("https://a.example/3"), "https://a.example/3": redirect("4"),
    ]
    let outcome = try await RedirectOutcome(request, Redirects(policy: whole), answers)
    #expect(
      outcome.names == [["Authorization", "Cookie", "Accept"]] + Array(repeating: ["Accept"], count: 4)
    )

    // Nor where it is set anew, on a hop that does not leave.
    let anew = RedirectPolicy.ask { proposal in
      proposal.request.fields[.authorization] = "s"
      return .follow
    }
    let set = try await RedirectOutcome(request, Redirects(policy: anew), answers)
    #expect(set.transport.requests.map { $0.fields[.authorization] } == ["s", nil, nil, nil, nil])
    // Before the chain leaves its origin there is nothing to be kept from.
    let early = try await RedirectOutcome(.get(Self.start), Redirects(policy: anew), Self.toSame)
    #expect(early.names == [[], ["Authorization"]])
  }

  @Test func aSecretThatIsAllowedGoesWithTheHopsOfThatOrigin() async throws {
    let policy = RedirectPolicy.ask { proposal in
      if proposal.isOriginChange, proposal.target.host == "b.example" {
        proposal.request.fields[.authorization] = "for b"
        proposal.request.fields[.cookie] = "a=b"
        proposal.allowSensitive = [.authorization]
      }
      return .follow
    }
    var request = Request.get(Self.start)
    request.fields[.authorization] = "for a"
    let outcome = try await RedirectOutcome(
      request,
      Redirects(policy: policy),
      [
        Self.start: redirect("https://b.example/1"), "https://b.example/1": redirect("2"),
        "https://b.example/2": redirect("https://c.example/3"),
      ]
    )
    #expect(outcome.transport.requests.map { $0.fields[.authorization] } == ["for a", "for b", "for b", nil])
    #expect(outcome.transport.requests.allSatisfy { $0.fields[.cookie] == nil })
  }

  @Test func whatIsCalledASecretIsNotAddedForAnotherOriginInSilence() async throws {
    let key = try #require(HTTPField.Name("X-Access-Key"))
    for allowed in [[], [key]] as [Set<HTTPField.Name>] {
      let policy = RedirectPolicy.ask { proposal in
        proposal.request.fields[key] = "s"
        proposal.allowSensitive = allowed
        return .follow
      }
      let outcome = try await RedirectOutcome(.get(Self.start), Redirects(policy: policy), Self.toOther)
      #expect(outcome.names.last == allowed.map(\.rawName))
    }
  }

  @Test func whatTheClosureMarksStaysAtTheOriginItWasSetFor() async throws {
    let own = try #require(HTTPField.Name("X-Own"))
    let policy = RedirectPolicy.ask { proposal in
      if proposal.target.host == "b.example" {
        proposal.request.fields[own] = "for b"
        proposal.request.options.sensitiveFields.insert(own)
      }
      return .follow
    }
    let answers = [
      Self.start: redirect("https://b.example/1"), "https://b.example/1": redirect("https://c.example/2"),
    ]
    let outcome = try await RedirectOutcome(.get(Self.start), Redirects(policy: policy), answers)
    #expect(outcome.transport.requests.map { $0.fields[own] } == [nil, "for b", nil])
  }

  @Test func fieldsThatTheClosureRestoresAreNotReportedAsRemoved() async throws {
    let policy = RedirectPolicy.ask { proposal in
      proposal.request.fields[.authorization] = proposal.redirected.fields[.authorization]
      proposal.allowSensitive = [.authorization]
      return .follow
    }
    var request = Request.get(Self.start)
    request.fields = [.authorization: "s", .cookie: "a=b"]
    let outcome = try await RedirectOutcome(request, Redirects(policy: policy), Self.toOther)
    #expect(outcome.names.last == ["Authorization"])
    guard case .followed(let step) = outcome.recorder.redirects.first else {
      Issue.record("no event")
      return
    }
    #expect(step.strippedFields == [.cookie])
  }

  @Test func theClosureMaySendItElsewhereButNotWithTheSecrets() async throws {
    var request = Request.get("https://a.example/0#f")
    request.fields = [.authorization: "s", .accept: "c/d"]
    let elsewhere = RedirectPolicy.ask { proposal in
      proposal.request.head.authority = "c.example"
      return .follow
    }
    let outcome = try await RedirectOutcome(request, Redirects(policy: elsewhere), Self.toSame)
    #expect(outcome.urls.last == "https://c.example/1")
    #expect(outcome.names.last == ["Accept"])
    guard case .followed(let step) = outcome.recorder.redirects.first else {
      Issue.record("no event")
      return
    }
    #expect(step.isOriginChange && step.strippedFields == [.authorization])

    let insecure = RedirectPolicy.ask { proposal in
      proposal.request.head.scheme = "http"
      return .follow
    }
    let refused = try await RedirectOutcome(request, Redirects(policy: insecure), Self.toSame)
    #expect(refused.error?.kind == .redirect(.insecure))

    let broken = RedirectPolicy.ask { proposal in
      proposal.request.head.authority = "b c"
      return .follow
    }
    let error = try await RedirectOutcome(request, Redirects(policy: broken), Self.toSame).error
    #expect(error?.kind == .invalidRequest)
    #expect(error?.stage == "Redirects")
  }

  /// Nor with the client certificate that was chosen for the origin of the request, which the rules would have kept on
  /// a hop that does not leave. One that the closure chooses anew is for where it leads.
  @Test func theClosureMaySendItElsewhereButNotWithTheIdentity() async throws {
    let key = "-----BEGIN PRIVATE KEY-----\nMAA=\n-----END PRIVATE KEY-----\n"
    let own = try ClientIdentity(chainPEM: SampleCertificates.server, privateKeyPEM: key)
    let other = try ClientIdentity(chainPEM: SampleCertificates.authority, privateKeyPEM: key)
    var request = Request.get(Self.start)
    request.options.trust = Trust(identity: own)
    for chosen in [own, other] {
      let policy = RedirectPolicy.ask { proposal in
        proposal.request.head.authority = "c.example"
        proposal.request.options.trust = Trust(identity: chosen)
        return .follow
      }
      let outcome = try await RedirectOutcome(request, Redirects(policy: policy), Self.toSame)
      #expect(outcome.urls.last == "https://c.example/1")
      #expect(
        outcome.transport.requests.map(\.options.trust?.identity) == [own, chosen == own ? nil : other]
      )
    }
  }

  @Test func aNewRequestOfTheClosureTakesOverWhatTheOldOneAskedFor() async throws {
    var request = Request.get("https://a.example/0#f")
    request.options.bodyLimit = 7
    let policy = RedirectPolicy.ask { proposal in
      proposal.request = .get("../x/y")
      return .follow
    }
    let outcome = try await RedirectOutcome(
      request,
      Redirects(policy: policy),
      [Self.start: redirect("https://b.example/1/2/3")]
    )
    let sent = try #require(outcome.transport.requests.last)
    #expect(sent.url == "https://b.example/1/x/y")
    #expect(sent.hop == 1 && sent.attempt == 1 && sent.fragment == nil)
    #expect(sent.options.bodyLimit == 7)
    #expect(sent.exchange?.id == outcome.transport.requests.first?.exchange?.id)
  }

  @Test func aClosureThatChangesTheRequestDoesNotCountAsALoop() async throws {
    let policy = RedirectPolicy.ask { proposal in
      proposal.request.fields[.cookie] = "turn=\(proposal.request.hop)"
      return .follow
    }
    let outcome = try await RedirectOutcome(
      .get(Self.start),
      Redirects(policy: policy),
      over: HandlerTransport { $0.hop < 3 ? redirect("0") : Response(.ok) }
    )
    #expect(outcome.response?.status == .ok)
    #expect(outcome.urls.count == 4)
  }
}
