import Foundation
import HTTPTypes
import Stagecoach
import Synchronization
import TestSupport
import Testing

@testable import StagecoachFixtures

/// Recorded again, an unchanged service changes not a byte.
struct StableRecordingTests {
  private let folder: ScratchDirectory

  init() throws { folder = try ScratchDirectory() }

  private func place(_ name: String) -> String { "\(folder.path)/\(name)" }

  private func record(
    _ requests: [Request],
    to name: String = "scenario",
    base: String? = nil,
    infersRules: Bool = false,
    _ handler: @escaping @Sendable (Request) async throws -> Response
  ) async throws -> Scenario {
    let recorder = Recorder(folder: place(name), base: base, infersRules: infersRules)
    let pipeline = Pipeline(over: HandlerTransport(handler)) { recorder }
    for request in requests {
      if let response = try? await pipeline.send(request) {
        _ = try? await response.body.collect(upTo: 1 << 30)
      }
    }
    try await recorder.finish()
    return try Scenario(folder: place(name))
  }

  private func files(_ name: String = "scenario") throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for file in try FileManager.default.contentsOfDirectory(atPath: place(name)) {
      files[file] = [UInt8](try Data(contentsOf: URL(filePath: "\(place(name))/\(file)")))
    }
    return files
  }

  @Test func aTokenKeepsTheNameOfTheReplyThatGaveIt() async throws {
    let login = Request.post("http://a/login", body: .bytes("ada"))
    var me = Request.get("http://a/me")
    me.fields[.authorization] = "Bearer tok-98765"
    let service: @Sendable (Request) async throws -> Response = { request in
      let text = request.method == .post ? #"{"access_token":"tok-98765"}"# : #"{"id":7}"#
      return Response(.ok, fields: [.contentType: "application/json"], body: .bytes(Bytes(text)))
    }
    // Where it is used before it is given, its first place names it; later both have the other name.
    for requests in [[me, login], [login, me], [me, login]] {
      let scenario = try await record(requests, service)
      let given = try #require(scenario.exchanges.first { $0.request.method == "POST" }).reply.body?.bytes
      let used = try #require(scenario.exchanges.first { $0.request.method == "GET" }).request.fields[
        .authorization
      ]
      let name = try #require(used).dropFirst("Bearer ".count)
      #expect(name.hasPrefix("SECRET-") && given == Bytes(#"{"access_token":"\#(name)"}"#))
    }
  }

  @Test func anExpiredRecordingLastsAsLongAgain() async throws {
    let day = 86_400.0
    let request = [Request.get("http://a/1")]
    var scenario = try await record(request) { _ in Response(.ok, body: .bytes("one")) }
    scenario.expires = try #require(scenario.recording?.date).addingTimeInterval(day)
    try scenario.write(folder: place("scenario"))
    let before = try files()
    _ = try await record(request) { _ in Response(.ok, body: .bytes("one")) }
    #expect(try files() == before, "it has not expired")

    scenario.recording?.date?.addTimeInterval(-2 * day)
    scenario.expires?.addTimeInterval(-2 * day)
    try scenario.write(folder: place("scenario"))
    let again = try await record(request) { _ in Response(.ok, body: .bytes("one")) }
    let date = try #require(again.recording?.date)
    #expect(date.timeIntervalSinceNow > -day / 2)
    #expect(again.expires == date.addingTimeInterval(day))
  }

  /// A service whose replies differ in all that is volatile.
  private final class Service: Sendable {
    private let count = Atomic(0)

    func answer(_ request: Request) async throws -> Response {
      let number = count.add(1, ordering: .relaxed).newValue
      let identifier = UUID().uuidString.lowercased()
      var fields: HTTPFields = [
        .date: "Wed, 25 Nov 2026 10:00:\(10 + number % 50) GMT", .age: "\(number)",
        .wwwAuthenticate: "Digest realm=\"r\", nonce=\"\(identifier)\", qop=\"auth\"",
      ]
      fields[try #require(HTTPField.Name("X-Request-Id"))] = "\(number)"
      switch request.head.path {
      case "/json":
        fields[.contentType] = "application/json"
        let text = #"{"id":"\#(identifier)","at":"2026-11-25T10:00:\#(10 + number % 50).\#(number)Z","n":1}"#
        fields[.contentLength] = "\(text.utf8.count)"
        return Response(.ok, fields: fields, body: .bytes(Bytes(text)))
      case "/parts":
        fields[.contentType] = "multipart/byteranges; boundary=b\(number)x"
        let text = "--b\(number)x\r\nContent-Type: text/plain\r\n\r\nab\r\n--b\(number)x--\r\n"
        let octets = Array(text.utf8)
        return Response(
          .partialContent,
          fields: fields,
          body: Response.Body(
            AsyncStream { chunks in
              for start in stride(from: 0, to: octets.count, by: number + 3) {
                chunks.yield(Bytes(Array(octets[start..<min(start + number + 3, octets.count)])))
              }
              chunks.finish()
            }
          )
        )
      case "/cut":
        return Response(
          .ok,
          fields: fields,
          body: Response.Body(
            AsyncThrowingStream { chunks in
              chunks.yield(Bytes("ab"))
              chunks.finish(throwing: ExchangeError(.incompleteBody, "cut"))
            }
          )
        )
      default: return Response(.notFound, fields: fields)
      }
    }
  }

  private static let requests: [Request] = [
    .get("https://a.test/json"), .get("https://a.test/parts"), .get("https://b.test/cut"),
    .get("https://a.test/none"), .get("https://a.test/json"),
  ]

  @Test func recordingAgainChangesNothing() async throws {
    let service = Service()
    _ = try await record(Self.requests, service.answer)
    let before = try files()
    _ = try await record(Self.requests, service.answer)
    #expect(try files() == before)
  }

  @Test func anotherRecordingHasNoDifferences() async throws {
    let service = Service()
    let first = try await record(Self.requests, to: "first", service.answer)
    let second = try await record(Self.requests, to: "second", service.answer)
    #expect(first != second)
    #expect(ScenarioDifferences(first, second).entries.isEmpty)
  }

  @Test func anotherOriginIsAChangeOfOneLine() async throws {
    let service = Service()
    let paths: [String] = ["/json", "/parts"]
    _ = try await record(paths.map { .get("http://a:1\($0)") }, base: "http://a:1", service.answer)
    let before = try #require(try files()["scenario.json"])
    _ = try await record(paths.map { .get("http://a:2\($0)") }, base: "http://a:2", service.answer)
    let after = try #require(try files()["scenario.json"])
    let changed = zip(before.split(separator: 0x0a), after.split(separator: 0x0a)).filter { $0 != $1 }
    #expect(
      changed.map { String(decoding: $1, as: UTF8.self) } == [#"  "origins": { "api": "http://a:2" },"#]
    )
    // Without a base, an origin takes the name of one that is not asked any more.
    let scenario = try await record(paths.map { .get("http://a:3\($0)") }, service.answer)
    #expect(scenario.origins == [.init(name: "api", origin: "http://a:3")])
  }

  @Test func aChangedExchangeIsWritten() async throws {
    let status = Atomic(200)
    let requests: [Request] = [.get("http://a/1"), .get("http://a/2")]
    let answer: @Sendable (Request) async throws -> Response = { request in
      let code = request.head.path == "/1" ? status.load(ordering: .relaxed) : 200
      return Response(
        .init(code: code),
        fields: [.date: "Wed, 25 Nov 2026 10:00:0\(code % 10) GMT", .server: "s/\(code)"],
        body: .bytes(Bytes(#"{"code":\#(code),"list":[1,2]}"#))
      )
    }
    let first = try await record(requests, answer)
    status.store(404, ordering: .relaxed)
    let second = try await record(requests, answer)
    #expect(second.exchanges[1] == first.exchanges[1])
    let (old, new) = (first.exchanges[0].reply, second.exchanges[0].reply)
    #expect(new.head?.response.status.code == 404 && new.head?.response.headerFields[.server] == "s/404")
    #expect(new.head?.response.headerFields[.date] == old.head?.response.headerFields[.date])
    #expect(new.body?.bytes == #"{"code":404,"list":[1,2]}"#)
    let differences = ScenarioDifferences(first, second).entries
    #expect(differences.map(\.sign) == ["~"] && differences[0].exchange == "01  GET {api}/1")
    #expect(
      differences[0].lines == [
        "status: 200, now 404", #"field Server: "s/200", now "s/404""#,
        "body $.code: Expected 200 (Integer) to be equal to 404 (Integer)",
      ] || differences[0].lines.count == 3,
      "\(differences[0].lines)"
    )
  }

  @Test func addsNewExchangesAndRemovesGoneOnes() async throws {
    let answer: @Sendable (Request) async throws -> Response = { _ in Response(.noContent) }
    let first = try await record([.get("http://a/1"), .get("http://a/2"), .get("http://a/3")], answer)
    let second = try await record(
      [.get("http://a/3"), .get("http://a/4"), .get("http://a/1"), .delete("http://a/1")],
      answer
    )
    #expect(second.exchanges.map(\.id) == ["01", "02", "03", "04"])
    #expect(
      second.exchanges.map { "\($0.request.method) \($0.request.target)" }
        == ["GET {api}/1", "DELETE {api}/1", "GET {api}/3", "GET {api}/4"]
    )
    #expect(
      ScenarioDifferences(first, second).entries.map { "\($0.sign) \($0.exchange)" }
        == ["- 02  GET {api}/2", "+ 02  DELETE {api}/1", "+ 04  GET {api}/4"]
    )
  }

  @Test func keepsEditsMadeByHand() async throws {
    let service = Service()
    var scenario = try await record(Self.requests, service.answer)
    scenario.title = "by hand"
    scenario.policy.unused = .warn
    scenario.exchanges[0].id = "first"
    scenario.exchanges[0].times = .any
    scenario.exchanges[0].match = [.init("header.Accept", "notEmpty")]
    scenario.exchanges[2].expect = [.init("body", "type")]
    scenario.exchanges[1].sets = [.init(name: "seen", value: "yes")]
    try scenario.write(folder: place("scenario"))
    let before = try files()
    _ = try await record(Self.requests, service.answer)
    #expect(try files() == before)
  }

  @Test func rulesAreInferredFromTwoRecordings() async throws {
    let count = Atomic(0)
    let answer: @Sendable (Request) async throws -> Response = { request in
      let number = count.add(1, ordering: .relaxed).newValue
      return Response(
        .ok,
        fields: [.contentType: "application/json"],
        body: .bytes(
          Bytes(
            #"{"id":"\#(UUID())","visits":\#(number),"name":"n\#(number)","fixed":true,"list":[{"at":"2026-11-25T10:00:0\#(number)Z"}]}"#
          )
        )
      )
    }
    let get: @Sendable (Int) -> Request = { .get("http://a/?page=1&nonce=\($0)") }
    _ = try await record([get(7)], answer)
    let scenario = try await record([get(7)], infersRules: true, answer)
    #expect(
      scenario.exchanges[0].expect.map(\.place) == [
        "body$.id", "body$.visits", "body$.name", "body$.list[0].at",
      ]
    )
    #expect(scenario.exchanges[0].expect[1].condition == ["match": "integer"])
    #expect(scenario.exchanges[0].expect[2].condition == ["match": "type"])
    #expect(scenario.exchanges[0].match.isEmpty)
    // What the rules let differ does not change what is written.
    let before = try files()
    _ = try await record([get(7)], answer)
    #expect(try files() == before)
    // The rules are ones that a replay and a comparison read.
    _ = try ReplayTransport(scenario)
  }

  @Test func rulesAreInferredInQueriesFormsAndXML() async throws {
    let count = Atomic(0)
    let requests: @Sendable (Int) -> [Request] = { number in
      var form = Request.post(
        "http://a/form",
        body: .bytes(Bytes("page=1&nonce=\(number)&at=2026-11-25T10%3A00%3A0\(number)Z"))
      )
      form.fields[.contentType] = "application/x-www-form-urlencoded"
      return [.get("http://a/?page=1&nonce=\(number)"), .get("http://a/?page=2&nonce=\(number)"), form]
    }
    let answer: @Sendable (Request) async throws -> Response = { _ in
      let number = count.add(1, ordering: .relaxed).newValue
      let text =
        "<list at=\"2026-11-25T10:00:0\(number % 10)Z\"><id>\(number)</id><id>x\(number)</id><fixed/></list>"
      return Response(.ok, fields: [.contentType: "application/xml"], body: .bytes(Bytes(text)))
    }
    let first = try await record(requests(1), answer)
    let scenario = try await record(requests(2), infersRules: true, answer)
    let inferred = scenario.exchanges.map { $0.match.map(\.place) }
    #expect(inferred == [["query.nonce"], ["query.nonce"], ["body$.nonce", "body$.at"]])
    #expect(scenario.exchanges[0].match[0].condition == ["match": "regex", "regex": #"\d+"#])
    #expect(scenario.exchanges[0].expect.map(\.place) == ["body/list/@at", "body/list/id/text()"])
    #expect(scenario.exchanges[0].expect[1].condition == ["match": "type"])
    #expect(scenario.exchanges.map(\.request) == first.exchanges.map(\.request))
    #expect(scenario.exchanges.map(\.reply.body) == first.exchanges.map(\.reply.body))
    let before = try files()
    _ = try await record(requests(3), infersRules: true, answer)
    #expect(try files() == before)
    // Without the option, other values are other requests.
    let other = try await record(requests(4), answer)
    #expect(other.exchanges[0].request.target == "{api}/?page=1&nonce=4")
  }

  @Test func whatRepeatsAKeptValueIsKept() async throws {
    let number = Atomic(0)
    let answer: @Sendable (Request) async throws -> Response = { request in
      let tag = "\"v\(number.load(ordering: .relaxed))\""
      if request.fields[.ifNoneMatch] != nil { return Response(.notModified, fields: [.eTag: tag]) }
      let identifier = "00000000-0000-4000-8000-00000000000\(number.load(ordering: .relaxed))"
      return Response(
        .created,
        fields: [.eTag: tag, .location: "http://a/items/\(identifier)", .contentType: "application/json"],
        body: .bytes(Bytes("{\"id\": \"\(identifier)\"}"))
      )
    }
    let requests: @Sendable (Int) -> [Request] = { number in
      var again = Request.get("http://a/items")
      again.fields[.ifNoneMatch] = "\"x\", \"v\(number)\""
      var change = Request.post(
        "http://a/change",
        body: .bytes(Bytes("{\"id\": \"00000000-0000-4000-8000-00000000000\(number)\", \"n\": \(number)}"))
      )
      change.fields[.contentType] = "application/json"
      return [
        .get("http://a/items"), again,
        .get("http://a/items/00000000-0000-4000-8000-00000000000\(number)/n\(number)"), change,
      ]
    }
    number.store(1, ordering: .relaxed)
    _ = try await record(requests(1), answer)
    number.store(2, ordering: .relaxed)
    let exchanges = try await record(requests(2), answer).exchanges
    #expect(exchanges[0].reply.head?.response.headerFields[.eTag] == "\"v1\"")
    #expect(exchanges[1].request.fields[.ifNoneMatch] == "\"x\", \"v1\"")
    #expect(exchanges[1].reply.head?.response.headerFields[.eTag] == "\"v1\"")
    #expect(exchanges[2].request.target == "{api}/items/00000000-0000-4000-8000-000000000001/n2")
    let change = try #require(exchanges[3].request.body?.bytes)
    #expect(
      String(decoding: change.array, as: UTF8.self)
        == "{\"id\": \"00000000-0000-4000-8000-000000000001\", \"n\": 2}"
    )
  }

  @Test func aScenarioThatCannotBeReadIsNotReplaced() async throws {
    try FileManager.default.createDirectory(atPath: place("scenario"), withIntermediateDirectories: true)
    let file = try folder.file("scenario/scenario.json", Array("{".utf8))
    let recorder = Recorder(folder: place("scenario"))
    let pipeline = Pipeline(over: HandlerTransport { _ in Response(.noContent) }) { recorder }
    _ = try await pipeline.send(.get("http://a/"))
    await #expect(throws: ScenarioError.self) { try await recorder.finish() }
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "{")
  }

  @Test func hopsAndAttemptsNameTheirCause() async throws {
    let recorder = Recorder(folder: place("scenario"))
    let failures = Atomic(0)
    let transport = HandlerTransport { request in
      switch request.head.path {
      case "/start": return Response(.found, fields: [.location: "/private"])
      case "/private":
        guard request.fields[.authorization] != nil else {
          return Response(.unauthorized, fields: [.wwwAuthenticate: #"Basic realm="r""#])
        }
        return failures.add(1, ordering: .relaxed).newValue == 1
          ? Response(.serviceUnavailable) : Response(.ok, body: .bytes("yes"))
      default: return Response(.noContent)
      }
    }
    var policy = RetryPolicy()
    policy.decide = { _ in .retry(after: .zero) }
    let authentication = try Authentication(user: "u", password: "passw0rd", for: "https://a")
    let client = try Client(
      Pipeline(over: transport) {
        Redirects()
        Retry(policy)
        authentication
        recorder
      },
      base: "https://a/"
    )
    let response = try await client.send(.get("start"))
    #expect(String(decoding: try await response.body.collect(upTo: 100).array, as: UTF8.self) == "yes")
    _ = try await client.send(.get("other"))
    try await recorder.finish()
    let causes = try Scenario(folder: place("scenario")).exchanges.map(\.cause)
    #expect(
      causes == [
        nil, .init(.redirect, of: "01"), .init(.challenge, of: "02"), .init(.retry, of: "03"), nil,
      ]
    )
  }
}
