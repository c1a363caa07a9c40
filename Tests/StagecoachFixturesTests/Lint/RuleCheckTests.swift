import Foundation
import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@testable import StagecoachFixtures

@Suite struct RuleCheckTests {
  /// The findings in a folder, without its path.
  private func findings(_ scenario: Scenario, _ folder: ScratchDirectory) throws -> [String] {
    try scenario.write(folder: folder.path + "/s")
    return try ScenarioLint(folder: folder.path).findings.map { $0.replacing(folder.path, with: "") }
  }

  @Test func reportsAnUnknownCondition() throws {
    var exchange = contractExchange(answer: #"{"a": 1}"#, expect: [.init("body$.a", "uuid")])
    exchange.match = [.init("path", "equality")]
    let folder = try ScratchDirectory()
    let scenario = contractScenario(exchange)
    let found = try findings(scenario, folder)
    let manifest = try String(contentsOfFile: folder.path + "/s/scenario.json", encoding: .utf8)
    let lines = manifest.split(separator: "\n", omittingEmptySubsequences: false)
    let line = try #require(lines.firstIndex { $0.contains("uuid") }) + 1
    let known = Matcher.conditions.map(\.name).joined(separator: ", ")
    let text =
      "/s/scenario.json:\(line): expect of exchange 01: body$.a: unknown matcher \"uuid\", expected one of \(known)"
    #expect(found == [text])
    let errors = [
      #expect(throws: ScenarioError.self) { try ReplayTransport(folder: folder.path + "/s") },
      #expect(throws: ScenarioError.self) { try Verification(contract: folder.path, against: service("")) },
    ]
    #expect(errors.map { $0?.description.replacing(folder.path, with: "") } == [text, text])
  }

  @Test func reportsAnExpressionThatIsNotLinear() throws {
    var exchange = contractExchange(
      answer: #"{"a": 1}"#,
      expect: [.init("body$.a", ["match": "regex", "regex": #"(\w)\1"#])]
    )
    exchange.match = [.init("path", ["match": "regex", "regex": "/(?!x).*"])]
    let folder = try ScratchDirectory()
    let found = try findings(contractScenario(exchange), folder).map {
      $0.split(separator: ": ", maxSplits: 1).last ?? ""
    }
    let path =
      "match of exchange 01: path: the regular expression '/(?!x).*' is not supported - it has look-ahead at offset 3; "
      + "write it without"
    let body =
      #"expect of exchange 01: body$.a: the regular expression '(\w)\1' is not supported - it has a back reference at "#
      + "offset 5; write it without"
    #expect(found == [path[...], body[...]])
    for text in [
      #expect(throws: ScenarioError.self) { try ReplayTransport(folder: folder.path + "/s") },
      #expect(throws: ScenarioError.self) { try Verification(contract: folder.path, against: service("")) },
    ] { #expect(text?.description.hasSuffix(path) == true) }
  }

  @Test func everyConditionIsKnownAndDescribed() throws {
    let members: JSONObject = [
      "regex": "a", "value": "image/png", "status": "success", "variants": [], "rules": [],
    ]
    let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
    let article = try String(
      contentsOf: root.appending(
        path: "Sources/StagecoachFixtures/StagecoachFixtures.docc/Record-and-replay.md"
      ),
      encoding: .utf8
    )
    let schema = try String(
      contentsOf: root.appending(path: "Fixtures/Schema/scenario-1.schema.json"),
      encoding: .utf8
    )
    for (name, text) in Matcher.conditions {
      var matcher = members
      matcher["match"] = .string(name)
      #expect(throws: Never.self) { try PactMatcherReader().matcher(.object(matcher), at: "") }
      let shown = text.split(separator: "\"").joined(separator: "`")
      #expect(article.contains("| `\(name)` | \(text.hasSuffix("\"") ? shown + "`" : shown) |"), "\(name)")
      #expect(schema.contains(", \(name)") || schema.contains(": \(name)"), "\(name)")
    }
  }

  @Test func reportsRulesForMissingPlaces() async throws {
    var exchange = contractExchange(
      "01",
      "http://service/users?page=1",
      body: "{}",
      fields: [.vary: "Accept"],
      answer: #"{"a": {"b": [{"c": 1}], "none": []}}"#,
      expect: [
        "body$.a.b[*].c", "body$.a.none[*].x", "body$", "header.vary", "status",
        "body$.a.d", "body$.a.b[*].d", "header.ETag",
      ].map { .init($0, $0 == "status" ? "number" : "type") }
    )
    exchange.match = [
      .init("query.page", "type"), .init("query.size", "type"), .init("header.X-A", "notEmpty"),
    ]
    var scenario = contractScenario(exchange)
    scenario.defaults = [.init("header.X-B", "notEmpty")]
    let folder = try ScratchDirectory()
    let found = try findings(scenario, folder).map { $0.split(separator: ": ", maxSplits: 1).last ?? "" }
    let end = "has no such place, so the rule changes nothing"
    #expect(
      found == [
        "match of exchange 01: query.size: the recorded request \(end)",
        "match of exchange 01: header.X-A: the recorded request \(end)",
        "expect of exchange 01: body$.a.d: the recorded reply \(end)",
        "expect of exchange 01: body$.a.b[*].d: the recorded reply \(end)",
        "expect of exchange 01: header.ETag: the recorded reply \(end)",
      ]
    )
    let live = service(fields: [.vary: "x"], #"{"a": {"b": [{"c": 2}], "none": []}}"#)
    let report = try await Verification(contract: folder.path, against: live).run()
    #expect(
      report.isAgreed && report.exchanges[0].warnings == found.suffix(3).map { String($0) },
      "\(report)"
    )
  }

  @Test(arguments: [
    ("application/xml", "<a><b id='1'/></a>", ["body/a/b/@id", "body/a/b"], ["body/a/c", "body/a/b/@no"]),
    ("application/x-www-form-urlencoded", "a=1", ["body$.a", "body$"], ["body$.b"]),
    ("text/plain", "text", ["body$"], ["body$.a"]),
    ("multipart/form-data; boundary=x", "--x--", ["body$.a"], []),
  ])
  func findsMissingPlacesInEveryFormat(
    _ type: String,
    _ content: String,
    _ there: [String],
    _ missing: [String]
  ) {
    let rules = (there + missing).map { Scenario.Rule($0, "type") }
    let exchange = contractExchange(type: type, answer: content)
    #expect(RuleCheck.unusedPlaces(of: rules, in: exchange, "expect").map(\.place) == missing)
  }

  /// A rule for all that an empty value would hold has a place, as one deeper in the content has.
  @Test func anEmptyValueHasThePlacesOfWhatItWouldHold() {
    for (content, place, isThere) in [
      ("{}", "body$.*", true), ("{}", "body$.*.id", true), ("{}", "body$.a", false),
      ("[]", "body$[*].a", true),
      (#"{"a":{}}"#, "body$.a.*", true), (#"{"a":{}}"#, "body$.a.b", false),
    ] {
      let rules: [Scenario.Rule] = [.init(place, "type")]
      let unused = RuleCheck.unusedPlaces(of: rules, in: contractExchange(answer: content), "expect")
      #expect(unused.isEmpty == isThere, "\(content) \(place)")
    }
  }

  /// A place of XML is called as a comparison calls it, with the namespace of an attribute.
  @Test func anAttributeIsNamedWithItsNamespace() {
    let answer = "<r xmlns:p='urn:n' p:id='1' n='2'/>"
    let exchange = contractExchange(type: "application/xml", answer: answer)
    for (place, isThere) in [
      ("body$.r['@urn:n:id']", true), ("body$.r['@id']", false), ("body$.r['@n']", true),
      ("body$.r['@urn:n:n']", false),
    ] {
      let unused = RuleCheck.unusedPlaces(of: [.init(place, "type")], in: exchange, "expect")
      #expect(unused.isEmpty == isThere, "\(place)")
    }
  }
}
