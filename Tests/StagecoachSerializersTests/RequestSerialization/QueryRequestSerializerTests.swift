import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite struct QueryRequestSerializerTests {
  @Test(arguments: [
    ("http://h/p", "http://h/p?a=1"), ("http://h/p?", "http://h/p?&a=1"),
    ("http://h/p?b=2", "http://h/p?b=2&a=1"),
    ("http://h/p#f", "http://h/p?a=1#f"), ("http://h/p?b=2#f", "http://h/p?b=2&a=1#f"),
    ("http://h/p#f?g", "http://h/p?a=1#f?g"), ("p", "p?a=1"), ("", "?a=1"), ("?b", "?b&a=1"),
    ("#f", "?a=1#f"),
  ])
  func goesIntoTheReference(reference: String, result: String) throws {
    var request = Request.get(reference)
    try QueryRequestSerializer().serialize(["a": 1], into: &request)
    #expect(request.reference == result)
    #expect(request.head.path == nil)
    #expect(request.body.isEmpty)
    #expect(request.fields.isEmpty)
  }

  @Test(
    arguments: [
      ("/p", "/p?a=1"), ("/p?", "/p?&a=1"), ("/p?b=2", "/p?b=2&a=1"), ("/", "/?a=1"), (nil, "/?a=1"),
    ] as [(String?, String)]
  )
  func goesIntoThePathOfACompleteHead(path: String?, result: String) throws {
    var request = Request(head: HTTPRequest(method: .get, scheme: "http", authority: "h", path: path))
    try RequestContent.query(["a": 1]).apply(to: &request)
    #expect(request.head.path == result)
    #expect(request.reference == nil)
  }

  @Test(arguments: ["http://h/p", "http://h/p?", "p#f", ""])
  func noParametersChangeNothing(reference: String) throws {
    for parameters in [[:], ["e": [], "f": [:]]] as [Parameters] {
      var request = Request.get(reference)
      try RequestContent.query(parameters).apply(to: &request)
      #expect(request.reference == reference)
    }
  }

  @Test func theEncoderDecidesTheStyle() async throws {
    var encoder = QueryEncoder()
    encoder.arrayStyle = .repeated
    let transport = HandlerTransport { _ in Response(.ok) }
    let client = try Client(over: transport, base: "http://h/v1/")
    _ = try await client.get("x#f", .query(["a": [1, 2], "b": "ä&"], encoder: encoder), as: .data)
    #expect(transport.requests.first?.head.path == "/v1/x?a=1&a=2&b=%C3%A4%26")
  }

  @Test func aCustomStyleMayFail() throws {
    var encoder = QueryEncoder()
    encoder.custom = { _ in throw Foreign() }
    var request = Request.get("a")
    let error = try #require(throws: ExchangeError.self) {
      try RequestContent.query(["a": [1]], encoder: encoder).apply(to: &request)
    }
    #expect(error.kind == .requestSerialization)
    #expect(error.stage == "QueryRequestSerializer")
    #expect(error.underlying is Foreign)
    #expect(request.reference == "a")
  }

  @Test func bracketsOfKeysReachTheWireAsTheyAre() throws {
    var encoder = QueryEncoder()
    encoder.escaping = .literalBrackets
    var request = Request.get("http://h/")
    try RequestContent.query(["a": [["b": "c[d]"]]], encoder: encoder).apply(to: &request)
    #expect(try TargetURI(parsing: try #require(request.reference)).query == "a[][b]=c%5Bd%5D")
  }
}
