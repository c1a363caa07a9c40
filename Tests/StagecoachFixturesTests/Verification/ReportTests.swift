import Foundation
import HTTPTypes
import Stagecoach
import StagecoachXML
import TestSupport
import Testing

@testable import StagecoachFixtures

/// What each report says of the same verification: one exchange of each outcome, with hostile texts.
struct ReportTests {
  static let hostile = "</script><script>hacked=1</script>\" onload='hacked=1' ]]> \u{1}\u{202e}&amp;"

  /// The report, of a scenario in a folder.
  static func report(in folder: String) async throws -> VerificationReport {
    var scenario = contractScenario(
      contractExchange("01", "http://service/good", answer: #"{"a":1}"#),
      contractExchange("02", "http://service/bad", answer: #"{"a":1,"b":"x","c":[1,2]}"#),
      contractExchange("03", "http://service/html", type: "text/html", answer: "<p>"),
      contractExchange("04", "http://service/lost", answer: "{}"),
      contractExchange("05", "http://service/cut", answer: "{}")
    )
    scenario.exchanges[4].reply.outcome = .init(.reset)
    let place = folder + "/a <&>'s scenario"
    try scenario.write(folder: place)
    let hostile = JSONValue.string(Self.hostile)
    let live = HandlerTransport { request in
      switch request.head.path {
      case "/good":
        return Response(.ok, fields: [.contentType: "application/json"], body: .bytes(#"{"a":1,"new":null}"#))
      case "/bad":
        return Response(
          .ok,
          fields: [.contentType: "application/json", .init("X-Evil")!: "<img src=x onerror=hacked=1>"],
          body: .bytes(Bytes("{\"a\":\"1\",\"b\":\(hostile),\(hostile):1}"))
        )
      case "/html":
        let page = "<svg onload=hacked=1><img src=x onerror=hacked=1><script>hacked=1</script>"
        return Response(.ok, fields: [.contentType: "text/html"], body: .bytes(Bytes(page)))
      case "/lost": throw ExchangeError(.connectionReset, "the peer <b>reset</b> the connection")
      default: return Response(.notFound)
      }
    }
    return try await Verification(contract: folder, against: live).run()
  }

  private func report() async throws -> VerificationReport {
    let folder = try ScratchDirectory()
    return try await Self.report(in: folder.path)
  }

  @Test func textNamesTheDifferences() async throws {
    let exchange = contractExchange("01", answer: #"{"a":1,"b":2}"#)
    var report = try await Verification(
      [contractScenario(exchange)],
      against: service(status: 201, #"{"a":"1","c":3}"#)
    ).run()
    report.exchanges[0].timing = nil
    #expect(
      "\(report)" == """
        users
          broken      01  GET /users/42
              Response status did not match
              breaking  status: recorded 200, now 201
              Body had differences
              breaking  body $: Actual map is missing the following keys: b
              breaking  body $.a: recorded 1, now "1"
              compatible  body $.c: There is a new member 'c'
        1 exchange: 1 broken
        """
    )
    let painted = TextReport(report) { "<\($0)>\($1)" }.text
    #expect(painted.contains("<bad>broken") && painted.contains("<faint>compatible"))
    let lines = "\(try await self.report())".split(separator: "\n")
    #expect(lines.last == "5 exchanges: 1 agreed, 2 broken, 1 unanswered, 1 skipped")
    #expect(!lines.joined().unicodeScalars.contains { $0.value < 0x20 || $0 == "\u{202e}" })
  }

  @Test func jsonHoldsEverything() async throws {
    let json = try JSONValue(parsing: try await report().serialized(as: .json))
    #expect(
      json["agreed"] == false && json["summary"]?["broken"] == 2
        && json["format"] == "stagecoach-verification/1"
    )
    let exchanges = try #require(json["exchanges"]?.arrayValue)
    #expect(exchanges.map { $0["outcome"] } == ["agreed", "broken", "broken", "unanswered", "skipped"])
    #expect(exchanges[1]["request"]?["start"] == "GET http://service/bad")
    #expect(exchanges[1]["reply"]?["start"] == "200 OK" || exchanges[1]["reply"]?["start"] == "200")
    let body = try #require(exchanges[1]["reply"]?["body"]?.stringValue)
    #expect(try JSONValue(parsing: body)["b"]?.stringValue == Self.hostile)
    let difference = try #require(exchanges[1]["differences"]?[0])
    #expect(difference["mismatch"] == true && difference["drift"] == "breaking")
    #expect(exchanges[1]["timing"]?["chunks"]?[0]?[1] == .number(JSONNumber(bodyCount)))
    #expect(exchanges[4]["timing"] == nil)
  }

  private var bodyCount: Int {
    let hostile = JSONValue.string(Self.hostile)
    return "{\"a\":\"1\",\"b\":\(hostile),\(hostile):1}".utf8.count
  }

  @Test func junitIsXMLWithACaseForEachExchange() async throws {
    let document = try XML.Document(parsing: Bytes(try await report().serialized(as: .junit)))
    let suite = try #require(document.root.elements.first)
    #expect(document.root.localName == "testsuites" && suite.localName == "testsuite")
    #expect(suite.attribute("tests") == "5" && suite.attribute("failures") == "2")
    #expect(suite.attribute("errors") == "1" && suite.attribute("skipped") == "1")
    #expect(suite.attribute("name")?.hasSuffix("a <&>'s scenario") == true)
    let cases = suite.elements
    #expect(cases.map { $0.attribute("name") ?? "" }.map { $0.prefix(2) } == ["01", "02", "03", "04", "05"])
    #expect(
      cases.map { $0.elements.first?.localName } == ["system-out", "failure", "failure", "error", "skipped"]
    )
    #expect(cases[3].elements[0].attribute("message") == "the peer <b>reset</b> the connection")
    #expect(cases[1].elements[0].text.contains("</script><script>hacked=1"))
    #expect(cases[1].attribute("file")?.hasSuffix("scenario.json") == true)
  }

  @Test func sarifPointsAtTheManifest() async throws {
    let folder = try ScratchDirectory()
    let sarif = try JSONValue(parsing: try await Self.report(in: folder.path).serialized(as: .sarif))
    #expect(sarif["version"] == "2.1.0")
    let run = try #require(sarif["runs"]?[0])
    let rules = try #require(run["tool"]?["driver"]?["rules"]?.arrayValue)
    let results = try #require(run["results"]?.arrayValue)
    #expect(results.count >= 6)
    for result in results {
      let index = try #require(result["ruleIndex"]?.intValue)
      #expect(rules[index]["id"] == result["ruleId"])
      let place = try #require(result["locations"]?[0]?["physicalLocation"])
      let uri = try #require(place["artifactLocation"]?["uri"]?.stringValue)
      #expect(uri == "file://\(folder.path)/a%20%3C%26%3E%27s%20scenario/scenario.json")
      #expect((place["region"]?["startLine"]?.intValue ?? 0) > 1)
      #expect(["note", "warning", "error"].contains(result["level"]?.stringValue))
      #expect(result["message"]?["text"]?.stringValue?.isEmpty == false)
    }
    #expect(results[0]["level"] == "note" && results[1]["level"] == "error")
    #expect(results.contains { $0["ruleId"] == "reply" })
  }

  /// Whatever a service sends, a report is what it says it is.
  @Test(arguments: [
    "application/json", "application/xml", "text/html", "multipart/form-data; boundary=b", "a/b",
  ])
  func reportsOfRandomRepliesAreWellFormed(_ type: String) async throws {
    var generator = SecretGenerator(state: 7)
    let seeds = [
      #"{"a":[1,{"b":"\u0000é"}],"c":null}"#, "<a b='1'><c/>]]></a>",
      "--b\r\nContent-Type: x\r\n\r\n1\r\n--b--",
    ]
    for _ in 0..<30 {
      let expected = seeds.randomElement(using: &generator) ?? ""
      var answer = Array((seeds.randomElement(using: &generator) ?? "").utf8)
      for _ in 0..<Int.random(in: 0...6, using: &generator) {
        answer[Int.random(in: answer.indices, using: &generator)] = UInt8.random(
          in: 0...255,
          using: &generator
        )
      }
      let bytes = Bytes(answer)
      let live = HandlerTransport { _ in Response(.ok, fields: [.contentType: type], body: .bytes(bytes)) }
      let exchange = contractExchange(type: type, answer: expected)
      let report = try await Verification([contractScenario(exchange)], against: live).run()
      _ = try JSONValue(parsing: report.serialized(as: .json))
      _ = try JSONValue(parsing: report.serialized(as: .sarif))
      _ = try XML.Document(parsing: Bytes(report.serialized(as: .junit)))
      let page = String(decoding: report.serialized(as: .html), as: UTF8.self)
      #expect(page.components(separatedBy: "<").count == page.components(separatedBy: ">").count)
    }
  }
}
