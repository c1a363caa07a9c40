import Stagecoach
import Testing

/// Media ranges from their text.
func ranges(_ texts: [String]) -> [MediaRange] {
  texts.map { MediaRange($0)! }
}

@Suite struct AcceptanceTests {
  @Test func theAcceptFieldAsksForTheTypes() {
    #expect(Acceptance.any.acceptField == "*/*")
    #expect(Acceptance(mediaTypes: []).acceptField == "*/*")
    #expect(Acceptance(mediaTypes: ranges(["text/plain"])).acceptField == "text/plain")
    #expect(Acceptance.json.acceptField.hasPrefix("application/json"))
  }

  @Test func undeclaredContentFitsOnlyWhereEverythingDoes() {
    let acceptances: [(Acceptance, Bool)] = [
      (.any, true), (.json, false), (Acceptance(mediaTypes: ranges(["text/plain"])), false),
      (Acceptance(mediaTypes: ranges(["text/plain", "*/*"])), true),
      (Acceptance(mediaTypes: ranges(["text/plain"]), acceptsUndeclared: true), true),
      (Acceptance(mediaTypes: ranges(["*/*"]), acceptsUndeclared: false), false),
      (Acceptance(acceptsUndeclared: false), false),
    ]
    for (acceptance, accepts) in acceptances { #expect(acceptance.accepts(nil as MediaType?) == accepts) }
  }

  @Test func statusesAreSetsOfRanges() {
    #expect((0..<1000).filter { Acceptance.any.accepts(status: $0) } == Array(200..<300))
    let some = Acceptance(statuses: [200..<201, 404..<405])
    #expect((0..<1000).filter { some.accepts(status: $0) } == [200, 404])
  }
}
