import Foundation
import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@testable import StagecoachFixtures

/// Files of browsers and tools as scenarios.
@Suite struct HARReaderTests {
  private func read(_ text: String) async throws -> ImportedScenario {
    let file = ForeignFile(name: "a.har", bytes: Array(text.utf8), folder: nil)
    return try await HARReader.scenario(in: file.json(), of: file)
  }

  private func pairs(_ fields: HTTPFields?) -> [[String]] {
    (fields ?? [:]).map { [$0.name.rawName, $0.value] }
  }

  @Test(arguments: HARSamples.all.map(\.name))
  func pythonReadsTheSame(_ name: String) async throws {
    let text = try #require(HARSamples.all.first { $0.name == name }?.text)
    let expected = try await HARPythonReading.entries(of: text)
    let scenario = try await read(text).scenario
    try #require(scenario.exchanges.count == expected.count)
    for (exchange, expected) in zip(scenario.exchanges, expected) {
      #expect(exchange.request.method == expected.method && exchange.request.target == expected.url)
      #expect(exchange.reply.head?.response.status.code ?? 0 == expected.status)
      #expect(pairs(exchange.request.fields) == expected.sent)
      // A coding that cannot be applied again is the only field that goes.
      let received = expected.received.filter { $0 != ["Content-Encoding", "compress"] }
      #expect(pairs(exchange.reply.head?.response.headerFields) == received)
      let body = exchange.reply.body.flatMap { $0.omission == nil ? Data($0.bytes) : nil }
      let isEmpty = body == nil && expected.body == ""
      #expect(isEmpty || body?.base64EncodedString() == expected.body)
    }
  }

  /// A file of one exchange; `request` and `response` are members.
  private func one(_ method: String = "POST", request: String = "", response: String) async throws
    -> ImportedScenario
  {
    try await read(
      """
      {"log": {"version": "1.2", "entries": [{"request": {"method": "\(method)", "url": "http://a.test/x"\(request)},
      "response": {\(response)}}]}}
      """
    )
  }

  @Test(arguments: [("POST", 304), ("POST", 204), ("HEAD", 200)])
  func contentThatIsExcludedIsLeftOut(method: String, status: Int) async throws {
    let content = #""content": {"size": 5, "text": "hello"}"#
    let read = try await one(method, response: #""status": \#(status), "headers": [], \#(content)"#)
    #expect(
      read.scenario.exchanges[0].reply.body == nil
        && read.scenario.exchanges[0].reply.outcome.kind == .complete
    )
    #expect(read.notes == ["1 exchange had content that its method or status excludes; it was left out"])
  }

  @Test func aRedirectWithoutItsContentRedirects() async throws {
    let fields = #"[{"name": "Location", "value": "/new"}, {"name": "Content-Length", "value": "162"}]"#
    let read = try await one(response: #""status": 301, "headers": \#(fields), "content": {"size": 0}"#)
    #expect(read.scenario.exchanges[0].reply.body == nil)
    #expect(pairs(read.scenario.exchanges[0].reply.head?.response.headerFields) == [["Location", "/new"]])
    #expect(read.notes == ["1 exchange redirects without its content, which the file does not hold"])
  }

  @Test func parametersBesideAnEmptyTextAreTheForm() async throws {
    let data = #", "postData": {"params": [{"name": "a", "value": "1"}], "text": ""}"#
    let read = try await one(request: data, response: #""status": 200, "headers": []"#)
    #expect(read.scenario.exchanges[0].request.body.map { String(decoding: $0.bytes) } == "a=1")
  }

  @Test func arraysOfPollyAreFields() async throws {
    let fields = #"[{"name": "set-cookie", "value": ["a=1; path=/", "b=2"], "_fromType": "array"}]"#
    let read = try await one(response: #""status": 200, "headers": \#(fields)"#)
    let received = pairs(read.scenario.exchanges[0].reply.head?.response.headerFields)
    #expect(received == [["set-cookie", "a=1; path=/"], ["set-cookie", "b=2"]])
  }

  /// Octets as Polly 1.3, 5.1 and 6.0 write them: as they came, in chunks.
  @Test(arguments: [
    (##"["1f8b0800000000000013","ab564acbcf57b2524a4a2c52aa0500eff52bfe0d000000"]"##, ""),
    (
      ##"["1f8b0800000000000013","ab564acbcf57b2524a4a2c52aa0500eff52bfe0d000000"]"##, #", "_isBinary": true"#
    ),
    (##"["H4sIAAAAAAAAEw==","q1ZKy89XslJKSixSqgUA7/Ur/g0AAAA="]"##, #", "encoding": "base64""#),
  ])
  func codedChunksOfPollyAreDecoded(text: String, members: String) async throws {
    let content = #"{"mimeType": "application/json", "text": \#(JSONValue.string(text))\#(members)}"#
    let fields = #"[{"name": "content-encoding", "value": "gzip"}]"#
    let read = try await one(response: #""status": 200, "headers": \#(fields), "content": \#(content)"#)
    let body = try #require(read.scenario.exchanges[0].reply.body)
    #if ContentCoding
      #expect(body.bytes == #"{"foo":"bar"}"# && body.codings == ["gzip"])
    #else
      #expect(body.omission != nil)
    #endif
  }

  @Test func otherArraysAreText() async throws {
    for text in [#"["1f8b","zz"]"#, #"["abcd"]"#, #"[1]"#, "[]"] {
      let content = #"{"mimeType": "application/json", "text": \#(JSONValue.string(text))}"#
      let read = try await one(response: #""status": 200, "headers": [], "content": \#(content)"#)
      #expect(read.scenario.exchanges[0].reply.body?.bytes == Bytes(text))
    }
  }

  @Test func octetsInHexadecimalAndArraysOfTypesAreRead() async throws {
    let data = #", "postData": {"mimeType": ["image/png"], "text": "89504E47", "encoding": "hex"}"#
    let read = try await one(request: data, response: #""status": 200, "headers": []"#)
    let body = try #require(read.scenario.exchanges[0].request.body)
    #expect(body.bytes.array == [0x89, 0x50, 0x4e, 0x47] && body.type == "image/png")
  }

  @Test func malformedBase64LosesOnlyItsContent() async throws {
    let broken = #"{"text": "!!", "encoding": "base64"}"#
    let read = try await read(
      """
      {"log": {"version": "1.2", "entries": [
       {"request": {"method": "GET", "url": "http://a.test/1"}, "response": {"status": 200, "content": \(broken)}},
       {"request": {"method": "POST", "url": "http://a.test/2", "postData": \(broken)}, "response": {"status": 200}},
       {"request": {"method": "GET", "url": "http://a.test/3"}, "response": {"status": 200, "content": {"text": "ok"}}}
      ]}}
      """
    )
    let exchanges = read.scenario.exchanges
    let lost = exchanges[0].reply.body?.omission
    #expect(lost?.bytes == 0 && lost?.reason == "the HAR file holds it in no form that can be read")
    #expect(exchanges[1].request.body?.omission != nil && exchanges[2].reply.body?.bytes == "ok")
    #expect(
      read.notes == [
        "2 exchanges had content that is not in the encoding that the file says; it was left out",
        "1 exchange had no request body in the file: any is accepted",
      ]
    )
  }

  @Test func chromeIsReadWhole() async throws {
    let imported = try await read(HARSamples.chrome)
    let exchanges = imported.scenario.exchanges
    #expect(exchanges.map(\.id) == ["01", "02", "03"])
    #expect(exchanges.map(\.request.version) == ["2.0", "3.0", nil])
    #expect(exchanges[0].reply.body?.codings == ["gzip"] && exchanges[0].reply.body?.type == "text/html")
    #expect(
      exchanges[0].reply.head?.time == .microseconds(51_735)
        && exchanges[0].reply.end == .microseconds(53_270)
    )
    #expect(exchanges[1].reply.body?.framing == .length)
    #expect(exchanges[2].request.body?.bytes == Bytes(#"{"amount": 3.50}"#) && exchanges[2].reply.body == nil)
    #expect(imported.scenario.recording?.recorder == "WebInspector 537.36")
    #expect(imported.scenario.recording?.date == Date(timeIntervalSince1970: 1_772_359_200))
    #expect(imported.notes.isEmpty)
  }

  @Test func aResponseWithAnErrorStatusIsComplete() async throws {
    let exchange = try await read(HARSamples.chromeStatus).scenario.exchanges[0]
    #expect(exchange.reply.outcome.kind == .complete && exchange.reply.head?.response.status.code == 502)
    let without = HARSamples.chromeStatus.replacing("\"status\": 502", with: "\"status\": 0")
    #expect(try await read(without).scenario.exchanges[0].reply.outcome.kind == .unreachable)
  }

  @Test(arguments: [
    ("6,219", "6219"), ("1,006,219", "1006219"), ("529", "529"), ("5, 5", "5, 5"), ("529,529", "529,529"),
    ("6,21", "6,21"), ("1,2345", "1,2345"), (",219", ",219"), ("-6,219", "-6,219"),
  ])
  func removesSeparatorsFromLengths(_ text: String, _ length: String) async throws {
    let sample = HARSamples.explorer.replacing("1,006,219", with: text)
    let fields = try await read(sample).scenario.exchanges[0].reply.head?.response.headerFields
    #expect(fields?[.contentLength] == length)
  }

  @Test func fiddlerIsReadWhole() async throws {
    let imported = try await read(HARSamples.fiddler)
    #expect(imported.notes.isEmpty && imported.scenario.recording?.recorder == nil)
    #expect(imported.scenario.recording?.date == Date(timeIntervalSince1970: 1_772_366_402))
    #expect(imported.scenario.exchanges[0].request.body == nil)
    #expect(imported.scenario.exchanges[0].reply.body?.codings == ["gzip"])
  }

  /// Parts of a form without their boundaries, as k6 and Insomnia write them.
  @Test func aMultipartFormWithoutContentAcceptsAny() async throws {
    let sample = HARSamples.insomnia.replacing(
      "application/x-www-form-urlencoded",
      with: "multipart/form-data; boundary=b"
    )
    let imported = try await read(sample)
    #expect(imported.notes == ["1 exchange had no request body in the file: any is accepted"])
    #expect(imported.scenario.exchanges[0].request.body?.omission?.bytes == 0)
  }

  @Test func importsFailuresAsOutcomes() async throws {
    let exchanges = try await read(HARSamples.chromeFailures).scenario.exchanges
    #expect(exchanges.map(\.reply.outcome.kind) == [.dns, .truncated, .cancelled])
    #expect(exchanges[0].reply.outcome.detail == "net::ERR_NAME_NOT_RESOLVED")
    #expect(exchanges[1].reply.head != nil && exchanges[1].reply.body?.bytes == "part")
    let texts: [(String, Scenario.Outcome.Kind)] = [
      ("net::ERR_CONNECTION_REFUSED", .refused), ("net::ERR_CONNECTION_TIMED_OUT", .timeout),
      ("net::ERR_CERT_DATE_INVALID", .tls), ("net::ERR_SSL_PROTOCOL_ERROR", .tls),
      ("net::ERR_ABORTED", .cancelled),
      ("net::ERR_CONNECTION_ABORTED", .reset), ("net::ERR_HTTP2_PROTOCOL_ERROR", .protocol),
      ("net::ERR_INTERNET_DISCONNECTED", .unreachable), ("NS_ERROR_UNKNOWN_HOST", .dns),
      ("NS_ERROR_NET_RESET", .reset),
      ("NS_BINDING_ABORTED", .cancelled), ("net::ERR_CONTENT_LENGTH_MISMATCH", .truncated),
    ]
    for (text, kind) in texts { #expect(HARFailure.outcome(of: text).kind == kind, "\(text)") }
  }

  @Test func notesMissingContent() async throws {
    let firefox = try await read(HARSamples.firefox)
    #expect(firefox.notes == ["1 exchange had no response body in the file"])
    #expect(firefox.scenario.exchanges[0].reply.outcome.kind == .unreachable)
    #expect(firefox.scenario.exchanges[1].reply.body?.omission?.bytes == 5120)
    #expect(firefox.scenario.recording?.date == Date(timeIntervalSince1970: 1_772_359_200))
    let charset = try await read(HARSamples.charset)
    #expect(
      charset.notes == ["1 exchange lost its Content-Encoding, which a replay cannot apply: compress"]
    )
    let insomnia = try await read(HARSamples.insomnia).scenario.exchanges[0]
    #expect(insomnia.request.body?.bytes == "name=Ada%20Lovelace&note=a%26b%3Dc")
    #expect(try await read(HARSamples.safari).scenario.exchanges[0].reply.body == nil)
  }

  @Test func notesOtherURLsAndSockets() async throws {
    let entry = { (url: String, status: Int) in
      #"{"request": {"method": "GET", "url": "\#(url)"}, "response": {"status": \#(status)}}"#
    }
    let entries = [
      entry("data:text/plain,a", 200), entry("wss://a.test/", 101), entry("http://a.test/", 200),
    ]
    let imported = try await read(#"{"log": {"entries": [\#(entries.joined(separator: ","))]}}"#)
    #expect(imported.scenario.exchanges.map(\.isOptional) == [true, false])
    #expect(imported.scenario.exchanges.map(\.request.target) == ["wss://a.test/", "http://a.test/"])
    #expect(imported.scenario.exchanges[0].reply.informational.first?.response.status.code == 101)
    #expect(
      imported.notes == [
        "1 exchange had no URL of HTTP, and was left out: data:",
        "1 exchange was a WebSocket, whose frames were not taken",
      ]
    )
  }

  @Test func attachedBodiesAreRead() async throws {
    let folder = try ScratchDirectory()
    let har = { (name: String) in
      #"{"log":{"entries":[{"request":{"method":"GET","url":"http://a.test/"},"response":{"status":200,"content":{"mimeType":"text/plain","_file":"\#(name)"}}}]}}"#
    }
    _ = try folder.file("b1.txt", Array("attached".utf8))
    let path = try folder.file("a.har", [])
    let imported = try await InterchangeFormat.scenario(in: Array(har("b1.txt").utf8), of: path)
    #expect(imported.scenario.exchanges[0].reply.body?.bytes == "attached")
    for name in ["../b1.txt", "/etc/hosts", ".b", "b2.txt"] {
      await #expect(throws: ScenarioError.self) {
        try await InterchangeFormat.scenario(in: Array(har(name).utf8), of: path)
      }
    }
    let error = try await #require(throws: ScenarioError.self) {
      try await Scenario(importing: Bytes(har("b1.txt")))
    }
    #expect(error.message.contains("which is not here"))
  }

  @Test(
    arguments: [
      ("{\n\"log\": {\n", 3, ScenarioError.Kind.syntax), ("{}", 1, .invalid),
      (#"{"log": {"entries": 1}}"#, 1, .invalid),
      ("{\"log\": {\"entries\": [\n{\"request\": {\"method\": \"GET\"}}]}}", 2, .invalid),
      (
        "{\"log\": {\"entries\": [{\"request\": {\"url\": \"http://a/\",\n\"method\": \"G T\"}}]}}", 2,
        .invalid
      ),
      (String(repeating: "[", count: 300), 1, .limit),
    ]
  )
  func brokenFilesAreErrorsWithALine(_ text: String, _ line: Int, _ kind: ScenarioError.Kind) async throws {
    let error = try await #require(throws: ScenarioError.self) { try await Scenario(importing: Bytes(text)) }
    #expect(error.kind == kind && error.line == line && error.file == "import", "\(error)")
  }

  @Test func halvesOfCharactersAreReplaced() async throws {
    let har = { (text: String) in
      #"{"log":{"entries":[{"request":{"method":"GET","url":"http://a.test/"},"response":{"status":200,"content":{"text":"\#(text)"}}}]}}"#
    }
    let texts = [
      #"\ud83d"#: "\u{fffd}", #"a\udC00b\ud83d\ude00"#: "a\u{fffd}b😀", #"\ud83d\ud83d\ude00"#: "\u{fffd}😀",
      #"\\ud83d \ud83d\n"#: "\\ud83d \u{fffd}\n",
    ]
    for (text, expected) in texts {
      let body = try await read(har(text)).scenario.exchanges[0].reply.body
      #expect(body?.bytes == Bytes(expected), "\(text)")
    }
  }

  @Test func secretsAreRedacted() async throws {
    let har = HARSamples.chrome.replacing("item=1&item=2", with: "access_token=abcdef0123456789")
      .replacing("<p>", with: "<p>abcdef0123456789").replacing(
        "https://shop",
        with: "https://bob:pa55word99@shop"
      )
    let scenario = try await Scenario(importing: Bytes(har))
    let files = try ScenarioWriter.files(of: scenario)
    for file in files {
      let text = String(decoding: file.bytes, as: UTF8.self)
      #expect(!text.contains("abcdef0123456789") && !text.contains("pa55word99"))
    }
    // In place of hexadecimal digits stand others.
    #expect(
      scenario.exchanges[0].redacted.contains(.init("request.target", "query.access_token", "ACCESS_TOKEN-1"))
    )
    #expect(scenario.exchanges[0].request.target.hasPrefix("{api}/cart"))
    #expect(scenario.recording?.origin == scenario.origins.first?.origin)
  }

  @Test func anImportIsReplayed() async throws {
    #if ContentCoding
      let scenario = try await Scenario(importing: Bytes(HARSamples.chrome))
      let replay = try ReplayTransport(scenario)
      let client = try Client(over: replay, base: "https://shop.test/")
      let page = try await client.send(.get("cart?item=1&item=2"))
      #expect(page.fields[.contentEncoding] == nil)
      #expect(try await page.body.collect(upTo: 1000) == Bytes("<p>Grüße, \"Ada\" ☃</p>\n"))
    #endif
    let failing = try ReplayTransport(await Scenario(importing: Bytes(HARSamples.chromeFailures)))
    let error = try await #require(throws: ExchangeError.self) {
      try await Pipeline(over: failing) {}.send(.get("https://gone.test/"))
    }
    #expect(error.kind == .nameResolution)
  }
}
