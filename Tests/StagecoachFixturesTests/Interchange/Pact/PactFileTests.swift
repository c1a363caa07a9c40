import Foundation
import HTTPTypes
import Stagecoach
import Testing

@testable import StagecoachFixtures

/// Reading and writing of whole files.
@Suite struct PactFileTests {
  /// A file of version 2 with everything that the version has.
  static let version2 = """
    {
      "consumer": {"name": "web"},
      "provider": {"name": "users"},
      "interactions": [
        {
          "description": "a request for a user",
          "providerState": "user 42 exists",
          "request": {
            "method": "get",
            "path": "/users/42",
            "query": "verbose=true&tag=a&tag=b%20c",
            "headers": {"Accept": "application/json, text/plain"},
            "matchingRules": {
              "$.path": {"match": "regex", "regex": "/users/\\\\d+"},
              "$.query.tag[1]": {"match": "type"},
              "$.headers.Accept": {"regex": ".*json.*"}
            }
          },
          "response": {
            "status": 200,
            "headers": {"Content-Type": "application/json;charset=utf-8"},
            "body": {"id": 42.0, "name": "Ada", "tags": ["a"], "é": null, "text": "\\ud83d\\ude00"},
            "matchingRules": {
              "$.body.id": {"match": "type"},
              "$.body.tags": {"min": 1},
              "$.body['name']": {"match": "regex", "regex": "\\\\w+"}
            }
          }
        },
        {
          "description": "a request to add a user",
          "request": {
            "method": "POST",
            "path": "/users",
            "headers": {"Content-Type": "application/xml"},
            "body": "<?xml version=\\"1.0\\"?><user name=\\"Ada\\"/>"
          },
          "response": {"status": 201, "headers": {"Set-Cookie": "a=1, b=2"}, "body": ""}
        },
        {
          "description": "a picture",
          "request": {"method": "PUT", "path": "/p", "headers": {"Content-Type": "image/png"}, "body": "iVBORw0KGgo="},
          "response": {"status": 204, "body": null}
        },
        {
          "description": "texts",
          "request": {"method": "PUT", "path": "/t", "headers": {"Content-Type": "text/plain"}, "body": "{\\"a\\": 1}"},
          "response": {"status": 200, "headers": {"Content-Type": "application/json"}, "body": "\\"12\\""}
        }
      ],
      "metadata": {"pactSpecification": {"version": "2.0.0"}, "client": {"name": "x"}}
    }
    """

  static func file(_ text: String, _ path: String = "a.json") throws(PactError) -> PactFile {
    try PactFile(contents: Array(text.utf8), path: path)
  }

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
    let file = try Self.file(Self.version2)
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

  @Test func whatWasRead() throws {
    let file = try Self.file(Self.version2)
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

  @Test func formOfVersion4() throws {
    let text = String(decoding: try Self.file(Self.version2).serialized(as: .v4).bytes, as: UTF8.self)
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

  static let version4 = """
    {
      "consumer": {"name": "c", "team": "x"},
      "provider": {"name": "p"},
      "interactions": [
        {
          "type": "Synchronous/HTTP", "key": "abc", "description": "b", "pending": true,
          "comments": {"text": ["one", "two"], "testname": "t"}, "transport": "https",
          "interactionMarkup": {"markup": "# b", "markupType": "COMMON_MARK"}, "later": [1],
          "providerStates": [{"name": "s", "params": {"id": 1}}],
          "request": {"method": "GET", "path": "/b", "new": 1},
          "response": {"status": 200, "body": {"content": "AP8=", "contentType": "a/b", "encoded": "base64"}}
        },
        {"type": "Asynchronous/Messages", "description": "m", "contents": {"content": 1}},
        {
          "type": "Synchronous/HTTP", "description": "csv", "pluginConfiguration": {"csv": {}},
          "request": {"method": "GET", "path": "/a"}, "response": {"status": 200}
        }
      ],
      "metadata": {"pactSpecification": {"version": "4.0"}, "plugins": [{"name": "csv"}]},
      "_links": {}
    }
    """

  @Test func whatIsNotKnownIsKept() throws {
    let file = try Self.file(Self.version4)
    #expect(
      file.warnings == [
        #"interactions[0].request: the attribute "new" is not known; it is kept"#,
        #"interactions[0]: the attribute "later" is not known; it is kept"#,
        #"the file: the attribute "_links" is not known; it is kept"#,
      ]
    )
    #expect(file.unsupported.map(\.reason) == ["it is a message without HTTP", "it needs the plugin csv"])
    let bytes = try file.serialized(as: .v4).bytes
    let old = try JSONValue(parsing: Self.version4)
    let new = try JSONValue(parsing: bytes)
    for index in 0..<3 {
      let description = old["interactions"]?[index]?["description"]
      let written = new["interactions"]?.arrayValue?.first { $0["description"] == description }
      #expect(written?.sorted == old["interactions"]?[index]?.sorted)
    }
    for key in ["consumer", "provider", "_links", "metadata"] {
      #expect(new[key]?.sorted == old[key]?.sorted)
    }
    let error = #expect(throws: PactError.self) { try file.serialized(as: .v3) }
    #expect(error?.kind == .version)
    #expect(
      error?.description
        == #"a.json:13: version 3 cannot hold "m" (it is a message without HTTP): write version 4"#
    )
  }

  @Test func lossesOfVersion3AreNamed() throws {
    var file = try Self.file(Self.version4)
    file.entries.removeAll { if case .opaque = $0 { true } else { false } }
    #expect(
      try file.serialized(as: .v3).losses == [
        "\"b\" is pending or has comments, which need version 4",
        "the body of the response of \"b\" has no exact form in version 3; it is written as Base64",
      ]
    )
  }

  @Test func messagesOfVersion3BecomeInteractions() throws {
    let file = try Self.file(
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
  func version(metadata: String, version: PactVersion) throws {
    let text = #"{"consumer": {"name": "c"}, "provider": {"name": "p"}, "interactions": [], \#(metadata)}"#
    #expect(try Self.file(text).version == version)
  }

  @Test func regexesOfRubySearch() async throws {
    let text = """
      {"consumer": {"name": "c"}, "provider": {"name": "p"},
       "metadata": {"pactSpecification": {"version": "2.0.0"}, "pactRuby": {"version": "1"}},
       "interactions": [{"description": "d", "request": {"method": "GET", "path": "/a/1/b",
        "matchingRules": {"$.path": {"match": "regex", "regex": "/\\\\d/"}}}, "response": {"status": 200}}]}
      """
    let file = try Self.file(text)
    let rules = try file.rulesReader.rules(.object(file.requests[0].request.rules))
    let comparison = MessageComparison(rules: rules)
    #expect(comparison.mismatches(ComparedRequest(path: "/a/1/b"), ComparedRequest(path: "/x/2/y")).isEmpty)
    let replay = try ReplayTransport(file.scenario().scenario)
    #expect(try await Pipeline(over: replay) {}.send(.get("http://localhost/x/2/y")).status == .ok)
  }

  // MARK: Malformed files

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
    (interaction("1"), "a.json:3: interactions[1]: expected an object"),
    (interaction("{}"), #"a.json:3: interactions[1]: expected a text for "description""#),
    (interaction(#"{"description": "d"}"#), "a.json:3: interactions[1].request: expected an object"),
    (
      interaction(#"{"description": "d", "request": {"headers": []}, "response": {}}"#),
      "a.json:3: interactions[1].request.headers: expected an object"
    ),
    (
      interaction(#"{"description": "d", "request": {}, "response": {"status": -1}}"#),
      #"a.json:3: interactions[1].response: expected a number for "status""#
    ),
    (
      interaction(#"{"description":"d","request":{},"response":{},"providerStates":[{"params":{}}]}"#),
      #"a.json:3: interactions[1].providerStates[0]: expected a text for "name""#
    ),
    (
      interaction(#"{"description":"d","request":{},"response":{},"providerStates":1}"#),
      "a.json:3: interactions[1].providerStates: expected an array"
    ),
    (
      interaction(#"{"description":"d","comments":[],"request":{},"response":{}}"#),
      "a.json:3: interactions[1].comments: expected an object"
    ),
  ]

  /// A file whose second interaction, on line 3, is a text.
  private static func interaction(_ text: String) -> String {
    """
    {"consumer": {"name": "c"}, "provider": {"name": "p"}, "metadata": {"pactSpecification": {"version": "3"}},
     "interactions": [{"description": "\\"]", "request": {}, "response": {"status": 200, "body": [{}, "]"]}},
      \(text)]}
    """
  }

  @Test(arguments: malformed)
  func malformedFile(text: String, message: String) {
    let error = #expect(throws: PactError.self) { try Self.file(text) }
    #expect(error?.description.hasPrefix(message) == true, "\(error.map { "\($0)" } ?? "")")
  }

  @Test func limits() {
    let deep = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)
    let text = Self.interaction(#"{"description":"d","request":{"body":\#(deep)},"response":{}}"#)
    #expect(throws: PactError.self) { try Self.file(text) }
    let many = Array(repeating: "0", count: PactFileReader.greatestCount + 1).joined(separator: ",")
    let file = #"{"consumer": {"name": "c"}, "provider": {"name": "p"}, "interactions": [\#(many)]}"#
    let error = #expect(throws: PactError.self) { try Self.file(file) }
    #expect(error?.message == "interactions: there are more than 20000")
  }

  @Test func deepBodiesAreWrittenAsTexts() throws {
    let deep = String(repeating: "[", count: 180) + String(repeating: "]", count: 180)
    let file = try Self.file(
      Self.interaction(#"{"description":"d","request":{"body":\#(deep)},"response":{}}"#)
    )
    let again = try PactFile(contents: file.serialized(as: .v4).bytes, path: "b.json")
    #expect(Set(again.requests.map(\.request.message.body)) == Set(file.requests.map(\.request.message.body)))
  }

  @Test(arguments: [
    (
      #"{"description":"d","request":{"matchingRules":{"body":{"$.a":{"matchers":[{"match":"x"}]}}}},"response":{}}"#,
      #"interactions[1].request.matchingRules.body['$.a'].matchers[0]: unknown matcher "x""#
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
    let file = try Self.file(Self.interaction(text))
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
    #expect(throws: PactError.self) { try PactMock(file) }
    #expect(try file.scenario().notes == ["\"d\" is left out: its rules: \(message)"])
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
