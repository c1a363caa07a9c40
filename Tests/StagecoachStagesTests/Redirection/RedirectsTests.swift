import HTTPTypes
import Stagecoach
import TestSupport
import Testing

/// 1.5 and 1.6: schemes, loops, limits, content, history.
@Suite struct RedirectsTests {
  private static let start = "https://a.example/0"

  /// `/0` to `/1` and so on without an end.
  private static var endless: HandlerTransport { HandlerTransport { redirect("\($0.hop + 1)") } }

  @Test("1.5 #1: http after https is an error unless allowed") func httpAfterHTTPSIsAnErrorUnlessAllowed()
    async throws
  {
    let answers = [Self.start: redirect("http://a.example/1")]
    let outcome = try await RedirectOutcome(.get(Self.start), answers)
    let error = try #require(outcome.error)
    #expect(error.kind == .redirect(.insecure))
    #expect(error.kind.description == "redirect.insecure")
    #expect(error.response?.status == .found)
    #expect((error.underlying as? RedirectChain)?.target == "http://a.example/1")
    #expect(outcome.urls == [Self.start])
    var rules = RedirectRules()
    rules.allowsInsecure = true
    let allowed = try await RedirectOutcome(.get(Self.start), Redirects(rules: rules), answers)
    #expect(allowed.urls == [Self.start, "http://a.example/1"])
    var request = Request.get(Self.start)
    request.options.redirectRules = rules
    #expect(try await RedirectOutcome(request, answers).urls.count == 2)
    let back = try await RedirectOutcome(
      .get("http://a.example/"),
      ["http://a.example/": redirect(Self.start), Self.start: redirect("http://a.example/1")]
    )
    #expect(back.error?.kind == .redirect(.insecure))
    #expect(back.error?.hops == 1)
  }

  @Test("1.5 #4: more than the limit is an error that holds the chain", arguments: [0, 1, 3, 20, 40])
  func moreThanTheLimitIsAnErrorWithTheChain(limit: Int) async throws {
    for perRequest in [true, false] {
      var request = Request.get("https://a.example/0?token=s3cret")
      if perRequest { request.options.redirectLimit = limit }
      let transport = HandlerTransport { request in redirect("\(request.hop + 1)?token=s3cret") }
      let outcome = try await RedirectOutcome(
        request,
        Redirects(limit: perRequest ? 7 : limit),
        over: transport
      )
      let error = try #require(outcome.error)
      #expect(error.kind == .redirect(.tooMany))
      #expect(error.hops == limit)
      #expect(error.limit?.description == "redirectLimit = \(limit)")
      #expect(outcome.urls.count == limit + 1)
      let chain = try #require(error.underlying as? RedirectChain)
      #expect(chain.hops.map(\.request.path) == (0...limit).map { "/\($0)?token=[redacted]" })
      #expect(chain.target == "https://a.example/\(limit + 1)?token=[redacted]")
      #expect(error.description.contains("GET https://a.example/0?token=[redacted] (302)"))
      #expect(error.description.contains("→ https://a.example/\(limit + 1)?token=[redacted]"))
      #expect(!error.description.contains("s3cret"))
      #expect(outcome.recorder.words.contains("limitReached(redirectLimit = \(limit))"))
    }
  }

  @Test("1.5 #4: the limit is 20") func theLimitIs20() async throws {
    let outcome = try await RedirectOutcome(.get(Self.start), over: Self.endless)
    #expect(outcome.error?.kind == .redirect(.tooMany))
    #expect(outcome.urls.count == 21)
    let enough = try await RedirectOutcome(
      .get(Self.start),
      over: HandlerTransport { $0.hop < 20 ? redirect("\($0.hop + 1)") : Response(.ok) }
    )
    #expect(enough.response?.history.count == 20)
    #expect(
      try await RedirectOutcome(.get(Self.start), Redirects(limit: -1), over: Self.endless).urls.count == 1
    )
  }

  @Test("1.5 #3: a redirect to an earlier URL is followed up to the limit")
  func earlierURLsAreFollowedUpToTheLimit() async throws {
    let waiting = try await RedirectOutcome(
      .get(Self.start),
      over: HandlerTransport { $0.hop < 5 ? redirect("0#x") : Response(.ok) }
    )
    #expect(waiting.urls == [String](repeating: Self.start, count: 6))
    #expect(waiting.response?.status == .ok)
    #expect(waiting.response?.history.count == 5)
    let circle = try await RedirectOutcome(
      .get(Self.start),
      [Self.start: redirect("1"), "https://a.example/1": redirect("2"), "https://a.example/2": redirect("1")]
    )
    #expect(circle.error?.kind == .redirect(.tooMany))
    #expect(circle.urls.count == 21)
    #expect((circle.error?.underlying as? RedirectChain)?.hops.count == 21)
  }

  @Test(
    "1.6: content that exists once makes the redirect the response",
    arguments: [(307, HTTPRequest.Method.post), (308, .post), (301, .put), (302, .patch)]
  )
  func contentThatExistsOnceMakesTheRedirectTheResponse(code: Int, method: HTTPRequest.Method) async throws {
    let once = { Request.Body.oneShot(AsyncStream<Bytes> { $0.finish() }, length: nil) }
    let answers = [Self.start: redirect("/1", code)]
    let outcome = try await RedirectOutcome(Request(method, Self.start, body: once()), answers)
    #expect(outcome.response?.status.code == code)
    #expect(outcome.urls.count == 1)
    #expect(outcome.recorder.redirects == [.refused(.bodyNotReplayable)])

    var rules = RedirectRules()
    rules.failsOnOneShotBodies = true
    let failed = try await RedirectOutcome(
      Request(method, Self.start, body: once()),
      Redirects(rules: rules),
      answers
    )
    #expect(failed.error?.kind == .bodyNotReplayable)
    #expect((failed.error?.underlying as? RedirectChain)?.target == "https://a.example/1")

    let dropped = try await RedirectOutcome(
      Request(method, Self.start, body: once()),
      [Self.start: redirect("/1", 303)]
    )
    #expect(dropped.transport.requests.last?.body.isEmpty == true)
  }

  @Test("1.6: content that can be made again is sent in full") func contentThatCanBeMadeAgainIsSentInFull()
    async throws
  {
    let log = Log<String>()
    let transport = HandlerTransport { request in
      let source = try request.body.makeSource()
      var text = ""
      while let chunk = try await source.next() { text += String(decoding: chunk) }
      log.add(text)
      return request.hop < 2 ? redirect("\(request.hop + 1)", 307) : Response(.ok)
    }
    let body = Request.Body.stream(length: 6) {
      AsyncStream<Bytes> { continuation in
        for chunk in ["abc", "def"] { continuation.yield(Bytes(chunk)) }
        continuation.finish()
      }
    }
    let outcome = try await RedirectOutcome(.post(Self.start, body: body), over: transport)
    #expect(outcome.response?.status == .ok)
    #expect(log.all == ["abcdef", "abcdef", "abcdef"])
  }

  @Test("1.6: the content of a redirect is read to its end or cancelled")
  func theContentOfARedirectIsReadToItsEndOrCancelled() async throws {
    let small = ScriptedSource(chunks: [Bytes("go "), Bytes("there")])
    let large = ScriptedSource(
      chunks: Array(repeating: Bytes(String(repeating: "x", count: 10_000)), count: 100)
    )
    let failing = ScriptedSource([.chunk("x"), .fail(Foreign())])
    let bodies = [small, large, failing]
    let transport = HandlerTransport { request in
      guard request.hop < 3 else { return Response(.ok, body: .bytes("end")) }
      var response = redirect("\(request.hop + 1)")
      response.body = Response.Body(source: bodies[Int(request.hop)])
      return response
    }
    let outcome = try await RedirectOutcome(.get(Self.start), over: transport)
    #expect(try await outcome.response?.collectBody() == "end")
    #expect(small.pulls == 3 && small.cancels == 0)
    #expect(large.pulls < 5 && large.cancels == 1)
    #expect(outcome.urls.count == 4)
  }

  @Test("1.6: each hop is in the history") func eachHopIsInTheHistory() async throws {
    var request = Request.post("https://a.example/0?token=s3cret", body: .bytes("x"))
    request.fields[.authorization] = "s3cret"
    let outcome = try await RedirectOutcome(
      request,
      [
        "https://a.example/0?token=s3cret": redirect("1", 307, [.setCookie: "s3cret"]),
        "https://a.example/1": redirect("https://b.example/2?code=s3cret", 302),
        "https://b.example/2?code=s3cret": redirect("//u:s3cret@c.example/3", 308),
      ]
    )
    let history = try #require(outcome.response).history
    #expect(history.map(\.response.status.code) == [307, 302, 308])
    #expect(history.map(\.request.method) == [.post, .post, .get])
    #expect(history.map(\.request.authority) == ["a.example", "a.example", "b.example"])
    #expect(history.map(\.request.path) == ["/0?token=[redacted]", "/1", "/2?code=[redacted]"])
    #expect(outcome.response?.request?.hop == 3)
    #expect(outcome.response?.request?.url == "https://c.example/3")
    #expect(!"\(history)".contains("s3cret"))
    #expect(
      outcome.recorder.redirects.map(\.description) == [
        "redirected by 307 to POST https://a.example/1",
        "redirected by 302 to another origin: GET https://b.example/2?code=[redacted], without Authorization, "
          + "the content",
        "redirected by 308 to another origin: GET https://c.example/3, without the user information of its Location",
      ]
    )
    let hops = outcome.recorder.events.compactMap { event in
      if case .stage(is RedirectEvent) = event.kind { event.hop } else { nil }
    }
    #expect(hops == [0, 1, 2])
  }

  @Test func eachHopStartsWithTheFirstAttempt() async throws {
    var request = Request.get(Self.start)
    request.attempt = 4
    let transport = HandlerTransport { $0.hop < 1 ? redirect("1") : Response(.ok) }
    _ = try await Pipeline(over: transport, stages: [Redirects()]).send(request)
    #expect(transport.requests.map(\.attempt) == [4, 1])
    #expect(transport.requests.map(\.hop) == [0, 1])
  }

  @Test func anErrorOnALaterHopPassesUnchanged() async throws {
    let outcome = try await RedirectOutcome(
      .get(Self.start),
      over: HandlerTransport { request in
        if request.hop == 1 { throw ExchangeError(.connectionRefused, "nobody there") }
        return redirect("1")
      }
    )
    #expect(outcome.error?.kind == .connectionRefused)
    #expect(outcome.error?.stage == "HandlerTransport")
    #expect(outcome.error?.hops == 1)
    #expect(outcome.error?.request?.path == "/1")
  }

  @Test func theAsteriskFormIsRedirectedToo() async throws {
    let head = HTTPRequest(method: .options, scheme: "https", authority: "A.example", path: "*")
    let transport = HandlerTransport { $0.hop == 0 ? redirect("p", 308) : Response(.ok) }
    _ = try await Pipeline(over: transport, stages: [Redirects()]).send(Request(head: head))
    #expect(transport.requests.map(\.url) == ["https://A.example*", "https://a.example/p"])
  }
}
