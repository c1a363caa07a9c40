import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite struct SerializerChoiceTests {
  private static func choices(
    _ compound: CompoundResponseSerializer<String>,
    _ type: String?,
    _ body: Bytes = "x"
  ) async throws -> [SerializerChoice] {
    let recorder = EventRecorder()
    let transport = HandlerTransport { _ in
      Response(.ok, fields: type.map { [.contentType: $0] } ?? [:], body: .bytes(body))
    }
    _ = try? await Client(over: transport, configuration: .init(monitors: [recorder])).value(
      for: .get("http://h/"),
      as: compound
    )
    return recorder.events.compactMap { event in
      if case .stage(let choice as SerializerChoice) = event.kind { choice } else { nil }
    }
  }

  private static let compound = CompoundResponseSerializer(
    members: [
      NamedMember("plain", ["text/plain", "text/*;q=0.2"]), NamedMember("rich", ["text/*"]),
      NamedMember("json", ["application/json", "application/*+json"], signatures: [.jsonArray]),
    ],
    sniffing: true
  )

  @Test(
    arguments: [
      ("text/plain; charset=utf-8", "x", "plain for text/plain;charset=utf-8: it names text/plain"),
      ("text/css", "x", "plain for text/css: by the wildcard text/*, of plain, rich"),
      (
        "application/a+json", "x",
        "json for application/a+json: by its suffix, as application/*+json"
      ),
      (
        nil, "[]",
        "json for content without a declared type: sniffed: it starts with \"[\", of json, plain, rich"
      ),
      (nil, "x", "plain for content without a declared type: the first to succeed, of plain, rich, json"),
      ("application/octet-stream", "[]", "json for application/octet-stream: sniffed: it starts with \"[\""),
    ] as [(String?, Bytes, String)]
  )
  func theEventNamesTheReason(type: String?, body: Bytes, text: String) async throws {
    #expect(try await Self.choices(Self.compound, type, body).map(\.description) == [text])
  }

  @Test func theEventHasSerializerTypeAndCandidates() async throws {
    let choice = try #require(await Self.choices(Self.compound, "text/css").first)
    #expect(choice.serializer == "plain")
    #expect(choice.mediaType == MediaType("text/css"))
    #expect(choice.candidates == ["plain", "rich"])
    guard case .wildcard(let range) = choice.reason else {
      Issue.record("\(choice.reason)")
      return
    }
    #expect(range.quality == 0.2)
    let single = CompoundResponseSerializer(members: [NamedMember("a", ["text/a"])])
    #expect(try await Self.choices(single, nil).first?.reason == .onlyCandidate)
    #expect(try await Self.choices(single, nil).first?.candidates == ["a"])
    let any = CompoundResponseSerializer(members: [NamedMember("a", [])])
    #expect(try await Self.choices(any, "x/y").first?.reason == .wildcard(.any))
  }

  @Test func theEventListsMembersThatRefused() async throws {
    let compound = CompoundResponseSerializer(
      members: [NamedMember("a", ["x/y"], fails: true), NamedMember("b", ["x/y"]), NamedMember("c", ["x/y"])]
    )
    let choice = try #require(await Self.choices(compound, "x/y").first)
    #expect(choice.description == "b for x/y: it names x/y, of a, b, c; refused by a: a cannot")
    #expect(choice.refusals.first?.error is Foreign)
  }

  @Test func noChoiceIsReportedIfAllRefuse() async throws {
    let compound = CompoundResponseSerializer(
      members: [NamedMember("a", ["x/y"], fails: true), NamedMember("b", ["x/y"], fails: true)]
    )
    #expect(try await Self.choices(compound, "x/y").isEmpty)
    #expect(try await Self.choices(compound, "image/png").isEmpty)
  }

  @Test func aCustomSerializerNamesACustomReason() {
    let choice = SerializerChoice("Mine", mediaType: nil, reason: .other("it is Monday"))
    #expect(choice.description == "Mine for content without a declared type: it is Monday")
    #expect(choice.candidates == ["Mine"])
  }

  /// Names are asked for by the compound serializer once, and then only for events.
  @Test func noEventIsBuiltWithoutAMonitor() async throws {
    struct Counted: ResponseSerializer {
      let asked: Counter
      let accepts = Acceptance.any
      var name: String {
        asked.add()
        return "counted"
      }
      func serialize(_ response: Response) async throws -> String {
        String(decoding: try await response.collectBody())
      }
    }
    let asked = Counter()
    let compound = CompoundResponseSerializer(members: [Counted(asked: asked), Counted(asked: asked)])
    #expect(asked.value == 2)
    let transport = HandlerTransport { _ in Response(.ok, body: .bytes("x")) }
    _ = try await Client(over: transport).value(for: .get("http://h/"), as: compound)
    #expect(asked.value == 2)
    _ = try await Client(over: transport, configuration: .init(monitors: [EventRecorder()]))
      .value(for: .get("http://h/"), as: compound)
    #expect(asked.value > 2)
  }
}
