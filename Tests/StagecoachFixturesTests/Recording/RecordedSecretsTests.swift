import Foundation
import HTTPTypes
import Stagecoach
import Synchronization
import Testing

@testable import StagecoachFixtures

/// What a recorder writes of secrets, and what it says of them.
@Suite struct RecordedSecretsTests: ~Copyable {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "secrets-\(UUID().uuidString)")
    .path

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private static func random(_ count: Int) -> String {
    let letters = Array("abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789")
    return String((0..<count).map { _ in letters.randomElement()! }) + "7q"
  }

  /// A service whose tokens, cookies, numbers and identifiers are new each time.
  private final class Service: Sendable {
    let names = Mutex<[String: String]>([:])

    func answer(_ request: Request) async throws -> Response {
      switch request.head.path?.prefix(while: { $0 != "?" }) {
      case "/login":
        let form = String(decoding: request.body.bytes ?? Bytes())
        let token = "at_" + random(30)
        names.withLock { $0[token] = form.contains("user=ada") ? "Ada" : "Bob" }
        let fields: HTTPFields = [
          .contentType: "application/json", .setCookie: "session=\(random(24)); Path=/; HttpOnly",
        ]
        let text = #"{"access_token":"\#(token)","pin":\#(Int.random(in: 1000...9999)),"expires_in":3600}"#
        return Response(.ok, fields: fields, body: .bytes(Bytes(text)))
      default:
        let token = request.fields[.authorization]?.dropFirst("Bearer ".count) ?? ""
        guard let name = names.withLock({ $0[String(token)] }) else { return Response(.unauthorized) }
        return Response(
          .ok,
          fields: [.contentType: "application/json"],
          body: .bytes(Bytes(#"{"name":"\#(name)"}"#))
        )
      }
    }
  }

  /// Logs users in, and asks who they are.
  private func record(_ users: [String]) async throws -> RedactionSummary {
    let service = Service()
    let recorder = Recorder(folder: folder, commit: .finish)
    let pipeline = Pipeline(over: HandlerTransport { try await service.answer($0) }) { recorder }
    for user in users {
      let login = Request.post(
        "https://api.test/login",
        body: .bytes(Bytes("user=\(user)&password=\(Self.random(12))"))
      )
      var request = login
      request.fields[.contentType] = "application/x-www-form-urlencoded"
      let body = try await pipeline.send(request).body.collect(upTo: 10_000)
      let token = try JSONValue(parsing: [UInt8](body))["access_token"]?.stringValue
      var me = Request.get("https://api.test/me")
      me.fields[.authorization] = "Bearer \(try #require(token))"
      _ = try await pipeline.send(me).body.collect(upTo: 10_000)
    }
    return try await recorder.finish()
  }

  private func files() throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
      files[file] = [UInt8](try Data(contentsOf: URL(filePath: "\(folder)/\(file)")))
    }
    return files
  }

  @Test func recordedAgainWithOtherSecretsNothingChanges() async throws {
    let summary = try await record(["ada", "bob"])
    #expect(
      summary.omitted.isEmpty
        && Set(summary.replaced.map(\.name)).isSuperset(of: ["PASSWORD-1", "PASSWORD-2"])
    )
    let before = try files()
    _ = try await record(["ada", "bob"])
    #expect(try files() == before)
    let scenario = try Scenario(folder: folder)

    // With one more login, all else is as it was.
    _ = try await record(["ada", "eve", "bob"])
    let after = try Scenario(folder: folder)
    #expect(after.exchanges.count == 6)
    for exchange in scenario.exchanges {
      let again = after.exchanges.first { $0.id == exchange.id }
      #expect(again?.request == exchange.request && again?.redacted == exchange.redacted)
      #expect(again?.reply.head?.response == exchange.reply.head?.response)
      #expect(
        again.map { String(decoding: $0.reply.body?.bytes ?? Bytes()) }
          == String(decoding: exchange.reply.body?.bytes ?? Bytes())
      )
      #expect(again == exchange)
    }
  }

  @Test func anExchangeThatCannotBeWrittenCostsNoOther() async throws {
    let tokens = (0...Redactor.maxSecretCount).map { "\"tok-\($0)-8fA2c9\"" }.joined(separator: ",")
    let told = Mutex<[String]>([])
    let recorder = Recorder(folder: folder, onOmission: { text in told.withLock { $0.append(text) } })
    let service = HandlerTransport { request in
      let text =
        request.head.path == "/many" ? "{\"tokens\":[\(tokens)]}" : #"{"access_token":"tok_9a8B7c6D5e"}"#
      return Response(.ok, fields: [.contentType: "application/json"], body: .bytes(Bytes(text)))
    }
    let pipeline = Pipeline(over: service) { recorder }
    for path in ["one", "many", "two"] {
      _ = try await pipeline.send(.get("https://api.test/\(path)")).body.collect(upTo: 1 << 20)
    }
    let summary = try await recorder.finish()
    let scenario = try Scenario(folder: folder)
    #expect(scenario.exchanges.map { $0.omission != nil } == [false, true, false])
    #expect(scenario.exchanges[1].request.target == "{api}/many" && scenario.exchanges[1].reply.head == nil)
    #expect(summary.omitted.count == 1 && told.withLock { $0.count } == 1)
    let replay = Pipeline(over: try ReplayTransport(folder: folder)) {}
    let error = await #expect(throws: ExchangeError.self) {
      try await replay.send(.get("https://api.test/many"))
    }
    #expect(error?.kind == .stageFailure(ReplayFailure.omitted))
    _ = try await replay.send(.get("https://api.test/two"))
  }

  @Test func reportsContentBeyondTheLimit() async throws {
    let told = Mutex<[String]>([])
    let recorder = Recorder(
      folder: folder,
      bodyLimit: 10,
      onOmission: { text in told.withLock { $0.append(text) } }
    )
    let pipeline = Pipeline(
      over: HandlerTransport { _ in Response(.ok, body: .bytes("more than ten bytes")) }
    ) {
      recorder
    }
    _ = try await pipeline.send(.get("https://api.test/long")).body.collect(upTo: 100)
    let summary = try await recorder.finish()
    #expect(
      told.withLock { $0 } == ["GET https://api.test/long: the content of the reply: longer than 10 bytes"]
    )
    #expect(summary.omitted.isEmpty)
  }

  /// Numbers that are made up alike get others, in the order of the exchanges, whenever they were written.
  @Test func madeUpNumbersDoNotDependOnWhenTheyAreWritten() async throws {
    var written: [[Bytes?]] = []
    for commit in [Recorder.Commit.eachExchange, .finish] {
      let place = "\(folder)/\(commit)"
      let recorder = Recorder(folder: place, commit: commit)
      let pipeline = Pipeline(
        over: HandlerTransport { request in
          let pin = request.head.path?.dropFirst(3) ?? ""
          return Response(
            .ok,
            fields: [.contentType: "application/json"],
            body: .bytes(Bytes(#"{"password":"hunter2","cvv":\#(pin)}"#))
          )
        }
      ) { recorder }
      for pin in 100..<200 {
        _ = try await pipeline.send(.get("https://api.test/p-\(pin)")).body.collect(upTo: 100)
      }
      try await recorder.finish()
      let scenario = try Scenario(folder: place)
      #expect(scenario.exchanges.count == 100 && scenario.exchanges.allSatisfy { !$0.redacted.isEmpty })
      written.append(scenario.exchanges.map { $0.reply.body?.bytes })
    }
    #expect(written[0] == written[1])
  }

  /// The first place of a secret names it, also if a later request is answered, and written, before.
  @Test func theOrderOfTheRequestsNamesSecrets() async throws {
    let (started, start) = AsyncStream<Void>.makeStream()
    let (released, release) = AsyncStream<Void>.makeStream()
    let recorder = Recorder(folder: folder, commit: .eachExchange)
    let pipeline = Pipeline(
      over: HandlerTransport { request in
        let isSlow = request.head.path == "/slow"
        if isSlow {
          start.finish()
          for await _ in released {}
        }
        let text = isSlow ? #"{"password":"swordfish"}"# : #"{"password":"hunter2"}"#
        return Response(.ok, fields: [.contentType: "application/json"], body: .bytes(Bytes(text)))
      }
    ) { recorder }
    async let slow = pipeline.send(.get("https://api.test/slow")).body.collect(upTo: 100)
    for await _ in started {}
    _ = try await pipeline.send(.get("https://api.test/fast")).body.collect(upTo: 100)
    for _ in 0..<1000 where !FileManager.default.fileExists(atPath: "\(folder)/scenario.json") {
      try await Task.sleep(for: .milliseconds(10))
    }
    release.finish()
    _ = try await slow
    try await recorder.finish()
    let bodies = try Scenario(folder: folder).exchanges.map {
      $0.reply.body.map { String(decoding: $0.bytes) }
    }
    #expect(bodies == [#"{"password":"SECRET-PASSWORD-1"}"#, #"{"password":"SECRET-PASSWORD-2"}"#])
  }
}
