import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite struct CompoundResponseSerializerTests {
  private static func member(_ name: String, _ types: String..., fails: Bool = false) -> NamedMember {
    NamedMember(name, types, fails: fails)
  }

  private static func response(_ type: String?, _ body: Response.Body = .bytes("x")) -> Response {
    Response(.ok, fields: type.map { [.contentType: $0] } ?? [:], body: body)
  }

  private static let choices: [([NamedMember], String?, String)] = [
    ([member("json", "application/json"), member("xml", "application/xml")], "application/xml", "xml"),
    ([member("json", "application/json"), member("xml", "application/xml")], "application/json", "json"),
    (
      [member("xml", "application/*+xml"), member("json", "application/*+json")], "application/problem+json",
      "json"
    ),
    // How closely the declaration fits beats the order.
    ([member("any", "*/*"), member("text", "text/*"), member("plain", "text/plain")], "text/plain", "plain"),
    ([member("any", "*/*"), member("text", "text/*"), member("plain", "text/plain")], "text/html", "text"),
    ([member("any", "*/*"), member("text", "text/*"), member("plain", "text/plain")], "image/png", "any"),
    (
      [member("suffix", "application/*+json"), member("exact", "application/a+json")], "application/a+json",
      "exact"
    ),
    ([member("all"), member("json", "application/json")], "application/json", "json"),
    ([member("all"), member("json", "application/json")], "image/png", "all"),
    // Ties are tried in order, and the first that succeeds wins.
    ([member("a", "text/plain"), member("b", "text/plain")], "text/plain", "a"),
    ([member("a", "text/plain", fails: true), member("b", "text/plain")], "text/plain", "b"),
    ([member("all"), member("any", "*/*")], "image/png", "all"),
    // So is everything where nothing is declared, or nothing readable.
    ([member("json", "application/json"), member("any", "*/*")], nil, "json"),
    ([member("json", "application/json", fails: true), member("xml", "application/xml")], nil, "xml"),
    ([member("json", "application/json", fails: true), member("xml", "application/xml")], "garbage", "xml"),
  ]

  @Test(arguments: choices.indices)
  func theDeclaredTypeDecidesThenTheOrder(index: Int) async throws {
    let (members, type, chosen) = Self.choices[index]
    let compound = CompoundResponseSerializer(members: members)
    #expect(try await compound.serialize(Self.response(type)) == "\(chosen):x")
    let stream = Response.Body(source: ScriptedSource(chunks: ["x"]))
    #expect(try await compound.serialize(Self.response(type, stream)) == "\(chosen):x")
  }

  @Test func aSingleCandidateReadsTheStreamItself() async throws {
    struct Lazy: ResponseSerializer {
      let accepts = Acceptance(mediaTypes: ranges(["text/plain"]))
      func serialize(_ response: Response) async throws -> String { "unread" }
    }
    let source = ScriptedSource(chunks: ["x"])
    let compound = CompoundResponseSerializer<String> {
      Lazy()
      Self.member("json", "application/json")
    }
    #expect(
      try await compound.serialize(Self.response("text/plain", Response.Body(source: source))) == "unread"
    )
    #expect(source.pulls == 0)
  }

  @Test func noMemberForTheTypeIsAnErrorThatListsThem() async throws {
    let compound = CompoundResponseSerializer(
      members: [Self.member("a", "text/plain", "text/html"), Self.member("b", "application/json")]
    )
    #expect(compound.name == "Compound(a, b)")
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await compound.serialize(Self.response("image/png"))
    }
    #expect(error.kind == .mediaType)
    #expect(error.message == "no member of Compound(a, b) reads image/png")
    let refusal = try #require(error.underlying as? CompoundRefusal)
    #expect(refusal.refusals.map(\.serializer) == ["a", "b"])
    #expect(refusal.refusals[0].reason.contains("text/html"))
    #expect(refusal.refusals.allSatisfy { $0.error == nil })
    #expect(refusal.description.contains("b: accepts application/json"))
  }

  @Test func whatEveryMemberRefusedAndWhyIsInTheError() async throws {
    let compound = CompoundResponseSerializer<String> {
      Self.member("a", "text/plain", fails: true)
      JSONResponseSerializer(String.self)
      Self.member("c", "application/xml", fails: true)
    }
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await compound.serialize(Self.response(nil, .bytes("{")))
    }
    #expect(error.kind == .serialization)
    #expect(error.message == "every member of \(compound.name) refused the body")
    #expect(error.bodyPrefix == "{")
    let refusals = try #require(error.underlying as? CompoundRefusal).refusals
    #expect(refusals.map(\.serializer) == ["a", "JSONResponseSerializer<String>", "c"])
    #expect(refusals[0].reason == "a cannot")
    #expect(refusals[0].error as? Foreign == Foreign(text: "a cannot"))
    #expect(refusals[1].error is ExchangeError)
    #expect(refusals[1].reason.hasPrefix("the body is not valid JSON: "))
  }

  @Test func noMembersReadNothing() async throws {
    for type in [nil, "text/plain"] {
      let compound = CompoundResponseSerializer<String>(members: [])
      let error = try await #require(throws: ExchangeError.self) {
        _ = try await compound.serialize(Self.response(type))
      }
      #expect(error.kind == .mediaType)
    }
  }

  @Test func acceptsWhatAnyMemberDoes() {
    let some = CompoundResponseSerializer(
      members: [Self.member("a", "text/plain", "text/html"), Self.member("b", "text/html", "image/*")]
    )
    #expect(some.accepts.mediaTypes == ranges(["text/plain", "text/html", "image/*"]))
    #expect(some.accepts.acceptsUndeclared)
    #expect(some.accepts.statuses == [200..<300])
    let any = CompoundResponseSerializer(members: [Self.member("a", "text/plain"), Self.member("b")])
    #expect(any.accepts.mediaTypes.isEmpty)
    #expect(any.accepts.acceptField == "text/plain, */*;q=0.1")
  }

  @Test func aMemberReadsTheStatusesItDeclares() async throws {
    enum Answer: Sendable, Equatable {
      case user(Int)
      case problem(String)
    }
    let compound = CompoundResponseSerializer<Answer> {
      JSONResponseSerializer(Int.self).map { .user($0) }
      JSONResponseSerializer(
        JSONValue.self,
        accepting: Acceptance(mediaTypes: ranges(["application/json"]), statuses: [400..<500])
      ).map { .problem("\($0)") }
    }
    #expect(compound.accepts.statuses == [200..<300, 400..<500])
    for (status, answer) in [(HTTPResponse.Status.ok, Answer.user(7)), (.notFound, .problem("7"))] {
      let transport = HandlerTransport { _ in
        Response(status, fields: [.contentType: "application/json"], body: .bytes("7"))
      }
      #expect(try await Client(over: transport).value(for: .get("http://h/"), as: compound) == answer)
    }
  }

  @Test func membersMapIntoOneType() async throws {
    enum Answer: Sendable, Equatable {
      case number(Int)
      case note(String)
    }
    let compound = CompoundResponseSerializer<Answer> {
      JSONResponseSerializer(Int.self).map { .number($0) }
      TextResponseSerializer().map { .note($0) }
    }
    let answers: [(String?, Bytes, Answer)] = [
      ("application/json", "7", .number(7)), ("text/plain", "7", .note("7")), ("image/png", "x", .note("x")),
      (nil, "7", .number(7)), (nil, "seven", .note("seven")), (nil, "", .note("")),
    ]
    for (type, body, answer) in answers {
      #expect(try await compound.serialize(Self.response(type, .bytes(body))) == answer)
    }
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await compound.serialize(Self.response("application/json", .bytes("seven")))
    }
    #expect(error.message.contains("not valid JSON"))
  }

  @Test func anyOutputIsForTheCallerToCast() async throws {
    let compound = CompoundResponseSerializer(
      anyOf: JSONResponseSerializer([String: Int].self),
      TextResponseSerializer(),
      DataResponseSerializer()
    )
    let json = try await compound.serialize(Self.response("application/json", .bytes(#"{"a":1}"#)))
    #expect(json as? [String: Int] == ["a": 1])
    #expect(try await compound.serialize(Self.response("text/plain")) as? String == "x")
    #expect(compound.members.count == 3)
  }

  @Test(arguments: [true, false])
  func theBuilderTakesConditions(flag: Bool) async throws {
    let compound = CompoundResponseSerializer<String> {
      if flag { Self.member("optional", "text/a") }
      if flag { Self.member("first", "text/b") } else { Self.member("second", "text/c") }
    }
    #expect(compound.members.map(\.name) == (flag ? ["optional", "first"] : ["second"]))
  }

  @Test func cancellationInsideAMemberIsNotARefusal() async throws {
    struct Cancelled: ResponseSerializer {
      let accepts = Acceptance.any
      func serialize(_ response: Response) async throws -> String { throw CancellationError() }
    }
    let compound = CompoundResponseSerializer<String> {
      Cancelled()
      Self.member("b")
    }
    await #expect(throws: CancellationError.self) { _ = try await compound.serialize(Self.response(nil)) }
  }

  @Test(arguments: [HTTPResponse.Status.noContent, .ok])
  func theTypeOfNoContentSaysNothing(status: HTTPResponse.Status) async throws {
    let compound = CompoundResponseSerializer(members: [Self.member("json", "application/json")])
    let response = Response(status, fields: [.contentType: "text/html"])
    #expect(try await compound.serialize(response) == "json:")
  }

  @Test func refusalsDoNotKeepTheBody() async throws {
    let compound = CompoundResponseSerializer<Int> {
      for type in [Int.self, Int.self] { JSONResponseSerializer(type) }
    }
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await compound.serialize(Self.response("application/json", .bytes("no")))
    }
    let refusals = try #require((error.underlying as? CompoundRefusal)?.refusals)
    #expect(refusals.count == 2)
    #expect(refusals.allSatisfy { ($0.error as? ExchangeError)?.bodyPrefix.isEmpty == true })
    #expect(error.bodyPrefix == "no")
  }
}
