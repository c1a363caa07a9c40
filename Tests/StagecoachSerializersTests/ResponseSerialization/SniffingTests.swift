import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite struct SniffingTests {
  private static let text = NamedMember("text", ["text/*", "*/*"])
  private static let json = NamedMember(
    "json",
    ["application/json"],
    signatures: [.jsonObject, .jsonArray]
  )
  private static let xml = NamedMember("xml", ["application/xml"], signatures: [.markup])
  private static let plist = NamedMember("plist", ["application/x-plist"], signatures: [.binaryPropertyList])
  private static let octets = NamedMember("octets", ["application/octet-stream"])
  private static let octetStream = "application/octet-stream"

  private static func compound(_ members: [NamedMember], sniffing: Bool = true)
    -> CompoundResponseSerializer<String>
  {
    CompoundResponseSerializer(members: members, sniffing: sniffing)
  }

  private static func response(_ type: String?, _ body: Response.Body) -> Response {
    Response(.ok, fields: type.map { [.contentType: $0] } ?? [:], body: body)
  }

  @Test(
    arguments: [
      (nil, "{}", true, "json"), (nil, " \r\n[1", true, "json"), (nil, "<a/>", true, "xml"),
      (nil, "bplist00\u{1}", true, "plist"), (nil, "hello", true, "text"), (nil, "", true, "text"),
      ("", "{}", true, "json"), (octetStream, "{}", true, "json"),
      ("Application/Octet-Stream; a=b", "<", true, "xml"), (octetStream, "hello", true, "text"),
      // A declared type is never overridden, nor is one that nobody can read.
      ("text/plain", "{}", true, "text"), ("image/png", "{}", true, "text"),
      ("application/json", "<", true, "json"), ("garbage", "{}", true, "text"),
      (nil, "{}", false, "text"), (octetStream, "{}", false, "text"),
    ] as [(String?, String, Bool, String)]
  )
  func onlyUnlabelledContentIsSniffed(type: String?, body: String, isOn: Bool, member: String) async throws {
    let compound = Self.compound([Self.text, Self.json, Self.xml, Self.plist], sniffing: isOn)
    #expect(compound.sniffs == isOn)
    #expect(try await compound.serialize(Self.response(type, .bytes(Bytes(body)))) == "\(member):\(body)")
    let stream = Response.Body(source: ScriptedSource(chunks: [Bytes(body)]))
    #expect(try await compound.serialize(Self.response(type, stream)) == "\(member):\(body)")
  }

  @Test func sniffingIsOffByDefault() async throws {
    for compound in [
      CompoundResponseSerializer<String>(members: [Self.text, Self.json]),
      CompoundResponseSerializer<String> {
        Self.text
        Self.json
      },
    ] {
      #expect(!compound.sniffs)
      #expect(try await compound.serialize(Self.response(nil, .bytes("{}"))) == "text:{}")
    }
    let any = CompoundResponseSerializer(anyOf: Self.text, Self.json, sniffing: true)
    #expect(try await any.serialize(Self.response(nil, .bytes("{}"))) as? String == "json:{}")
    let built = CompoundResponseSerializer<String>(sniffing: true) {
      Self.text
      Self.json
    }
    #expect(try await built.serialize(Self.response(nil, .bytes("{}"))) == "json:{}")
  }

  @Test func aMemberThatAcceptsOctetStreamsReadsThem() async throws {
    let compound = Self.compound([Self.json, Self.octets])
    #expect(try await compound.serialize(Self.response(Self.octetStream, .bytes("{}"))) == "octets:{}")
    #expect(try await compound.serialize(Self.response(nil, .bytes("{}"))) == "json:{}")
  }

  @Test func whatTheSnifferMistookIsReadByTheOthers() async throws {
    var failing = Self.json
    failing.fails = true
    let compound = Self.compound([Self.text, failing, Self.xml])
    for type in [nil, Self.octetStream] {
      #expect(try await compound.serialize(Self.response(type, .bytes("{"))) == "text:{")
    }
    let none = Self.compound([failing, Self.xml])
    // There is one candidate, so the error is its own.
    await #expect(throws: Foreign(text: "json cannot")) {
      _ = try await none.serialize(Self.response(Self.octetStream, .bytes("{")))
    }
  }

  @Test func refusesUnrecognizedOctets() async throws {
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await Self.compound([Self.json, Self.xml]).serialize(
        Self.response(Self.octetStream, .bytes("hello"))
      )
    }
    #expect(error.kind == .mediaType)
    #expect((error.underlying as? CompoundRefusal)?.refusals.map(\.serializer) == ["json", "xml"])
    #expect(error.bodyPrefix == "hello")
  }

  @Test func theStatusStillDecides() async throws {
    var problem = NamedMember("problem", ["application/json"], signatures: [.jsonObject])
    problem.statuses = [400..<500]
    let compound = Self.compound([Self.json, problem])
    var response = Self.response(nil, .bytes("{}"))
    #expect(try await compound.serialize(response) == "json:{}")
    response.head.status = .notFound
    #expect(try await compound.serialize(response) == "problem:{}")
  }

  @Test func validationLetsOctetsPassUnasked() async throws {
    let client = try Client(
      over: HandlerTransport { request in
        #expect(request.fields[.accept] == "application/json, application/xml")
        return Self.response(Self.octetStream, .bytes("{}"))
      }
    )
    let members = [Self.json, Self.xml]
    #expect(try await client.value(for: .get("http://h/"), as: Self.compound(members)) == "json:{}")
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await client.value(for: .get("http://h/"), as: Self.compound(members, sniffing: false))
    }
    #expect(error.kind == .mediaType)
    #expect(error.stage == "Validation")
    // Without a signature there is nothing that could be sniffed.
    #expect(!Self.compound([NamedMember("a", ["text/a"])]).accepts.accepts(.octetStream))
  }

  @Test func theBodyLimitHolds() async throws {
    let client = try Client(over: HandlerTransport { _ in Self.response(nil, .bytes("[1, 2, 3]")) })
    let request = Request.get("http://h/").with(\.bodyLimit, 4)
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await client.value(for: request, as: Self.compound([Self.json, Self.text]))
    }
    #expect(error.kind == .limit(.body))
  }

  @Test func theSerializersOfTheLibraryAreRecognised() async throws {
    enum Answer: Sendable, Equatable {
      case text(String)
      case json(JSONValue)
      case list([String])
    }
    let compound = CompoundResponseSerializer<Answer>(sniffing: true) {
      TextResponseSerializer(mode: .lossy).map(Answer.text)
      JSONValueResponseSerializer().map(Answer.json)
      PropertyListResponseSerializer([String].self).map(Answer.list)
    }
    let list = "<plist version=\"1.0\"><array><string>a</string></array></plist>"
    let utf16: [UInt8] = [0xFF, 0xFE, 0x5B, 0, 0x31, 0, 0x5D, 0]
    let answers: [(Bytes, Answer)] = [
      ("[1]", .json([1])), ("{\"a\": null}", .json(["a": .null])), (Bytes(utf16), .json([1])),
      (Bytes(list), .list(["a"])), ("<html>", .text("<html>")), ("[1", .text("[1")), ("1", .text("1")),
    ]
    for (body, answer) in answers {
      #expect(try await compound.serialize(Self.response(nil, .bytes(body))) == answer)
    }
  }
}
