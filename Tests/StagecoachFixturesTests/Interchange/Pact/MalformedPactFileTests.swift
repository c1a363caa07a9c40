import StagecoachCore
import Testing

@testable import StagecoachFixtures

/// Files that are refused, and interactions that are only kept.
@Suite struct MalformedPactFileTests {
  static let malformed: [(String, String)] = [
    ("", "a.json:1: "), ("[]", "a.json:1: the file: expected an object"),
    (#"{"consumer": {"name": "c"}}"#, "a.json:1: provider: expected an object"),
    (#"{"consumer": {}, "provider": {}}"#, #"a.json:1: consumer: expected a text for "name""#),
    (
      #"{"consumer": {"name": "c"}, "provider": {"name": "p"}}"#,
      "a.json:1: interactions: expected an array"
    ),
    (
      #"{"consumer": {"name": "c"}, "provider": {"name": "p"}, "interactions": {}}"#,
      "a.json:1: interactions: expected an array"
    ),
    (
      #"{"consumer":{"name":"c"},"provider":{"name":"p"},"interactions":[],"metadata":{"pactSpecification":{"version":"5"}}}"#,
      "a.json:1: metadata: version \"5\" of the specification is not known; versions 1 to 4 are read"
    ),
    (PactSamples.interaction("1"), "a.json:3: interactions[1]: expected an object"),
    (PactSamples.interaction("{}"), #"a.json:3: interactions[1]: expected a text for "description""#),
    (
      PactSamples.interaction(#"{"description": "d"}"#),
      "a.json:3: interactions[1].request: expected an object"
    ),
    (
      PactSamples.interaction(#"{"description": "d", "request": {"headers": []}, "response": {}}"#),
      "a.json:3: interactions[1].request.headers: expected an object"
    ),
    (
      PactSamples.interaction(#"{"description": "d", "request": {}, "response": {"status": -1}}"#),
      #"a.json:3: interactions[1].response: expected a number for "status""#
    ),
    (
      PactSamples.interaction(
        #"{"description":"d","request":{},"response":{},"providerStates":[{"params":{}}]}"#
      ),
      #"a.json:3: interactions[1].providerStates[0]: expected a text for "name""#
    ),
    (
      PactSamples.interaction(#"{"description":"d","request":{},"response":{},"providerStates":1}"#),
      "a.json:3: interactions[1].providerStates: expected an array"
    ),
    (
      PactSamples.interaction(#"{"description":"d","comments":[],"request":{},"response":{}}"#),
      "a.json:3: interactions[1].comments: expected an object"
    ),
  ]

  @Test(arguments: malformed)
  func refusesAMalformedFile(text: String, message: String) {
    let error = #expect(throws: ScenarioError.self) { try PactSamples.file(text) }
    #expect(error?.description.hasPrefix(message) == true, "\(error.map { "\($0)" } ?? "")")
  }

  @Test func refusesDeepAndLongFiles() {
    let deep = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)
    let text = PactSamples.interaction(#"{"description":"d","request":{"body":\#(deep)},"response":{}}"#)
    #expect(throws: ScenarioError.self) { try PactSamples.file(text) }
    let many = Array(repeating: "0", count: PactFileReader.greatestCount + 1).joined(separator: ",")
    let file = #"{"consumer": {"name": "c"}, "provider": {"name": "p"}, "interactions": [\#(many)]}"#
    let error = #expect(throws: ScenarioError.self) { try PactSamples.file(file) }
    #expect(error?.message == "interactions: there are more than 20000")
  }

  @Test(arguments: [
    (
      #"{"description":"d","request":{"matchingRules":{"body":{"$.a":{"matchers":[{"match":"x"}]}}}},"response":{}}"#,
      #"interactions[1].request.matchingRules.body['$.a'].matchers[0]: unknown matcher "x", expected one of "#
        + Matcher.conditions.map(\.name).joined(separator: ", ")
    ),
    (
      #"{"description":"d","request":{},"response":{"matchingRules":{"body":{"$.a[":{"match":"type"}}}}}"#,
      #"interactions[1].response.matchingRules.body['$.a[']: invalid path "$.a[" at offset 4: "#
        + "expected an index, '*' or a quoted key"
    ),
    (
      #"{"description":"d","request":{"generators":{"body":{"$.a":{"type":"X"}}}},"response":{}}"#,
      #"interactions[1].request.generators.body['$.a']: unknown generator "X""#
    ),
    (
      #"{"description":"d","request":{"matchingRules":[1]},"response":{}}"#,
      "interactions[1].request.matchingRules: expected an object"
    ),
  ])
  func malformedRulesAreKeptAndReported(text: String, message: String) throws {
    let file = try PactSamples.file(PactSamples.interaction(text))
    #expect(file.warnings == ["\(message); the interaction is only kept"])
    #expect(file.interactions.map(\.obstacle) == [nil, message])
    #expect(file.interactions[1].line == 3)
    let again = try PactFile(contents: file.serialized(as: .v4).bytes, path: "b.json")
    let old = try JSONValue(parsing: text)
    let written = try JSONValue(parsing: again.serialized(as: .v4).bytes)["interactions"]?[1]
    for part in ["request", "response"] {
      for key in ["matchingRules", "generators"] {
        #expect(written?[part]?[key] == old[part]?[key])
      }
    }
    #expect(throws: ScenarioError.self) { try PactMock(file) }
    #expect(try file.scenario().notes == ["\"d\" is left out: its rules: \(message)"])
  }
}
