import HTTPTypes
import Stagecoach
import Testing

@testable import StagecoachFixtures

/// Pact files as other libraries write them, and providers that are not as their files say.
@Suite struct PactFieldTests {
  private func pact(_ interactions: String, version: String = "3.0.0", members: String = "") throws
    -> PactFile
  {
    try PactSamples.file(
      """
      {"consumer": {"name": "c"}, "provider": {"name": "p"}, \(members)
       "metadata": {"pactSpecification": {"version": "\(version)"}}, "interactions": [\(interactions)]}
      """
    )
  }

  private func replay(_ file: PactFile, _ request: Request) async throws -> String {
    let transport = try ReplayTransport(file.scenario(generators: GeneratorContext(side: .consumer)).scenario)
    let response = try await Pipeline(over: transport) {}.send(request)
    return String(decoding: try await response.body.collect(upTo: 10_000))
  }

  @Test(arguments: [
    (
      "multipart/form-data; boundary=XX",
      "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nhello\r\n--XX--\r\n"
    ),
    ("application/cbor", "\u{1}a"), ("application/vnd.api+msgpack", "text"), ("image/png", "\u{7}"),
  ])
  func writesBinaryContentAsBase64(_ type: String, _ content: String) throws {
    let base64 = String(decoding: Base64.encode(Array(content.utf8)), as: UTF8.self)
    for version in ["2.0.0", "3.0.0"] {
      let file = try pact(
        """
        {"description": "upload", "request": {"method": "POST", "path": "/up", "headers": {"Content-Type": "\(type)"},
         "body": "\(base64)"}, "response": {"status": 201}}
        """,
        version: version
      )
      let sent = try #require(file.interactions.first?.request.body)
      #expect(sent.bytes == Bytes(content), "\(version)")
      // Written as it was read.
      var writer = PactFileWriter(.v3)
      let written = try writer.bytes(of: file)
      #expect(try JSONValue(parsing: written)["interactions"]?[0]?["request"]?["body"] == .string(base64))
      #expect(writer.losses.isEmpty)
    }
  }

  @Test(arguments: [
    "text/plain", "text/csv", "application/json", "application/hal+json", "application/xml", "image/svg+xml",
    "application/x-www-form-urlencoded",
  ])
  func textThatLooksLikeBase64IsText(_ type: String) throws {
    let file = try pact(
      """
      {"description": "d", "request": {"path": "/"}, "response": {"headers": {"Content-Type": "\(type)"},
       "body": "12345678"}}
      """
    )
    #expect(file.requests.first?.response.message.body.content == .bytes("12345678"))
  }

  @Test func fieldsOfListsAreExportedAsLists() async throws {
    let fields: HTTPFields = [
      .vary: "Accept, Origin", .lastModified: "Fri, 27 Nov 2026 10:00:00 GMT", .allow: #"GET, "a,b", PUT"#,
      .server: "a, b",
    ]
    let rules = ["Vary", "Last-Modified", "Allow", "Server"].map { Scenario.Rule("header.\($0)", "equality") }
    let scenario = contractScenario(contractExchange(fields: fields, answer: "{}", expect: rules))
    let file = try PactFile.contract(of: scenario, consumer: "c", provider: "p").file
    var writer = PactFileWriter(.v4)
    let headers = try JSONValue(parsing: try writer.bytes(of: file))["interactions"]?[0]?["response"]?[
      "headers"
    ]
    #expect(headers?["Vary"] == ["Accept", "Origin"])
    #expect(headers?["Allow"] == ["GET", #""a,b""#, "PUT"])
    #expect(headers?["Last-Modified"] == ["Fri, 27 Nov 2026 10:00:00 GMT"] && headers?["Server"] == ["a, b"])
    var text = PactFileWriter(.v3)
    let old = try JSONValue(parsing: try text.bytes(of: file))["interactions"]?[0]?["response"]?["headers"]
    #expect(old?["Vary"] == "Accept, Origin")
    // One line, several lines and the file agree.
    let read = try PactFile(contents: try writer.bytes(of: file), path: "a.json").interactions
    let live = service(fields: fields, "{}")
    let report = try await Verification(read, against: live, base: "http://p").run()
    #expect(report.isAgreed, "\(report)")
  }

  @Test(arguments: [
    (#"{"a": 1}"#, "text/plain", false), (#"[1]"#, "text/plain", false),
    (#"{"a": 1}"#, "application/hal+json", true),
    (#"{"a": 1}"#, "application/json; charset=utf-8", true),
    (#""<?xml version=\"1.0\"?><a/>""#, "text/plain", false),
    (#""<?xml version=\"1.0\"?><a/>""#, "text/xml", true),
  ])
  func comparesADocumentWithoutATypeAsJSON(_ body: String, _ type: String, _ isAgreed: Bool) async throws {
    let file = try pact(
      #"{"description": "d", "request": {"path": "/x"}, "response": {"status": 200, "body": \#(body)}}"#
    )
    let text = try JSONValue(parsing: body).stringValue ?? body
    let report = try await Verification(
      file.interactions,
      against: service(type: type, text),
      base: "http://p"
    )
    .run()
    #expect(report.isAgreed == isAgreed, "\(report)")
    if !isAgreed { #expect("\(report)".contains("but the actual content type was 'text/plain'")) }
  }

  @Test func anExampleIsSentWhereNoStateGivesAValue() async throws {
    let file = try pact(
      """
      {"description": "hello", "providerStates": [{"name": "a user"}],
       "request": {"path": "/hello/Ada", "query": {"a": ["1"], "b": ["2"]}, "generators": {
        "path": {"type": "ProviderState", "expression": "/hello/${name}"},
        "query": {"a": {"type": "ProviderState", "expression": "page"}, "b": {"type": "RandomInt", "min": 7, "max": 7}}}},
       "response": {"status": 200}}
      """
    )
    let live = service("{}")
    let report = try await Verification(file.interactions, against: live, base: "http://p").run()
    #expect(report.isAgreed && live.requests.map(\.head.path) == ["/hello/Ada?a=1&b=7"], "\(report)")
    #expect(
      report.exchanges[0].warnings == [
        #"there is no handler for the provider state "a user""#,
        #"no provider state has returned a value for "name": the example of the contract is sent"#,
        #"no provider state has returned a value for "page": the example of the contract is sent"#,
      ]
    )
  }

  @Test func generatesValuesInForms() async throws {
    let file = try pact(
      """
      {"description": "f", "request": {"path": "/f"}, "response": {
       "headers": {"Content-Type": "application/x-www-form-urlencoded"}, "body": "id=&a=%41+b&t=1&t=2&x",
       "generators": {"body": {"$.id": {"type": "Regex", "regex": "a&b"}, "$.t[1]": {"type": "RandomInt", "min": 7, "max": 7},
        "$.none": {"type": "Uuid"}}}}}
      """
    )
    #expect(try await replay(file, .get("http://localhost/f")) == "id=a%26b&a=%41+b&t=1&t=7&x")
  }

  @Test func generatesValuesInXML() async throws {
    let body =
      #"<?xml version=\"1.0\" encoding=\"UTF-8\"?><!-- c --><a xmlns:n=\"urn:n\"><b id=\"1\">x</b> <b id=\"2\"><c/>y</b><n:d>z</n:d></a>"#
    let file = try pact(
      """
      {"description": "x", "request": {"path": "/x"}, "response": {
       "headers": {"Content-Type": "application/xml"}, "body": "\(body)",
       "generators": {"body": {"$.a[*].b['@id']": {"type": "RandomInt", "min": 7, "max": 7},
        "$.a[1].b['#text']": {"type": "Regex", "regex": "<&"}, "$.a['n:d']": {"type": "RandomInt", "min": 8, "max": 8}}}}}
      """
    )
    let text = try await replay(file, .get("http://localhost/x"))
    #expect(text.contains("<!-- c -->") && text.hasPrefix("<?xml"), "\(text)")
    #expect(
      text.contains(
        #"<a xmlns:n="urn:n"><b id="7">x</b> <b id="7"><c/>&lt;&amp;</b><n:d>8</n:d></a>"#
      ),
      "\(text)"
    )
  }

  @Test func verifyingNothingIsNotAgreement() async throws {
    let message = #"{"description": "an event", "contents": {"id": 1}}"#
    let live = service("{}")
    for file in [
      try pact("", members: #""messages": [\#(message)],"#),
      try pact(
        #"{"type": "Synchronous/HTTP", "description": "csv", "pluginConfiguration": {"csv": {}}, "request": {}, "response": {}}"#,
        version: "4.0"
      ),
    ] {
      let report = try await Verification(file.interactions, against: live, base: "http://p").run()
      #expect(!report.isAgreed && !report.isUnanswered && live.requests.isEmpty)
      #expect("\(report)".hasSuffix("1 exchange: 1 skipped, nothing was verified"), "\(report)")
    }
    let both = try pact(
      #"{"description": "d", "request": {"path": "/"}, "response": {}}"#,
      members: #""messages": [\#(message)],"#
    )
    #expect(try await Verification(both.interactions, against: live, base: "http://p").run().isAgreed)
  }
}
