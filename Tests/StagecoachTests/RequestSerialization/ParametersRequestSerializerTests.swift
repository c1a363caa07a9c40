import Foundation
import HTTPTypes
import Stagecoach
import Testing

@Suite struct ParametersRequestSerializerTests {
  private struct Search: Codable, Sendable {
    var name: String
    var since: Date
    var tags: [String]
    var limit: Int?
  }

  private static let search = Search(
    name: "Grüße",
    since: Date(timeIntervalSince1970: 0),
    tags: ["a", "b"],
    limit: nil
  )

  private static func apply(_ content: RequestContent, _ method: HTTPRequest.Method) throws -> Request {
    var request = Request(method, "http://h/x?old=1")
    try content.apply(to: &request)
    return request
  }

  private static func text(_ request: Request) -> String? {
    request.body.bytes.map { String(decoding: $0) }
  }

  @Test(arguments: [HTTPRequest.Method.get, .head, .delete])
  func theQueryOfSomeMethods(method: HTTPRequest.Method) throws {
    for format in [ParametersRequestSerializer.BodyFormat.form, .json] {
      let request = try Self.apply(.parameters(["b": 2, "a": [1]], in: format), method)
      #expect(request.reference == "http://h/x?old=1&a%5B%5D=1&b=2")
      #expect(request.body.length == 0)
      #expect(!request.fields.contains(.contentType))
    }
  }

  @Test(arguments: [HTTPRequest.Method.post, .put, .patch, .init("PROPFIND")!, .init("get")!])
  /// Methods are case-sensitive (RFC 9110 9.1), so `get` is not GET.
  func theBodyOfOthers(method: HTTPRequest.Method) throws {
    let form = try Self.apply(.parameters(["b": 2, "a": [1]]), method)
    #expect(form.reference == "http://h/x?old=1")
    #expect(Self.text(form) == "a%5B%5D=1&b=2")
    #expect(form.fields[.contentType] == "application/x-www-form-urlencoded")
    let json = try Self.apply(
      .parameters(["b": 2, "a": [1, .null, true, 0.5], "b": ["x": .data("hi")]], in: .json),
      method
    )
    #expect(Self.text(json) == #"{"b":2,"a":[1,null,true,0.5],"b":{"x":"aGk="}}"#)
    #expect(json.fields[.contentType] == "application/json")
  }

  @Test func theMethodsCanBeChosen() throws {
    let delete = try Self.apply(.parameters(["a": 1], queryMethods: [.get]), .delete)
    #expect(Self.text(delete) == "a=1")
    let post = try Self.apply(.parameters(["a": 1], queryMethods: [.post]), .post)
    #expect(post.reference == "http://h/x?old=1&a=1")
  }

  @Test func valuesAreParametersToo() throws {
    let json = try Self.apply(.parameters(encoding: Self.search, in: .json), .post)
    #expect(
      Self.text(json) == #"{"name":"Grüße","since":"1970-01-01T00:00:00Z","tags":["a","b"],"limit":null}"#
    )
    let query = try Self.apply(.parameters(encoding: Self.search), .get)
    #expect(query.reference?.contains("since=1970-01-01T00%3A00%3A00Z") == true)
  }

  @Test func noParametersAreNoJSON() throws {
    let json = try Self.apply(.parameters([:], in: .json), .post)
    #expect(json.body.length == 0)
    #expect(!json.fields.contains(.contentType))
    let form = try Self.apply(.parameters([:]), .post)
    #expect(form.body.length == 0)
    #expect(form.fields[.contentType] == "application/x-www-form-urlencoded")
  }

  @Test func whatJSONCannotHoldIsRefused() throws {
    #expect(throws: ExchangeError.self) {
      try Self.apply(.parameters(["a": [.double(.nan)]], in: .json), .post)
    }
    var deep: ParameterValue = 1
    for _ in 0..<200 { deep = .array([deep]) }
    let value = deep
    let error = #expect(throws: ExchangeError.self) {
      try Self.apply(.parameters(["a": value], in: .json), .post)
    }
    #expect(error?.kind == .requestSerialization)
  }

  @Test func equalSetsGiveEqualBytes() throws {
    let names = (0..<20).map { ParameterValue.string("name\($0)") }
    let texts = try (0..<5).map { _ in
      Self.text(try Self.apply(.parameters(["a": .set(Set(names.shuffled()))], in: .json), .post))
    }
    #expect(Set(texts).count == 1)
  }
}
