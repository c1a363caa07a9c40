import HTTPTypes
import Stagecoach
import TestSupport
import Testing

/// What must not leave, whatever the transport (the reference's section 9.3).
@Suite struct FieldSafetyTests {
  private static func send(_ request: Request) async throws -> Request? {
    let transport = HandlerTransport { _ in Response(.ok) }
    do {
      _ = try await Pipeline(over: transport, stages: []).send(request)
    } catch let error as ExchangeError {
      #expect(transport.requests.isEmpty)
      #expect(error.stage == "HandlerTransport")
      throw error
    }
    return transport.requests.first
  }

  private static func head(
    scheme: String? = "http",
    authority: String? = "h",
    path: String? = "/",
    _ fields: HTTPFields = [:]
  ) -> HTTPRequest {
    HTTPRequest(method: .post, scheme: scheme, authority: authority, path: path, headerFields: fields)
  }

  private static let badTargets: [HTTPRequest] = [
    head(scheme: nil), head(scheme: ""), head(authority: nil), head(authority: ""), head(path: nil),
    head(path: ""),
    head(path: "/a b"), head(path: "/a\r\nX: y"), head(path: "/\0a"), head(path: "/ä"),
    head(path: "/\u{7f}a"),
    head(path: "/\ta"), head(authority: "h h"), head(authority: "h\r\nX"), head(authority: "hä"),
    head(path: "a"), head(path: "http://other/"), head(path: "?a"), head(authority: "user:pass@h"),
    head(authority: "h/x"), head(authority: "h?x"), head(authority: "h#x"), head(authority: "h\\x"),
    head(path: "/a#b"),
  ]

  @Test(arguments: badTargets)
  func aTargetThatBreaksTheFramingIsRefused(head: HTTPRequest) async throws {
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await Self.send(Request(head: head))
    }
    #expect(error.kind == .invalidRequest)
    #expect(error.advice != nil)
    #expect(!error.description.contains("pass@"))
  }

  @Test(arguments: ["/", "/a?b=c", "/%20", "*", "/[1]", "/a//b", "/;=,@:!$&'()*+"])
  func aTargetThatMayBeSentIs(path: String) async throws {
    #expect(try await Self.send(Request(head: Self.head(path: path)))?.head.path == path)
  }

  @Test(arguments: [0x00, 0x01, 0x08, 0x0a, 0x0b, 0x0d, 0x1f, 0x7f] as [UInt8])
  func aControlCharacterInAValueIsNotSent(byte: UInt8) async throws {
    let name = try #require(HTTPField.Name("X-A"))
    for field in [
      HTTPField(name: name, value: [0x61, byte, 0x62]),
      HTTPField(name: name, lenientValue: [0x61, byte, 0x62]),
    ] {
      var request = Request(head: Self.head())
      request.fields.append(field)
      do {
        let sent = try await Self.send(request)?.fields[name]
        #expect(sent == "a b")
      } catch let error as ExchangeError {
        #expect(error.kind == .invalidRequest)
        #expect(error.message.contains("X-A"))
      }
    }
  }

  @Test(arguments: [
    ("", ""), ("a", "a"), ("a\tb", "a\tb"), (" a ", "a"), ("\ta\t", "a"), ("ä", "ä"), ("日本", "日本"),
    ("~!@#$%^&*()", "~!@#$%^&*()"),
  ])
  func aSafeValueIsSentTrimmed(value: String, sent: String) async throws {
    var request = Request(head: Self.head())
    try request.addField("X-A", value)
    #expect(try await Self.send(request)?.fields.map(\.value) == [sent])
  }

  @Test func octetsBeyondASCIIAreSentAsTheyAre() async throws {
    var request = Request(head: Self.head())
    request.fields.append(HTTPField(name: .server, value: [0x61, 0xe4, 0xff]))
    let sent = try #require(try await Self.send(request)?.fields.first)
    #expect(sent.withUnsafeBytesOfValue { Array($0) } == [0x61, 0xe4, 0xff])
  }

  @Test func oneHostIsEnough() async throws {
    let host = try #require(HTTPField.Name("Host"))
    #expect(try await Self.send(Request(head: Self.head([host: "other"])))?.fields[host] == "other")
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await Self.send(Request(head: Self.head([host: "a", host: "a"])))
    }
    #expect(error.kind == .invalidRequest)
    #expect(error.message.contains("more than one Host"))
  }

  private static let framing: [(String, String, Request.Body, Bool)] = [
    ("Content-Length", "3", .bytes("abc"), true), ("content-length", "3", .bytes("abc"), true),
    ("Content-Length", "4", .bytes("abc"), false), ("Content-Length", "03", .bytes("abc"), false),
    ("Content-Length", "+3", .bytes("abc"), false), ("Content-Length", "3, 3", .bytes("abc"), false),
    ("Content-Length", "", .bytes("abc"), false), ("Content-Length", "0", .empty, true),
    ("Content-Length", "1", .empty, false),
    ("Content-Length", "3", .stream(length: nil) { chunks([]) }, false),
    ("Content-Length", "3", .stream(length: 3) { chunks([]) }, true),
    ("Transfer-Encoding", "chunked", .stream(length: nil) { chunks([]) }, true),
    ("Transfer-Encoding", "chunked", .bytes("abc"), false), ("Transfer-Encoding", "chunked", .empty, false),
    ("Transfer-Encoding", "gzip, chunked", .stream(length: nil) { chunks([]) }, false),
    ("Transfer-Encoding", "Chunked", .stream(length: nil) { chunks([]) }, false),
    ("Connection", "keep-alive", .empty, true), ("Connection", "close", .empty, true),
    ("Connection", "Keep-Alive", .empty, true), ("connection", "CLOSE", .empty, true),
    ("Connection", "upgrade", .empty, false), ("Connection", "close, X-A", .empty, false),
  ]

  @Test(arguments: framing.indices)
  func theCallerDoesNotContradictTheFraming(index: Int) async throws {
    let (name, value, body, isSent) = Self.framing[index]
    var request = Request(head: Self.head(), body: body)
    try request.addField(name, value)
    guard !isSent else {
      #expect(try await Self.send(request) != nil)
      return
    }
    let error = try await #require(throws: ExchangeError.self) { _ = try await Self.send(request) }
    #expect(error.kind == .invalidRequest)
    #expect(error.advice?.contains("remove the field") == true)
  }

  @Test func framingFieldsAreNotRepeated() async throws {
    for (name, value) in [("Content-Length", "3"), ("Connection", "close")] {
      var request = Request(head: Self.head(), body: .bytes("abc"))
      try request.addField(name, value)
      try request.addField(name, value)
      let error = try await #require(throws: ExchangeError.self, "\(name)") {
        _ = try await Self.send(request)
      }
      #expect(error.kind == .invalidRequest)
    }
  }

  @Test func theHeadHasALimit() async throws {
    var request = Request(head: Self.head())
    try request.addField("X-A", String(repeating: "a", count: 998))
    let size = "POST".count + "h".count + "/".count + "X-A: ".count + 998 + "\r\n".utf8.count
    request.options.requestHeadLimit = size
    #expect(try await Self.send(request) != nil)
    request.options.requestHeadLimit = size - 1
    let error = try await #require(throws: ExchangeError.self) { _ = try await Self.send(request) }
    #expect(error.kind == .limit(.requestHead))
    #expect(error.limit?.description == "requestHeadLimit = \(size - 1) bytes")
  }
}
