import Stagecoach
import TestSupport
import Testing

@Suite struct AcceptanceTests {
  @Test func theAcceptFieldAsksForTheTypes() {
    #expect(Acceptance.any.acceptField == "*/*")
    #expect(Acceptance(mediaTypes: []).acceptField == "*/*")
    #expect(Acceptance(mediaTypes: ranges(["text/plain"])).acceptField == "text/plain")
    #expect(Acceptance.json.acceptField.hasPrefix("application/json"))
  }

  @Test(
    arguments: [
      // Suffix ranges are none of the standard, and left out where others remain.
      (["application/json", "application/*+json;q=0.9"], "application/json"),
      (["application/*+json"], "application/*+json"),
      (["application/*+json", "application/*+xml;q=0.5"], "application/*+json, application/*+xml;q=0.5"),
      (["*/*+xml;q=0.5"], "application/*+xml;q=0.5"), (["text/xml", "*/*+xml"], "text/xml"),
      // Everything is less welcome than what is named, unless a weight says otherwise.
      (["text/plain", "*/*"], "text/plain, */*;q=0.1"), (["*/*", "text/plain"], "*/*;q=0.1, text/plain"),
      (["text/a;q=0.5", "text/b", "*/*"], "text/a;q=0.5, text/b, */*;q=0.05"),
      (["text/a;q=0.001", "*/*"], "text/a;q=0.001, */*;q=0.001"),
      (["text/a", "*/*;q=0.7"], "text/a, */*;q=0.7"), (["text/a", "*/*;q=1"], "text/a, */*"),
      (["text/a;q=0", "*/*"], "text/a;q=0, */*"), (["*/*"], "*/*"), (["text/a;q=1.000"], "text/a"),
    ] as [([String], String)]
  )
  func writesTheAcceptField(types: [String], field: String) {
    #expect(Acceptance(mediaTypes: ranges(types)).acceptField == field)
  }

  @Test func aWeightOfZeroExcludes() {
    let acceptance = Acceptance(mediaTypes: ranges(["text/*", "text/html;q=0", "text/html;level=1"]))
    #expect(acceptance.accepts(.plainText))
    #expect(!acceptance.accepts(.html))
    #expect(acceptance.accepts(MediaType("text/html;level=1")))
    #expect(!Acceptance(mediaTypes: ranges(["*/*;q=0"])).accepts(nil as MediaType?))
    #expect(Acceptance(mediaTypes: ranges(["*/*;q=0.1"])).accepts(nil as MediaType?))
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
