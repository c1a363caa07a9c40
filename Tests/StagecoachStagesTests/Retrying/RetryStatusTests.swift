import HTTPTypes
import Stagecoach
import TestSupport
import Testing

/// Tables 5.2 and 5.3 of http.md.
@Suite(.timeLimit(.minutes(1))) struct RetryStatusTests {
  /// How often a status that always comes is answered by another attempt: GET and POST.
  @Test(
    arguments: [
      ("5.2 #1", 408, 2, 0), ("5.2 #2", 421, 1, 1), ("5.2 #3", 425, 1, 0), ("5.2 #4", 429, 2, 0),
      ("5.2 #5", 500, 0, 0), ("5.2 #6", 502, 2, 0), ("5.2 #6", 503, 2, 0), ("5.2 #6", 504, 2, 0),
      ("5.2 #7", 522, 0, 0), ("5.2 #7", 524, 0, 0), ("5.2 #8", 501, 0, 0), ("5.2 #8", 505, 0, 0),
      ("5.2 #8", 507, 0, 0), ("5.2 #8", 511, 0, 0), ("5.2", 200, 0, 0), ("5.2", 304, 0, 0),
      ("5.2", 404, 0, 0),
      ("5.2", 413, 0, 0), ("5.2", 599, 0, 0),
    ]
  )
  func retriesStatusesByCodeAndMethod(row: String, code: Int, get: Int, post: Int) async throws {
    for (request, retries) in [(Request.get("http://h/"), get), (.post("http://h/"), post)] {
      let subject = try RetrySubject(.status(code))
      #expect(try await subject.outcome(of: request) == "\(code)", "\(row)")
      #expect(subject.attempts == retries + 1, "\(row) \(request.method)")
    }
  }

  @Test("5.2 #5: 500 is an option") func retriesAnAddedStatus() async throws {
    var policy = RetryPolicy()
    policy.statuses.insert(500)
    let subject = try RetrySubject(policy, .status(500), .status(200))
    #expect(try await subject.outcome() == "200")
  }

  @Test("5.2 #2, #3: once, whatever came between") func retriesSomeStatusesOnlyOnce() async throws {
    let subject = try RetrySubject(
      RetryPolicy(attempts: 9),
      .status(421),
      .status(503),
      .status(421),
      .status(421)
    )
    #expect(try await subject.outcome() == "421")
    #expect(subject.events.last == .refused(.status(421), .repeatedOnce))
    let early = try RetrySubject(RetryPolicy(attempts: 9), .status(425))
    #expect(try await early.outcome() == "425")
    #expect(early.events.last == .refused(.status(425), .repeatedOnce))
  }

  /// A value of Retry-After, and what is waited for; nil if the response is returned. Half of what is drawn
  /// comes: 250 ms of back-off, 5 % of jitter.
  @Test(
    arguments: [
      ("5.3 #1", "20", .seconds(21)), ("5.3 #1", "120", nil), ("5.3 #2", "0", .milliseconds(25)),
      ("5.3 #2", "Sun, 06 Nov 1994 08:49:37 GMT", .milliseconds(25)),
      ("5.3 #3", "120.5", .milliseconds(250)), ("5.3 #3", "-1", .milliseconds(250)),
      ("5.3 #3", "1e3", .milliseconds(250)), ("5.3 #3", "abc", .milliseconds(250)),
      ("5.3 #3", "", .milliseconds(250)), ("5.3 #3", "120, 60", .milliseconds(250)),
      ("5.3 #4", "99999999999", nil), ("5.3 #6", "60", .seconds(63)), ("5.3 #6", "61", nil),
    ] as [(String, String, Duration?)]
  )
  func waitsAsLongAsRetryAfterSays(row: String, value: String, wait: Duration?) async throws {
    var fields = HTTPFields()
    fields.append(HTTPField(name: .retryAfter, value: value))
    let subject = try RetrySubject(.status(503, fields), .status(200))
    #expect(try await subject.outcome() == (wait == nil ? "503" : "200"), "\(row)")
    #expect(subject.waits == (wait.map { [$0] } ?? []), "\(row): \(value)")
    if wait == nil {
      guard case .refused(.status(503), .retryAfter(_, limit: .seconds(60)))? = subject.events.first else {
        Issue.record("\(row): \(subject.events)")
        return
      }
    }
  }

  @Test("5.3 #5: a date is measured on the server's clock") func measuresARetryAfterDateOnTheServersClock()
    async throws
  {
    let fields: HTTPFields = [
      .retryAfter: "Sunday, 06-Nov-94 08:49:57 GMT", .date: "Sun, 06 Nov 1994 08:49:37 GMT",
    ]
    let subject = try RetrySubject(.status(429, fields), .status(200))
    #expect(try await subject.outcome() == "200")
    #expect(subject.waits == [.seconds(21)])
  }

  @Test("5.3 #6: no retry beyond the deadline") func doesNotRetryBeyondTheDeadline() async throws {
    let subject = try RetrySubject(time: ManualTime(), .status(503, [.retryAfter: "10"]), .status(200))
    #expect(try await subject.outcome(of: .get("http://h/").with(\.totalTimeout, .seconds(10))) == "503")
    #expect(subject.events == [.refused(.status(503), .deadline(remaining: .seconds(10)))])
  }

  @Test("5.3 #7: on other statuses") func obeysRetryAfterOf413ButNotOfRedirects() async throws {
    let redirect = try RetrySubject(.status(302, [.retryAfter: "1", .location: "/x"]), .status(200))
    #expect(try await redirect.outcome() == "302")
    let tooLarge = try RetrySubject(share: 0, .status(413, [.retryAfter: "1"]), .status(200))
    #expect(try await tooLarge.outcome(of: .put("http://h/")) == "200")
    #expect(tooLarge.waits == [.seconds(1)])
    let notFound = try RetrySubject(.status(404, [.retryAfter: "1"]), .status(200))
    #expect(try await notFound.outcome() == "404")
  }

  @Test("5.3 #8: two fields, the larger") func theLargerOfTwoRetryAfterFieldsCounts() async throws {
    var fields: HTTPFields = [.retryAfter: "3"]
    fields.append(HTTPField(name: .retryAfter, value: "9"))
    let subject = try RetrySubject(share: 0, .status(503, fields), .status(200))
    #expect(try await subject.outcome() == "200")
    #expect(subject.waits == [.seconds(9)])
  }

  @Test("5.3: never shortened, a tenth longer at most") func jitterNeverShortensRetryAfter() async throws {
    for share in [0, 0.999_999] {
      let subject = try RetrySubject(share: share, .status(503, [.retryAfter: "10"]), .status(200))
      #expect(try await subject.outcome() == "200")
      let wait = try #require(subject.waits.first)
      #expect(wait >= .seconds(10) && wait <= .seconds(11))
    }
  }
}
