import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite struct RedirectMethodTests {
  private static let start = "http://a.example/start"

  /// Status, method, next method (nil: not followed), and whether the content stays: table 1.1 of the reference.
  private static let rows: [(row: String, codes: [Int], methods: [String], next: String?, keeps: Bool)] = [
    ("1.1 #1", [301, 302], ["POST"], "GET", false),
    ("1.1 #2", [301, 302], ["GET", "HEAD"], "same", true),
    ("1.1 #3", [301, 302], ["PUT", "PATCH", "DELETE", "OPTIONS", "BREW", "post", "Post"], "same", true),
    ("1.1 #4", [303], ["HEAD"], "HEAD", false),
    ("1.1 #5", [303], ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "BREW", "head"], "GET", false),
    ("1.1 #6", [307, 308], ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "BREW"], "same", true),
    ("1.1 #7", [300], ["GET", "POST"], nil, true),
    ("1.1 #8", [304], ["GET", "PUT"], nil, true),
    ("1.1 #9", [305, 306], ["GET", "POST"], nil, true),
    ("1.1 #10", [309, 350, 399], ["GET", "POST"], nil, true),
    ("1.1 #11", [201, 202], ["GET", "POST", "PUT"], nil, true),
  ]

  @Test("1.1: the method and the content of the next request", arguments: rows.indices)
  func statusAndMethodDecideTheNextMethodAndContent(index: Int) async throws {
    let (row, codes, methods, next, keeps) = Self.rows[index]
    for code in codes {
      for method in methods {
        let request = Request(
          try #require(HTTPRequest.Method(method)),
          Self.start,
          fields: [.contentType: "text/plain", .accept: "a/b"],
          body: .bytes("content")
        )
        let outcome = try await RedirectOutcome(request, [Self.start: redirect("/next", code)])
        let seen = outcome.transport.requests
        let place = Comment(rawValue: "\(row): \(code) \(method)")
        guard let next else {
          #expect(seen.count == 1, place)
          #expect(outcome.response?.status.code == code, place)
          #expect(outcome.response?.history.isEmpty == true, place)
          let event: [RedirectEvent] = code < 300 ? [] : [.ignored(.status)]
          #expect(outcome.recorder.redirects == event, place)
          continue
        }
        try #require(seen.count == 2, place)
        #expect(seen[1].method.rawValue == (next == "same" ? method : next), place)
        #expect(seen[1].body.bytes == (keeps ? "content" : ""), place)
        #expect(seen[1].body.isEmpty == !keeps, place)
        #expect(outcome.names[1] == (keeps ? ["Content-Type", "Accept"] : ["Accept"]), place)
        #expect(seen[1].hop == 1 && seen[1].attempt == 1, place)
        #expect(outcome.response?.status == .ok, place)
        guard case .followed(let step) = outcome.recorder.redirects.first else {
          Issue.record("no event, \(row)")
          continue
        }
        #expect(step.droppedContent == !keeps, place)
        #expect(step.method == seen[1].method && step.status.code == code, place)
      }
    }
  }

  @Test func a304WithoutLocationIsReturned() async throws {
    let outcome = try await RedirectOutcome(.get(Self.start), [Self.start: Response(.notModified)])
    #expect(outcome.response?.status == .notModified)
    #expect(outcome.recorder.redirects.isEmpty)
  }

  @Test("1.2: what speaks of the content goes with it, and nothing else", arguments: [true, false])
  func fieldsOfTheContentGoWithIt(isChunked: Bool) async throws {
    let gone = [
      "Content-Encoding", "Content-Language", "Content-Location", "Content-Type", "Content-Range",
      "Content-Disposition", "Digest", "Content-Digest", "Repr-Digest", "Trailer", "Expect", "Last-Modified",
      isChunked ? "Transfer-Encoding" : "Content-Length",
    ]
    let kept = ["Accept", "accept-language", "X-Own", "Content-Security-Policy", "X-Own", "User-Agent"]
    let stream = Request.Body.stream(length: nil) { AsyncStream<Bytes> { $0.finish() } }
    var request = Request.post(Self.start, body: isChunked ? stream : .bytes("content"))
    var random = SplitMix(state: 5)
    let framing = ["Content-Length": "7", "Transfer-Encoding": "chunked"]
    for (index, name) in (gone + kept).shuffled(using: &random).enumerated() {
      try request.addField(name, framing[name] ?? "\(index)")
    }
    let before = request.fields.map { "\($0)" }
    for code in [301, 302, 303] {
      let outcome = try await RedirectOutcome(request, [Self.start: redirect("/next", code)])
      #expect(outcome.transport.requests.count == 2)
      let after = try #require(outcome.transport.requests.last).fields.map { "\($0)" }
      #expect(after == before.filter { field in kept.contains { field.hasPrefix($0 + ":") } })
    }
    let outcome = try await RedirectOutcome(request, [Self.start: redirect("/next", 307)])
    // Chunks are for one hop, whatever becomes of the content.
    let whole = before.filter { !$0.hasPrefix("Transfer-Encoding:") }
    #expect(outcome.transport.requests.count == 2)
    #expect(outcome.transport.requests.last?.fields.map { "\($0)" } == whole)
  }

  @Test("1.2: what is for one hop is made anew for each") func fieldsOfTheHopAreNeverCopied() async throws {
    var request = Request.get(Self.start)
    for name in [
      "Host", "Connection", "Keep-Alive", "Proxy-Connection", "TE", "Upgrade", "Proxy-Authorization",
    ] {
      try request.addField(name, name == "Connection" ? "keep-alive" : "x")
    }
    try request.addField("X-Own", "1")
    for location in ["/next", "http://b.example/"] {
      let outcome = try await RedirectOutcome(request, [Self.start: redirect(location)])
      #expect(outcome.names.first?.count == 8)
      #expect(outcome.names.last == ["X-Own"])
    }
  }

  @Test("1.6: a precondition of a PUT is not one of the GET that follows it")
  func preconditionsGoWithTheMethod() async throws {
    let names = [
      "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "Range", "If-Range",
    ]
    for (method, code, kept) in [
      (HTTPRequest.Method.post, 302, ["Range", "If-Range"]), (.put, 303, ["Range", "If-Range"]),
      (.put, 307, names), (.get, 302, names), (.get, 303, names),
    ] {
      for location in ["/next", "http://b.example/"] {
        var request = Request(method, Self.start)
        for name in names { try request.addField(name, "x") }
        let outcome = try await RedirectOutcome(request, [Self.start: redirect(location, code)])
        #expect(outcome.names.last == kept, "\(method) \(code)")
      }
    }
  }
}
