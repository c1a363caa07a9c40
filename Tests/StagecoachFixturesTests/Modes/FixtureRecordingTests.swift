import Foundation
import HTTPTypes
import Stagecoach
import StagecoachFixtures
import TestSupport
import Testing

/// The modes that ask the service.
struct FixtureRecordingTests {
  private let session: FixtureSession

  init() throws { session = try FixtureSession() }

  private var exists: Bool { FileManager.default.fileExists(atPath: session.place) }

  private func contents() throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: session.place)
    return Dictionary(
      uniqueKeysWithValues: try names.map {
        ($0, try Data(contentsOf: URL(filePath: "\(session.place)/\($0)")))
      }
    )
  }

  @Test func aRecordingIsWrittenWhenTheTestPassedAndReplayed() async throws {
    let run = try await session.start(.rerecord, FixtureSession.service())
    #expect(try await FixtureSession.text("/1", run.transport) == "/1")
    #expect(!exists)
    _ = try await run.finish()
    #expect(try session.scenario().exchanges.map(\.request.target) == ["{api}/1"])
    try await session.use(nil, nil, paths: "/1")
  }

  @Test func aTestThatFailsWritesNothing() async throws {
    for mode in [FixtureMode.rerecord, .recordOnce, .recordMissing] {
      let run = try await session.start(mode, FixtureSession.service())
      _ = try await FixtureSession.text("/1", run.transport)
      #expect(await run.fail(CancellationError()) is CancellationError)
      #expect(!exists)
    }
  }

  @Test func onceRecordsTheFirstTimeOnly() async throws {
    let service = FixtureSession.service()
    try await session.use(.recordOnce, service, paths: "/1")
    // The first run shut its own pipeline down, and the service with it.
    try await session.use(.recordOnce, nil, paths: "/1")
    #expect(service.requests.count == 1)
  }

  @Test func rerecordReplacesTheRecording() async throws {
    try session.write("/old")
    try await session.use(.rerecord, paths: "/new")
    #expect(try session.scenario().exchanges.map(\.request.target) == ["{api}/new"])
  }

  @Test func missingReplaysWhatIsThereAndAddsTheRest() async throws {
    try session.write("/1", "/2") { $0.policy.unused = .warn }
    let service = FixtureSession.service("live ")
    let run = try await session.start(.recordMissing, service)
    #expect(try await FixtureSession.text("/1", run.transport) == "/1")
    #expect(try await FixtureSession.text("/3", run.transport) == "live /3")
    // Its one answer is used up.
    #expect(try await FixtureSession.text("/1", run.transport) == "live /1")
    #expect(service.requests.map(\.head.path) == ["/3", "/1"])
    _ = try await run.finish()
    let scenario = try session.scenario()
    #expect(scenario.exchanges.map(\.id) == ["01", "02", "03", "04"])
    #expect(scenario.exchanges.map(\.request.target) == ["{api}/1", "{api}/2", "{api}/3", "{api}/1"])
    #expect(scenario.policy.unused == .warn && scenario.title == "users")
    try await session.use(.replay, nil, paths: "/1", "/3", "/1", "/2")
  }

  @Test func missingSendsABodyThatCanBeReadOnce() async throws {
    try session.write("/1")
    let service = HandlerTransport { request in
      var count = 0
      let source = try request.body.makeSource()
      while let chunk = try await source.next() { count += chunk.count }
      return Response(.ok, body: .bytes(Bytes("\(count)")))
    }
    let run = try await session.start(.recordMissing, service)
    let (stream, continuation) = AsyncStream.makeStream(of: Bytes.self)
    continuation.yield("abc")
    continuation.yield("de")
    continuation.finish()
    let request = Request.post("https://api.test/up", body: .oneShot(stream, length: nil))
    let response = try await Pipeline(over: run.transport) {}.send(request)
    #expect(try await response.body.collect(upTo: 10) == "5")
    _ = try await run.finish()
    #expect(try session.scenario().exchanges.last?.request.body?.bytes == "abcde")
  }

  @Test func testsThatRecordOneFixtureTogetherLoseNothing() async throws {
    try session.write("/0")
    try await withThrowingTaskGroup { group in
      for number in 1...20 {
        group.addTask { _ = try await session.use(.recordMissing, paths: "/\(number)") }
      }
      try await group.waitForAll()
    }
    let scenario = try session.scenario()
    #expect(Set(scenario.exchanges.map(\.request.target)) == Set((0...20).map { "{api}/\($0)" }))
    #expect(Set(scenario.exchanges.map(\.id)).count == 21)
  }

  @Test func liveReadsAndWritesNothing() async throws {
    try await session.use(.live, paths: "/1")
    #expect(!exists)
  }

  @Test func verifyTellsWhatChangedAndWritesNothing() async throws {
    try session.write("/1", "/2", "/3") { $0.policy.unused = .warn }
    let before = try contents()
    #expect(try await session.use(.verify, paths: "/1", "/2", "/3").changes.isEmpty)
    let findings = try await session.use(.verify, FixtureSession.service("new "), paths: "/2", "/9")
    let texts = findings.changes.map(\.description)
    #expect(findings.changes.map(\.kind) == [.changed, .unmatched])
    #expect(texts[0].hasPrefix("\(session.place)/scenario.json:"))
    #expect(texts[0].contains("02 GET {api}/2: the reply is not as recorded:\n  body"))
    #expect(texts[1].contains("no exchange of \"users\" answers GET https://api.test/9"))
    #expect(findings.warnings.count == 2)
    #expect(findings.warnings[0].contains("01 GET {api}/1: the exchange was not used"))
    #expect(try contents() == before)
  }

  @Test func aModeThatAsksTheServiceNeedsOne() async throws {
    for mode in [FixtureMode.rerecord, .live, .recordOnce] {
      let error = try await #require(throws: FixtureError.self) { try await session.start(mode, nil) }
      #expect(error.kind == .configuration && error.message.contains("the argument live"))
    }
  }

  @Test func theScenarioMayNameTheMode() async throws {
    try session.write("/1") { $0.policy.mode = .live }
    #expect(try await session.start(nil, FixtureSession.service()).mode == .live)
    #expect(try await session.start(.replay, nil).mode == .replay)
  }

  /// The options of a test and the file of the project say together what is secret, in every mode that records.
  @Test(arguments: [FixtureMode.rerecord, .recordOnce, .recordMissing])
  func theOptionsAndTheProjectSayWhatIsSecret(_ mode: FixtureMode) async throws {
    try #"{ "redact": ["query.tenant"], "keep": ["token"] }"#
      .write(toFile: "\(session.folder.path)/redaction.json", atomically: true, encoding: .utf8)
    var options = RedactionOptions()
    options.secrets["MAN"] = "horse-man"
    let path = "/1?tenant=acme&token=Xk29dkfj3Lq8Zp1m&by=horse-man"
    let run = try await session.start(mode, FixtureSession.service(), redaction: options)
    #expect(try await FixtureSession.text(path, run.transport) == path)
    _ = try await run.finish()
    let exchange = try #require(session.scenario().exchanges.first)
    #expect(
      exchange.request.target == "{api}/1?tenant=SECRET-TENANT-1&token=Xk29dkfj3Lq8Zp1m&by=SECRET-MAN-1"
    )
    #expect(exchange.reply.body.map { !String(decoding: $0.bytes).contains("horse-man") } == true)
    // A replay takes the values of others.
    let replay = try await session.start(nil, nil)
    _ = try await FixtureSession.text("/1?tenant=other&token=Xk29dkfj3Lq8Zp1m&by=me", replay.transport)
    _ = try await replay.finish()
  }
}
