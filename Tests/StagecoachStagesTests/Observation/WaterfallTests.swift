import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@testable import StagecoachCore
@testable import StagecoachResilience

@Suite(.timeLimit(.minutes(1))) struct WaterfallTests {
  private static let start = ContinuousClock.now

  private static func events(_ list: [(Int64, Int, Int, Event.Kind)]) -> [Event] {
    let id = Exchange().id
    return list.enumerated().map { number, item in
      Event(
        exchange: id,
        hop: item.1,
        attempt: item.2,
        sequence: number,
        time: start + .milliseconds(item.0),
        elapsed: .milliseconds(item.0),
        kind: item.3
      )
    }
  }

  private static let request = HTTPRequest(method: .get, scheme: "http", authority: "h", path: "/?token=t")

  private static var connection: ConnectionInfo {
    var info = ConnectionInfo(remoteAddress: "127.0.0.1:80", isReused: false)
    info.nameResolution = .milliseconds(20)
    info.connecting = .milliseconds(10)
    info.tlsHandshake = .milliseconds(30)
    return info
  }

  @Test func anAnswerOfAStageHasAStatus() {
    let waterfall = Waterfall(
      Self.events([
        (0, 0, 1, .exchangeStarted(Self.request)), (0, 0, 1, .stageEntered("Retry")),
        (0, 0, 1, .stageEntered("Cache")),
        (10, 0, 1, .stageReturned("Cache", .notFound)), (10, 0, 1, .stageReturned("Retry", .notFound)),
        (20, 0, 1, .responseFinished(bytes: 3)), (20, 0, 1, .exchangeFinished),
      ])
    )
    #expect(waterfall.attempts.map(\.outcome) == ["404 Not Found"])
    #expect(waterfall.description == "GET http://h/?token=[redacted] · 404 Not Found · 20 ms")
  }

  @Test(arguments: [
    [
      Event.Kind.stage(ConcurrencyEvent.queued(position: 1, priority: .normal)),
      .stage(ConcurrencyEvent.started(after: .milliseconds(40))),
    ],
    [.connection(.queued), .connection(.dequeued(after: .milliseconds(40)))],
  ])
  func showsAllPhasesWithTheirTimes(queue: [Event.Kind]) {
    let waterfall = Waterfall(
      Self.events([
        (0, 0, 1, .exchangeStarted(Self.request)),
        (0, 0, 1, .stageEntered("ConcurrencyLimit")),
        (0, 0, 1, queue[0]),
        (40, 0, 1, queue[1]),
        (40, 0, 1, .stageEntered("Wire")),
        (100, 0, 1, .connection(.acquired(Self.connection))),
        (110, 0, 1, .requestSent),
        (150, 0, 1, .responseHeadReceived(HTTPResponse(status: .ok))),
        (150, 0, 1, .stageReturned("Wire", .ok)),
        (200, 0, 1, .responseFinished(bytes: 3)),
        (200, 0, 1, .exchangeFinished),
      ])
    )
    #expect(
      waterfall.chart(columns: 20) == """
        GET http://h/?token=[redacted] · 200 OK · 200 ms
          queued   ████                  40 ms
          dns          ██                20 ms
          connect        █               10 ms
          tls             ███            30 ms
          send               █           10 ms
          head                ████       40 ms
          body                    █████  50 ms
        """
    )
    #expect(waterfall.attempts.count == 1)
    #expect(waterfall.attempts.first?.phases.map(\.activity) == Waterfall.Activity.allCases)
  }

  @Test func leavesOutPhasesWithoutEvents() {
    let waterfall = Waterfall(
      Self.events([
        (0, 0, 1, .exchangeStarted(Self.request)), (10, 0, 1, .stageEntered("Wire")),
        (30, 0, 1, .responseHeadReceived(HTTPResponse(status: .notFound))),
        (40, 0, 1, .responseBodyFailed), (40, 0, 1, .exchangeCancelled),
      ])
    )
    #expect(waterfall.attempts.first?.phases.map(\.activity) == [.head, .body])
    #expect(waterfall.attempts.first?.phases.first?.start == .milliseconds(10))
    #expect(waterfall.attempts.first?.outcome == "404 Not Found")
  }

  @Test func attemptsAndHopsAreApart() {
    let failure = ExchangeError(.connectionRefused, "refused")
    let waterfall = Waterfall(
      Self.events([
        (0, 0, 1, .exchangeStarted(Self.request)), (0, 0, 1, .stageEntered("Retry")),
        (0, 0, 1, .stageEntered("Wire")), (10, 0, 1, .stageFailed("Wire", failure)),
        (50, 0, 2, .stageEntered("Wire")),
        (60, 0, 2, .responseHeadReceived(HTTPResponse(status: .found))),
        (70, 1, 1, .stageEntered("Wire")),
        (75, 0, 2, .responseFinished(bytes: 0)),
        (80, 1, 1, .responseHeadReceived(HTTPResponse(status: .unauthorized))),
        (80, 1, 1, .responseFinished(bytes: 0)),
        // The same attempt once more, with credentials.
        (80, 1, 1, .stageEntered("Wire")),
        (90, 1, 1, .responseHeadReceived(HTTPResponse(status: .ok))),
        (100, 1, 1, .responseFinished(bytes: 2)), (100, 1, 1, .exchangeFinished),
      ])
    )
    #expect(
      waterfall.attempts.map(\.outcome) == ["connectionRefused", "302 Found", "401 Unauthorized", "200 OK"]
    )
    #expect(
      waterfall.attempts.map { $0.phases.map(\.activity) } == [
        [], [.head, .body], [.head, .body], [.head, .body],
      ]
    )
    #expect(waterfall.attempts[1].phases.last?.duration == .milliseconds(15))
    #expect(
      waterfall.chart(columns: 10).split(separator: "\n").filter { $0.hasPrefix(" ") && !$0.hasPrefix("  ") }
        == [
          " attempt 1 · connectionRefused", " attempt 2 · 302 Found",
          " redirect 1, attempt 1 · 401 Unauthorized",
          " redirect 1, attempt 1 · 200 OK",
        ]
    )
  }

  @Test func describesAnExchangeWithoutEvents() {
    #expect(Waterfall([]).description == "exchange · 0 µs")
    #expect(Waterfall(Self.events([(0, 0, 1, .exchangeStarted(Self.request))])).attempts == [])
  }

  @Test func aMonitorReportsEachExchangeAtItsEnd() async throws {
    let reports = Log<Waterfall>()
    let time = ManualTime()
    let transport = HandlerTransport { request in
      time.advance(by: .seconds(1))
      if request.head.path == "/fail" { throw ExchangeError(.connectionReset, "reset") }
      return Response(.ok, body: .bytes("abc"))
    }
    let client = try Client(
      Pipeline(over: transport, stages: []),
      configuration: .init(monitors: [WaterfallMonitor { reports.add($0) }], clock: time)
    )
    let response = try await client.send(.get("http://h/"))
    #expect(reports.all.isEmpty)
    time.advance(by: .seconds(3))
    _ = try await response.body.collect(upTo: 10)
    _ = try? await client.send(.get("http://h/fail"))
    #expect(reports.all.map(\.total) == [.seconds(4), .seconds(1)])
    #expect(reports.all.map { $0.attempts.map(\.outcome) } == [["200 OK"], ["connectionReset"]])
    #expect(reports.all.first?.attempts.first?.phases.map(\.duration) == [.seconds(1), .seconds(3)])
  }

  @Test func eachExchangeHasAnObserver() async throws {
    let reports = Log<Waterfall>()
    let transport = HandlerTransport { _ in Response(.ok, body: .bytes("abc")) }
    let client = try Client(
      over: transport,
      configuration: .init(monitors: [WaterfallMonitor { reports.add($0) }])
    )
    let (first, second) = (
      try await client.send(.get("http://h/1")), try await client.send(.get("http://h/2"))
    )
    second.body.cancel()
    first.body.cancel()
    try await client.send(.get("http://h/3")).body.cancel()
    #expect(reports.all.compactMap(\.request?.path) == ["/2", "/1", "/3"])
  }
}
