import Foundation
import HTTPTypes
import Stagecoach
import Testing

@Suite struct JSONRequestSerializerTests {
  private struct Point: Codable, Sendable {
    var x: Double
    var label: String?
  }

  private static func apply(_ content: RequestContent, to request: Request = .post("a")) throws -> Request {
    var request = request
    try content.apply(to: &request)
    return request
  }

  private static let contents: [(RequestContent, String)] = [
    (.json(["key": "value"]), #"{"key":"value"}"#), (.json(["a/b"]), #"["a/b"]"#), (.json("top"), #""top""#),
    (.json(7), "7"), (.json(true), "true"), (.json(nil as Int?), "null"), (.json([] as [Int]), "[]"),
    (
      .json(["a": 1, "b": [.null, true], "a": "twice"] as JSONValue), #"{"a":1,"b":[null,true],"a":"twice"}"#
    ),
    (.json(JSONValue.null), "null"), (.json(Point(x: 1.5)), #"{"x":1.5}"#),
  ]

  @Test(arguments: contents.indices)
  func writesTheBodyAndDeclaresIt(index: Int) throws {
    let (content, text) = Self.contents[index]
    let request = try Self.apply(content)
    #expect(request.body.bytes.map { String(decoding: $0) } == text)
    #expect(request.body.isReplayable)
    #expect(request.fields[values: .contentType] == ["application/json"])
  }

  @Test func theCallersTypeStays() throws {
    for content in [.json(["a": 1]), .json(["a": 1] as JSONValue)] as [RequestContent] {
      var request = Request.post("a")
      request.fields[.contentType] = "application/vnd.api+json"
      #expect(
        try Self.apply(content, to: request).fields[values: .contentType] == ["application/vnd.api+json"]
      )
    }
  }

  @Test func keysAreSortedSoThatEqualValuesGiveEqualBytes() throws {
    let keys = (0..<40).map { "key\($0)" }
    let value = Dictionary(uniqueKeysWithValues: keys.map { ($0, 1) })
    let text = "{" + keys.sorted().map { "\"\($0)\":1" }.joined(separator: ",") + "}"
    let request = try Self.apply(.json(value))
    #expect(request.body.bytes.map { String(decoding: $0) } == text)
  }

  @Test func theEncoderIsTheCallers() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    let serializer = JSONRequestSerializer(Point.self, encoder: encoder)
    let request = try Self.apply(RequestContent(Point(x: 1, label: "a"), serializer))
    #expect(request.body.bytes.map { String(decoding: $0).contains("\n") } == true)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func aNumberWithoutJSONFormIsRefusedAndNothingChanges(number: Double) throws {
    var request = Request.post("a", body: .bytes("old"))
    let error = try #require(throws: ExchangeError.self) {
      try RequestContent.json(Point(x: number)).apply(to: &request)
    }
    #expect(error.kind == .requestSerialization)
    #expect(error.stage == "JSONRequestSerializer<Point>")
    #expect(error.underlying is EncodingError)
    #expect(request.body.bytes == "old")
    #expect(request.fields.isEmpty)
  }

  /// The call throws, and the transport never sees the request.
  @Test func whatIsRefusedIsNotSent() async throws {
    let transport = HandlerTransport { _ in Response(.ok) }
    let client = try Client(over: transport)
    let error = await #expect(throws: ExchangeError.self) {
      _ = try await client.post("http://h/", .json(Point(x: .nan)), as: .data)
    }
    #expect(error?.kind == .requestSerialization)
    #expect(error?.response == nil)
    #expect(transport.requests.isEmpty)
  }

  @Test func anErrorOfOursKeepsItsKind() throws {
    struct Refusing: RequestSerializer {
      func serialize(_ input: Int, into request: inout Request) throws { throw ExchangeError(.file, "gone") }
    }
    var request = Request.post("a")
    let error = try #require(throws: ExchangeError.self) {
      try RequestContent(1, Refusing()).apply(to: &request)
    }
    #expect(error.kind == .file)
    #expect(error.stage == "Refusing")
  }
}
