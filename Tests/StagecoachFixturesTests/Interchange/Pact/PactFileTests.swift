import Foundation
import HTTPTypes
import Stagecoach
import Testing

@testable import StagecoachFixtures

/// Reading and writing of whole files.
@Suite struct PactFileTests {
  /// The interactions without the lines of their file, sorted.
  private func interactions(of file: PactFile) -> [PactInteraction] {
    file.requests.map { interaction in
      var interaction = interaction
      (interaction.line, interaction.key) = (nil, nil)
      // Version 1 keeps the text of a query, and methods are written in upper case.
      interaction.request.message.query.text = nil
      interaction.request.message.method = interaction.request.message.method.uppercased()
      return interaction
    }
    .sorted { $0.description < $1.description }
  }

  @Test(arguments: ConsumerContract.Version.allCases)
  func interactionsSurviveRewriting(as version: ConsumerContract.Version) throws {
    let file = try PactSamples.file(PactSamples.version2)
    let (bytes, losses) = try file.serialized(as: version)
    #expect(losses == [])
    let again = try PactFile(contents: bytes, path: "b.json")
    #expect(again.version == (version == .v3 ? .v3 : .v4))
    #expect(again.warnings == [])
    #expect(interactions(of: again) == interactions(of: file))
    #expect(again.metadata == file.metadata)
    // Written again, not a byte changes, and from version 3 to 4 neither.
    #expect(try again.serialized(as: version).bytes == bytes)
    #expect(try again.serialized(as: .v4).bytes == file.serialized(as: .v4).bytes)
  }

  @Test func readsInteractionsOfVersion2() throws {
    let file = try PactSamples.file(PactSamples.version2)
    let user = try #require(file.requests.first)
    #expect(user.states == [ProviderState("user 42 exists")])
    #expect(user.line == 5)
    #expect(
      user.request.message.query.parameters == [
        ComparedQuery.Parameter("verbose", "true"), ComparedQuery.Parameter("tag", "a"),
        ComparedQuery.Parameter("tag", "b c"),
      ]
    )
    #expect(
      user.request.rules == [
        "path": ["matchers": [["match": "regex", "regex": "/users/\\d+"]], "combine": "AND"],
        "query": ["$.tag[1]": ["matchers": [["match": "type"]], "combine": "AND"]],
        "header": ["Accept": ["matchers": [["match": "regex", "regex": ".*json.*"]], "combine": "AND"]],
      ]
    )
    #expect(user.response.rules["body"]?["$.tags"]?["matchers"] == [["match": "type", "min": 1]])
    let cookie = file.requests[1].response.message.fields
    #expect(cookie == [FieldLine("Set-Cookie", "a=1, b=2")])
    #expect(file.requests[1].response.message.body.content == .empty)
    #expect(file.requests[2].response.message.body.content == .null)
  }

  @Test func writesTheFormOfVersion4() throws {
    let text = String(
      decoding: try PactSamples.file(PactSamples.version2).serialized(as: .v4).bytes,
      as: UTF8.self
    )
    let expected = """
          {
            "type": "Synchronous/HTTP",
            "key": "2b183c66e5e45563",
            "description": "a picture",
            "pending": false,
            "request": {
              "method": "PUT",
              "path": "/p",
              "headers": {
                "Content-Type": [
                  "image/png"
                ]
              },
              "body": {
                "content": "iVBORw0KGgo=",
                "contentType": "image/png",
                "encoded": "base64"
              }
            },
            "response": {
              "status": 204,
              "body": {
                "content": null,
                "encoded": false
              }
            }
          },
      """
    #expect(text.contains(expected), "\(text)")
    #expect(text.hasSuffix("}\n"))
  }

  // MARK: What is only kept

  @Test func keepsUnknownAttributesWithAWarning() throws {
    let file = try PactSamples.file(PactSamples.version4)
    #expect(
      file.warnings == [
        #"interactions[0].request: the attribute "new" is not known; it is kept"#,
        #"interactions[0]: the attribute "later" is not known; it is kept"#,
        #"the file: the attribute "_links" is not known; it is kept"#,
      ]
    )
    #expect(file.unsupported.map(\.reason) == ["it is a message without HTTP", "it needs the plugin csv"])
    let bytes = try file.serialized(as: .v4).bytes
    let old = try JSONValue(parsing: PactSamples.version4)
    let new = try JSONValue(parsing: bytes)
    for index in 0..<3 {
      let description = old["interactions"]?[index]?["description"]
      let written = new["interactions"]?.arrayValue?.first { $0["description"] == description }
      #expect(written?.sorted == old["interactions"]?[index]?.sorted)
    }
    for key in ["consumer", "provider", "_links", "metadata"] {
      #expect(new[key]?.sorted == old[key]?.sorted)
    }
    let error = #expect(throws: ScenarioError.self) { try file.serialized(as: .v3) }
    #expect(error?.kind == .version)
    #expect(
      error?.description
        == #"a.json:13: version 3 cannot hold "m" (it is a message without HTTP): write version 4"#
    )
  }

  @Test func lossesOfVersion3AreNamed() throws {
    var file = try PactSamples.file(PactSamples.version4)
    file.entries.removeAll { if case .opaque = $0 { true } else { false } }
    #expect(
      try file.serialized(as: .v3).losses == [
        "\"b\" is pending or has comments, which need version 4",
        "the body of the response of \"b\" has no exact form in version 3; it is written as Base64",
      ]
    )
  }

  @Test func messagesOfVersion3BecomeInteractions() throws {
    let file = try PactSamples.file(
      """
      {"consumer": {"name": "c"}, "provider": {"name": "p"}, "metadata": {"pactSpecification": {"version": "3.0.0"}},
       "messages": [{"description": "m", "contents": {"a": 1}, "metadata": {"contentType": "application/json"}}]}
      """
    )
    #expect(file.unsupported.map(\.description) == ["m"])
    let kept = try JSONValue(parsing: file.serialized(as: .v3).bytes)
    #expect(kept["messages"]?[0]?["contents"] == ["a": 1])
    #expect(kept["interactions"] == nil)
    let moved = try JSONValue(parsing: file.serialized(as: .v4).bytes)
    #expect(moved["interactions"]?[0]?["type"] == "Asynchronous/Messages")
    #expect(
      moved["interactions"]?[0]?["contents"] == [
        "content": ["a": 1], "encoded": false, "contentType": "application/json",
      ]
    )
  }

  @Test(arguments: [
    (#""metadata": {"pactSpecification": {"version": "1.1.0"}}"#, PactVersion.v1point1),
    (#""metadata": {"pact-specification": {"version": "3.0"}}"#, .v3),
    (#""metadata": {"pactSpecificationVersion": "1.0.0"}"#, .v1),
    (#""metadata": {"pactSpecificationVersion": 2}"#, .v2),
    (#""metadata": {}"#, .v3), (#""a": 1"#, .v3),
  ])
  func readsTheVersionFromTheMetadata(metadata: String, version: PactVersion) throws {
    let text = #"{"consumer": {"name": "c"}, "provider": {"name": "p"}, "interactions": [], \#(metadata)}"#
    #expect(try PactSamples.file(text).version == version)
  }

  @Test func rubyExpressionsSearchAnywhere() async throws {
    let text = """
      {"consumer": {"name": "c"}, "provider": {"name": "p"},
       "metadata": {"pactSpecification": {"version": "2.0.0"}, "pactRuby": {"version": "1"}},
       "interactions": [{"description": "d", "request": {"method": "GET", "path": "/a/1/b",
        "matchingRules": {"$.path": {"match": "regex", "regex": "/\\\\d/"}}}, "response": {"status": 200}}]}
      """
    let file = try PactSamples.file(text)
    let rules = try file.rulesReader.rules(.object(file.requests[0].request.rules))
    let comparison = MessageComparison(rules: rules)
    #expect(comparison.mismatches(ComparedRequest(path: "/a/1/b"), ComparedRequest(path: "/x/2/y")).isEmpty)
    let replay = try ReplayTransport(file.scenario().scenario)
    #expect(try await Pipeline(over: replay) {}.send(.get("http://localhost/x/2/y")).status == .ok)
  }

  @Test func deepBodiesAreWrittenAsTexts() throws {
    let deep = String(repeating: "[", count: 180) + String(repeating: "]", count: 180)
    let file = try PactSamples.file(
      PactSamples.interaction(#"{"description":"d","request":{"body":\#(deep)},"response":{}}"#)
    )
    let again = try PactFile(contents: file.serialized(as: .v4).bytes, path: "b.json")
    #expect(Set(again.requests.map(\.request.message.body)) == Set(file.requests.map(\.request.message.body)))
  }

  @Test(
    .enabled(if: PactFiles.compatibility != nil),
    arguments: ["pact-broker_c1.json", "pact-broker_c2.json"]
  )
  func theBrokerFilesOfTheSuite(name: String) throws {
    let file = try PactFile(contents: FeatureFixtures.file(name), path: name)
    #expect(!file.requests.isEmpty)
    let again = try PactFile(contents: file.serialized(as: .v4).bytes, path: name)
    #expect(interactions(of: again).map(\.response) == interactions(of: file).map(\.response))
    #expect(interactions(of: again).map(\.request) == interactions(of: file).map(\.request))
  }
}

extension JSONValue {
  /// A text that does not depend on the order of members.
  fileprivate var sorted: String {
    String(decoding: serialized(WritingOptions(sortsKeys: true)), as: UTF8.self)
  }
}
