import HTTPTypes
import Stagecoach
import Testing

@testable import StagecoachFixtures

/// A planted difference of each class is found, and classed.
struct DriftTests {
  private static let recorded = """
    {"id":42,"name":"Ada","tags":["a","b"],"state":"ACTIVE","mail":"ada@example.com","items":[{"n":1},{"n":2}]}
    """

  /// What a difference is in short: class, place, and `!` if it is a mismatch.
  private func short(_ exchange: VerificationReport.Exchange) -> [String] {
    exchange.differences.map { "\($0.drift.rawValue) \($0.place)\($0.isMismatch ? " !" : "")" }
  }

  private func drift(_ old: String, _ new: String, expect rules: [Scenario.Rule] = []) async throws
    -> [String]
  {
    let answer = Self.recorded.replacing(old, with: new)
    try #require(answer != Self.recorded)
    let exchange = contractExchange(answer: Self.recorded, expect: rules)
    return short(try await verify(exchange, against: service(answer)))
  }

  @Test func equalRepliesHaveNoDifferences() async throws {
    let result = try await verify(contractExchange(answer: Self.recorded), against: service(Self.recorded))
    #expect(result.outcome == .agreed && result.differences.isEmpty)
  }

  @Test func newMembersAndFieldsAreCompatible() async throws {
    #expect(try await drift(#""id""#, #""age":7,"id""#) == ["compatible body $.age"])
    #expect(try await drift(#"{"n":1}"#, #"{"n":1,"k":{}}"#) == ["compatible body $.items[0].k"])
    let exchange = contractExchange(fields: [.date: "yesterday", .server: "a"], answer: "{}")
    let live = service(fields: [.init("X-Extra")!: "1", .date: "today"], "{}")
    let result = try await verify(exchange, against: live)
    #expect(short(result) == ["compatible header X-Extra"] && result.outcome == .agreed)
  }

  @Test func missingMembersFieldsAndOtherTypesAreBreaking() async throws {
    #expect(try await drift(#""name":"Ada","#, "") == ["breaking body $ !"])
    #expect(try await drift("42", #""42""#) == ["breaking body $.id !"])
    #expect(try await drift(#"["a","b"]"#, #"{"a":1}"#) == ["breaking body $.tags !"])
    #expect(try await drift(#",{"n":2}"#, "").contains("breaking body $.items !"))
    let two: [Scenario.Rule] = [.init("body$.tags", ["match": "type", "min": 2])]
    #expect(try await drift(#"["a","b"]"#, #"["x"]"#, expect: two) == ["breaking body $.tags !"])
    #expect(try await drift(#"["a","b"]"#, #"["x","y","z"]"#, expect: two) == [])

    let rule = [Scenario.Rule("header.X-Page", "integer")]
    let paged = contractExchange(fields: [.init("X-Page")!: "1"], answer: "{}", expect: rule)
    #expect(short(try await verify(paged, against: service("{}"))) == ["breaking header X-Page !"])
    let result = try await verify(
      contractExchange(answer: "{}"),
      against: service(status: 500, type: "text/html", "<p>")
    )
    #expect(short(result) == ["breaking status !", "breaking header Content-Type !", "breaking body $ !"])
    #expect(result.outcome == .broken)
    #expect(result.differences[0].message == "recorded 200, now 500")
  }

  @Test func nullOtherValuesAndAnotherOrderAreRisky() async throws {
    #expect(try await drift(#""Ada""#, "null") == ["risky body $.name !"])
    #expect(try await drift("42", "43") == ["risky body $.id !"])
    #expect(try await drift(#"["a","b"]"#, #"["b","a"]"#) == ["risky body $.tags !"])
    // Rules that allow it leave it a note.
    let type = [Scenario.Rule("body$", "type")]
    #expect(try await drift("ACTIVE", "LOCKED_OUT", expect: type) == ["risky body $.state"])
    #expect(try await drift(#""Ada""#, #""Grace""#, expect: type) == [])
    let free = [Scenario.Rule("body$.mail", ["match": "regex", "regex": "null|.*@.*"])]
    #expect(try await drift(#""ada@example.com""#, "null", expect: free) == ["risky body $.mail"])
    let lost = contractExchange(fields: [.cacheControl: "no-store"], answer: "{}")
    #expect(short(try await verify(lost, against: service("{}"))) == ["risky header Cache-Control"])
  }

  @Test func repeatedWordsCountAsAnEnumeration() async throws {
    let exchange = contractExchange(
      answer: #"[{"s":"open"},{"s":"closed"},{"s":"open"}]"#,
      expect: [.init("body$", "type")]
    )
    let live = service(#"[{"s":"open"},{"s":"merged"},{"s":"merged"}]"#)
    #expect(short(try await verify(exchange, against: live)) == ["risky body $[1].s"])
  }

  @Test func otherFormatsAreClassedByTheirMismatches() async throws {
    let xml = contractExchange(type: "application/xml", answer: "<a><b>1</b><c/></a>")
    let result = try await verify(xml, against: service(type: "application/xml", "<a><b>2</b></a>"))
    #expect(Set(short(result)) == ["breaking body $.a !", "risky body $.a.b['#text'] !"], "\(short(result))")
    let grown = "<a x='1'><b y='2'>1</b><c/><d>4</d></a>"
    let more = try await verify(xml, against: service(type: "application/xml", grown))
    #expect(
      short(more) == ["compatible body $.a.b['@y']", "compatible body $.a['@x']", "compatible body $.a.d"]
    )
    let form = contractExchange(type: "application/x-www-form-urlencoded", answer: "a=1")
    let other = try await verify(form, against: service(type: "application/x-www-form-urlencoded", "a=1&b=2"))
    #expect(short(other) == ["compatible body $.b"])
    let text = contractExchange(type: "text/plain", answer: "hello")
    #expect(short(try await verify(text, against: service(type: "text/plain", "bye"))) == ["risky body $ !"])
    let broken = try await verify(contractExchange(answer: "{}"), against: service("{"))
    #expect(short(broken) == ["breaking body $ !"])
  }

  @Test func aHostileReplyIsBounded() async throws {
    let members = (0..<20_000).map { "\"\($0)\":\($0)" }.joined(separator: ",")
    let exchange = contractExchange(answer: #"{"a":[1,2,3]}"#)
    let many = try await verify(exchange, against: service("{\"a\":[1,2,3],\(members)}"))
    #expect(many.outcome == .agreed && many.differences.count <= 500)
    let deep = String(repeating: "[", count: 100_000)
    #expect(try await verify(exchange, against: service(deep)).outcome == .broken)
  }
}
