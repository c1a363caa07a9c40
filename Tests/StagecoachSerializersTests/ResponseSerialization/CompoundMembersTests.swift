import HTTPTypes
import Stagecoach
import Testing

/// Compound serializers in compound ones, and what a compound one asks for.
@Suite struct CompoundMembersTests {
  private static func member(_ name: String, _ types: String..., fails: Bool = false) -> NamedMember {
    NamedMember(name, types, fails: fails)
  }

  private static func accept(of members: any ResponseSerializer<String>...) -> String {
    CompoundResponseSerializer(members: members).accepts.acceptField
  }

  @Test func acceptListsAllMembers() {
    let (json, text) = (Self.member("json", "application/json"), Self.member("text", "text/*", "*/*"))
    let (all, raw) = (Self.member("all"), Self.member("raw", "*/*"))
    let suffix = Self.member("suffix", "application/*+xml")
    #expect(Self.accept(of: json, text.weighted(0.5)) == "application/json, text/*;q=0.5, */*;q=0.05")
    #expect(Self.accept(of: all, json) == "*/*;q=0.1, application/json")
    #expect(Self.accept(of: json.weighted(0.2), all) == "application/json;q=0.2, */*;q=0.02")
    #expect(Self.accept(of: json, all.weighted(0.3)) == "application/json, */*;q=0.3")
    #expect(Self.accept(of: json, raw, all.weighted(0.3), raw) == "application/json, */*;q=0.3")
    #expect(Self.accept(of: json, all.weighted(0.3), all.weighted(0.4)) == "application/json, */*;q=0.4")
    #expect(Self.accept(of: json, json.weighted(0.5)) == "application/json")
    #expect(Self.accept(of: json.weighted(0.5), json.weighted(0.7)) == "application/json;q=0.7")
    #expect(Self.accept(of: json.weighted(0.001), text) == "application/json;q=0.001, text/*, */*;q=0.001")
    #expect(Self.accept(of: all, raw) == "*/*")
    #expect(Self.accept() == "*/*")
    // A member that has nothing but suffixes asks for those.
    #expect(Self.accept(of: json, suffix) == "application/json, application/*+xml")
  }

  @Test func whatOneExcludesAnotherMayRead() async throws {
    let compound = CompoundResponseSerializer(
      members: [Self.member("a", "text/*", "text/html;q=0"), Self.member("b", "*/*;q=0.2")]
    )
    #expect(compound.accepts.acceptField == "text/*, */*;q=0.2")
    #expect(compound.accepts.accepts(.html))
    let html = Response(.ok, fields: [.contentType: "text/html"], body: .bytes("x"))
    #expect(try await compound.serialize(html) == "b:x")
    let alone = CompoundResponseSerializer(members: [Self.member("a", "text/html;q=0")])
    await #expect(throws: ExchangeError.self) { _ = try await alone.serialize(html) }
  }

  @Test func nestedOnesAreFlattenedInOrder() async throws {
    let inner = CompoundResponseSerializer<String> {
      Self.member("b", "text/b", "*/*")
      Self.member("c", "text/c")
    }
    let outer = CompoundResponseSerializer<String> {
      Self.member("a", "text/a")
      inner.map { "inner \($0)" }.weighted(0.5)
      CompoundResponseSerializer(members: [inner.weighted(0.2).map { "deep \($0)" }])
      Self.member("d", "text/b")
    }
    #expect(outer.members.map(\.name) == ["a", "b", "c", "b", "c", "d"])
    #expect(outer.name == "Compound(a, b, c, b, c, d)")
    // Each member's own `*/*` is a tenth of what it names.
    #expect(outer.accepts.acceptField == "text/a, text/b, */*;q=0.05, text/c;q=0.5")
    let choices = [("text/a", "a:x"), ("text/b", "inner b:x"), ("text/c", "inner c:x"), ("x/y", "inner b:x")]
    for (type, output) in choices {
      let response = Response(.ok, fields: [.contentType: type], body: .bytes("x"))
      #expect(try await outer.serialize(response) == output)
    }
  }

  @Test func whatANestedMemberRefusesTheNextMayRead() async throws {
    let outer = CompoundResponseSerializer<String> {
      CompoundResponseSerializer(members: [Self.member("a", "text/a", fails: true)])
      CompoundResponseSerializer(members: [Self.member("b", "text/a", fails: true)])
      Self.member("c", "text/a")
    }
    let response = Response(.ok, fields: [.contentType: "text/a"], body: .bytes("x"))
    #expect(try await outer.serialize(response) == "c:x")
    let failing = CompoundResponseSerializer(members: Array(outer.members.dropLast()))
    let error = try await #require(throws: ExchangeError.self) { _ = try await failing.serialize(response) }
    #expect((error.underlying as? CompoundRefusal)?.description == "a: a cannot; b: b cannot")
  }

  @Test func nestedOnesOfAnyOutputAreFlattenedToo() async throws {
    let numbers = CompoundResponseSerializer<Int>(members: [JSONResponseSerializer(Int.self)])
    let any = CompoundResponseSerializer(anyOf: Self.member("a", "text/a"), numbers)
    #expect(any.members.map(\.name) == ["a", "JSONResponseSerializer<Int>"])
    let response = Response(.ok, fields: [.contentType: "application/json"], body: .bytes("7"))
    #expect(try await any.serialize(response) as? Int == 7)
  }

  // MARK: What AFNetworking's own tests left open

  /// [image, JSON] with a body of JSON: the object, and no error.
  @Test func aMemberForImagesDoesNotReadJSON() async throws {
    let compound = CompoundResponseSerializer(
      anyOf: DataResponseSerializer(accepting: Acceptance(mediaTypes: [.anyImage])),
      JSONResponseSerializer([String: Int].self)
    )
    let client = try Client(
      over: HandlerTransport { request in
        #expect(request.fields[.accept] == "image/*, application/json, text/json, text/javascript")
        return Response(.ok, fields: [.contentType: "application/json"], body: .bytes("{\"a\":1}"))
      }
    )
    #expect(try await client.value(for: .get("http://h/"), as: compound) as? [String: Int] == ["a": 1])
  }

  /// A member that reads anything hides none of the others.
  @Test func dataInFrontShadowsNothing() async throws {
    let compound = CompoundResponseSerializer(anyOf: .data, .jsonValue)
    let json = Response(.ok, fields: [.contentType: "application/json"], body: .bytes("[1]"))
    #expect(try await compound.serialize(json) as? JSONValue == [1])
    let image = Response(.ok, fields: [.contentType: "image/png"], body: .bytes("x"))
    #expect(try await compound.serialize(image) as? Bytes == "x")
  }

  /// The status is the error, the media type is underneath, and nothing is decoded.
  @Test(arguments: ["application/json", "image/png"])
  func aRefusedStatusIsAnErrorWhateverCouldBeRead(type: String) async throws {
    let client = try Client(
      over: HandlerTransport { _ in
        Response(.notFound, fields: [.contentType: type], body: .bytes("[1]"))
      }
    )
    let compound = CompoundResponseSerializer(members: [JSONValueResponseSerializer()])
    let error = await #expect(throws: ExchangeError.self) {
      try await client.value(for: .get("http://h/"), as: compound)
    }
    #expect(error?.kind == .status)
    #expect(error?.bodyPrefix == "[1]")
    #expect((error?.underlying as? ExchangeError)?.kind == (type == "image/png" ? .mediaType : nil))
  }
}
