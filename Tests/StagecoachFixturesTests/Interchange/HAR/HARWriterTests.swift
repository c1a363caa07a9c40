import Foundation
import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@testable import StagecoachFixtures

/// Scenarios as HAR files: valid, and the same scenario when they are read again.
@Suite struct HARWriterTests {
  /// A scenario with all that HAR has no place for.
  static func full() -> Scenario {
    var scenario = Scenario(title: "all")
    scenario.recording = .init(
      date: Date(timeIntervalSince1970: 1_772_359_200),
      recorder: "stagecoach",
      origin: "https://api.test",
      position: "Cookies"
    )
    scenario.expires = Date(timeIntervalSince1970: 1_800_000_000)
    scenario.clock = Date(timeIntervalSince1970: 1_772_359_200)
    scenario.seed = .max
    scenario.policy.order = .strict
    scenario.policy.unused = .warn
    scenario.origins = [
      .init(name: "api", origin: "https://api.test"), .init(name: "cdn", origin: "http://cdn.test:81"),
    ]
    scenario.defaults = [.init("header.X-Id", "notEmpty")]

    var first = Scenario.Exchange(
      id: "start",
      request: .init(
        "POST",
        "{api}/a?x=1&x=%20",
        fields: [.contentType: "application/octet-stream", .cookie: "a=1; b"]
      ),
      reply: .init(
        .init(
          HTTPResponse(status: .init(code: 299, reasonPhrase: "Odd")),
          version: "1.1",
          time: .milliseconds(3)
        )
      )
    )
    first.request.version = "2"
    first.request.body = .init(Bytes([0, 0xff, 0xfe, 10]), type: "application/octet-stream")
    first.request.trailers = [.eTag: "\"r\""]
    first.reply.informational = [
      .init(HTTPResponse(status: .init(code: 103), headerFields: [.init("Link")!: "</a>"]))
    ]
    first.reply.head?.response.headerFields.append(
      .init(name: .setCookie, value: "a=1; Path=/x; HttpOnly; Secure")
    )
    first.reply.head?.response.headerFields.append(
      .init(name: .init("SET-COOKIE")!, value: "b=2; Domain=api.test")
    )
    first.reply.head?.response.headerFields[.contentEncoding] = "gzip"
    first.reply.body = .init(Bytes(#"{"a":1,"b":[true]}"#), type: "application/json")
    first.reply.body?.form = .pretty
    first.reply.body?.codings = ["gzip"]
    first.reply.body?.framing = .chunked
    first.reply.body?.chunks = [.init(bytes: 10, delay: .microseconds(1500)), .init(bytes: 30, delay: .zero)]
    first.reply.body?.file = "deep/first.json"
    first.reply.trailers = [.eTag: "\"t\""]
    first.reply.end = .microseconds(7001)
    first.times = .last
    first.requires = [.init(name: "cart", value: nil)]
    first.sets = [.init(name: "cart", value: "full")]
    first.match = [.init("body$.a", ["match": "type"])]
    first.expect = [.init("status", ["match": "statusCode", "status": "success"])]
    first.isOptional = true

    var failed = Scenario.Exchange(
      id: "2",
      request: .init("GET", "{cdn}/b"),
      reply: .init(.init(.tls, detail: "expired"))
    )
    failed.cause = .init(.retry, of: "start")
    failed.times = .any
    failed.request.body = .init(Bytes("{\"q\": \"ü\"}\n"), type: "application/json")

    var latin = Scenario.Exchange(
      id: "3",
      request: .init("GET", "http://other.test/c#d"),
      reply: .init(.init(HTTPResponse(status: .ok)))
    )
    latin.reply.head?.response.headerFields[.contentType] = "text/plain; charset=iso-8859-1"
    latin.reply.body = .init(Bytes([0x47, 0xfc]), type: "text/plain")
    latin.reply.outcome = .init(.truncated)

    var omitted = Scenario.Exchange(
      id: "4",
      request: .init("PUT", "{api}/d"),
      reply: .init(.init(HTTPResponse(status: .noContent)))
    )
    omitted.request.body = .init(Bytes(), type: "video/mp4")
    omitted.request.body?.omission = .init(bytes: 99, reason: "too long")
    omitted.reply.body = .init(Bytes())
    scenario.exchanges = [first, failed, latin, omitted]
    return scenario
  }

  /// The scenario of a file, with the secrets that it has.
  private func read(_ bytes: Bytes) async throws -> Scenario {
    let file = ForeignFile(name: "a.har", bytes: bytes.array, folder: nil)
    return try await HARReader.scenario(in: file.json(), of: file).scenario
  }

  @Test func aScenarioSurvivesHAR() async throws {
    let scenario = Self.full()
    let export = try scenario.har()
    let again = try await read(export.bytes)
    for (exchange, before) in zip(again.exchanges, scenario.exchanges) { #expect(exchange == before) }
    #expect(again == scenario)
    // Without its secrets it stays as it is.
    let redacted = try await Scenario(importing: export.bytes)
    #expect(try await Scenario(importing: redacted.har().bytes) == redacted)
    #expect(try scenario.har() == export)
    #expect(
      export.losses.sorted() == [
        "1 exchange lost a body that was not recorded for other tools",
        "1 exchange lost a request body that is not text for other tools",
        "1 exchange lost informational responses for other tools",
        "1 exchange lost states for other tools",
        "1 exchange lost the chunks of the response for other tools",
        "1 exchange lost the outcome tls for other tools",
        "1 exchange lost the outcome truncated for other tools",
        "1 exchange lost trailers for other tools", "1 exchange lost what led to it for other tools",
        "2 exchanges lost how often it answers for other tools", "4 exchanges lost rules for other tools",
      ]
    )
  }

  @Test func editsOfOtherToolsAreImported() async throws {
    let text = String(decoding: try Self.full().har().bytes)
    let edited = text.replacing(#""status": 299"#, with: #""status": 201"#)
      .replacing(#""text": "{\"a\":1,\"b\":[true]}""#, with: #""text": "no JSON""#)
      .replacing("https://api.test/a?", with: "https://api.test/z?")
    #expect(edited != text)
    let exchange = try await Scenario(importing: Bytes(edited)).exchanges[0]
    #expect(exchange.reply.head?.response.status.code == 201 && exchange.reply.body?.bytes == "no JSON")
    #expect(exchange.request.target.hasPrefix("https://api.test/z?"))
    #expect(exchange.reply.trailers?[.eTag] == "\"t\"")
  }

  @Test func aHostileResidueIsRefused() async throws {
    let text = String(decoding: try Self.full().har().bytes)
    for (old, new) in [
      ("deep/first.json", "../first.json"), (#""id": "2""#, #""id": "start""#),
      (#""times": "any""#, #""times": -1"#),
      ("stagecoach-scenario/1", "stagecoach-scenario/9"),
    ] {
      #expect(text.contains(old))
      await #expect(throws: ScenarioError.self, "\(new)") {
        try await Scenario(importing: Bytes(text.replacing(old, with: new)))
      }
    }
  }

  @Test(arguments: HARSamples.all.map(\.name) + ["full"])
  func exportsAreValid(_ name: String) async throws {
    let sample = HARSamples.all.first { $0.name == name }?.text
    let scenario = if let sample { try await Scenario(importing: Bytes(sample)) } else { Self.full() }
    let export = try scenario.har()
    #expect(HARValidator.faults(in: try JSONValue(parsing: export.bytes.array)).isEmpty)
    #expect(try await read(export.bytes) == scenario)
    // What other tools read is what we read of the members of HAR.
    let entries = try await HARPythonReading.entries(of: String(decoding: export.bytes))
    #expect(entries.map(\.method) == scenario.exchanges.map(\.request.method))
    #expect(entries.map(\.status) == scenario.exchanges.map { $0.reply.head?.response.status.code ?? 0 })
  }
}
