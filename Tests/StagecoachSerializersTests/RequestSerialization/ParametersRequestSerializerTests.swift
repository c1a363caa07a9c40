import Foundation
import HTTPTypes
import Stagecoach
import TestSupport
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
  func getHeadAndDeleteUseTheQuery(method: HTTPRequest.Method) throws {
    for format in [ParametersRequestSerializer.BodyFormat.form, .json, .propertyList(.binary)] {
      let request = try Self.apply(.parameters(["b": 2, "a": [1]], in: format), method)
      #expect(request.reference == "http://h/x?old=1&a%5B%5D=1&b=2")
      #expect(request.body.length == 0)
      #expect(!request.fields.contains(.contentType))
    }
  }

  @Test(arguments: [HTTPRequest.Method.post, .put, .patch, .init("PROPFIND")!, .init("get")!])
  /// Methods are case-sensitive (RFC 9110 9.1), so `get` is not GET.
  func otherMethodsUseTheBody(method: HTTPRequest.Method) throws {
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
    #expect(Self.text(json) == #"{"name":"Grüße","since":"1970-01-01T00:00:00Z","tags":["a","b"]}"#)
    let query = try Self.apply(.parameters(encoding: Self.search), .get)
    #expect(query.reference?.contains("since=1970-01-01T00%3A00%3A00Z") == true)
  }

  @Test func emptyParametersSendNoBody() throws {
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

  private struct Blob: Codable, Sendable, Equatable {
    var createdAt = Date(timeIntervalSince1970: 1.25)
    var rawBytes = Data([0xFB, 0xFF])
    var byKey = ["aB": 0.1 as Float]
  }

  @Test(
    arguments: [
      (.iso8601, #""1970-01-01T00:00:01Z""#), (.iso8601Milliseconds, #""1970-01-01T00:00:01.250Z""#),
      (.seconds, "1.25"), (.milliseconds, "1250"),
      (.custom(write: { _ in "then" }, read: { _ in Date.distantPast }), #""then""#),
    ] as [(QueryEncoder.DateStyle, String)]
  )
  func valuesInJSONTakeTheStyles(style: QueryEncoder.DateStyle, date: String) throws {
    var encoder = QueryEncoder()
    encoder.dateStyle = style
    encoder.dataStyle = .base64URL
    encoder.keyCase = .snakeCase
    let typed = try Self.apply(.parameters(encoding: Blob(), in: .json, encoder: encoder), .post)
    #expect(Self.text(typed) == #"{"by_key":{"aB":0.1},"created_at":\#(date),"raw_bytes":"-_8"}"#)
    let untyped = try Self.apply(
      .parameters(
        ["at": .date(Blob().createdAt), "raw": .data(Bytes([0xFB, 0xFF]))],
        in: .json,
        encoder: encoder
      ),
      .post
    )
    #expect(Self.text(untyped) == #"{"at":\#(date),"raw":"-_8"}"#)
  }

  @Test func valuesInJSONAreWhatTheJSONSerializerWrites() throws {
    struct Plain: Encodable, Sendable {
      var path = "a/b"
      var none: Int?
      var big = UInt64.max
      var nested = [["z": 1, "a": 2]]
    }
    for method in [HTTPRequest.Method.post, .put] {
      #expect(
        try Self.apply(.parameters(encoding: Plain(), in: .json), method).body.bytes
          == Self.apply(.json(Plain()), method).body.bytes
      )
    }
    #expect(Self.text(try Self.apply(.parameters(encoding: [1, 2], in: .json), .post)) == "[1,2]")
    let error = #expect(throws: ExchangeError.self) {
      try Self.apply(.parameters(encoding: ["d": [Date(timeIntervalSince1970: .nan)]], in: .json), .post)
    }
    #expect(error?.stage == "ParametersRequestSerializer")
    #expect(error?.underlying as? ParameterError == .unwritableDate(key: "d[Index 0]"))
  }

  @Test(arguments: [PropertyListFormat.xml, .binary])
  func propertyListsHoldDatesAndData(format: PropertyListFormat) throws {
    // An XML property list has dates of whole seconds.
    let blob = Blob(createdAt: Date(timeIntervalSince1970: 2))
    let typed = try Self.apply(.parameters(encoding: blob, in: .propertyList(format)), .post)
    #expect(typed.fields[.contentType] == "application/x-plist")
    let bytes = try #require(typed.body.bytes)
    #expect(try PropertyListDecoder().decode(Blob.self, from: Data(bytes)) == blob)
    #expect(bytes == (try Self.apply(.propertyList(blob, format: format), .post)).body.bytes)
    let search = try Self.apply(.parameters(encoding: Self.search, in: .propertyList(format)), .post)
    #expect(!String(decoding: try #require(search.body.bytes)).contains("limit"))

    let parameters: Parameters = [
      "createdAt": .date(blob.createdAt), "rawBytes": .data(Bytes([0xFB, 0xFF])), "byKey": ["aB": 0.5],
      "b": true, "i": 7, "s": .set(["b", "a", "c"]), "l": ["x", ["y"], [:]],
    ]
    let untyped = try Self.apply(.parameters(parameters, in: .propertyList(format)), .post)
    #expect(untyped.fields[.contentType] == "application/x-plist")
    let data = Data(try #require(untyped.body.bytes))
    #expect(try PropertyListDecoder().decode(Blob.self, from: data).createdAt == blob.createdAt)
    let list = try #require(
      PropertyListSerialization.propertyList(from: data, format: nil) as? NSDictionary
    )
    #expect(
      list == [
        "createdAt": blob.createdAt, "rawBytes": Data([0xFB, 0xFF]), "byKey": ["aB": 0.5], "b": true,
        "i": 7,
        "s": ["a", "b", "c"], "l": ["x", ["y"], [:] as NSDictionary] as NSArray,
      ] as NSDictionary
    )
  }

  @Test(
    arguments: [
      (["a": 1, "o": ["k": 1, "j": 2, "k": 1]], .duplicateKey("o[k]")),
      (["o": [1, .null]], .nullInPropertyList(key: "o[1]")), (["n": .null], .nullInPropertyList(key: "n")),
      (["o": ["d": .double(.infinity)]], .nonFiniteNumber(key: "o[d]")),
    ] as [(Parameters, ParameterError)]
  )
  func whatPropertyListsCannotHoldIsRefused(parameters: Parameters, refusal: ParameterError) throws {
    var request = Request.post("http://h/x")
    let error = #expect(throws: ExchangeError.self) {
      try RequestContent.parameters(parameters, in: .propertyList(.xml)).apply(to: &request)
    }
    #expect(error?.kind == .requestSerialization)
    #expect(error?.underlying as? ParameterError == refusal)
    #expect(request.body.isEmpty && request.fields.isEmpty)
  }

  @Test(arguments: [ParametersRequestSerializer.BodyFormat.json, .propertyList(.xml), .propertyList(.binary)])
  func refusesInvalidDates(format: ParametersRequestSerializer.BodyFormat) throws {
    for seconds in [Double.nan, .infinity] {
      let parameters: Parameters = ["o": [.date(Date(timeIntervalSince1970: seconds))]]
      let error = #expect(throws: ExchangeError.self) {
        try Self.apply(.parameters(parameters, in: format), .post)
      }
      #expect(error?.underlying as? ParameterError == .unwritableDate(key: "o[0]"))
    }
  }

  @Test func nullsAreLeftOutOfPropertyListsIfAsked() throws {
    var encoder = QueryEncoder()
    encoder.nullStyle = .drop
    let request = try Self.apply(
      .parameters(["n": .null, "l": [1, .null, 2]], in: .propertyList(.binary), encoder: encoder),
      .post
    )
    let data = Data(try #require(request.body.bytes))
    #expect(try PropertyListDecoder().decode([String: [Int]].self, from: data) == ["l": [1, 2]])
    let none = try Self.apply(.parameters([:], in: .propertyList(.xml)), .post)
    #expect(none.body.isEmpty && !none.fields.contains(.contentType))
  }

  @Test(arguments: [
    ParametersRequestSerializer.BodyFormat.form, .json, .propertyList(.xml), .propertyList(.binary),
  ])
  func nestingHasTheLimitOfTheEncoder(format: ParametersRequestSerializer.BodyFormat) throws {
    var encoder = QueryEncoder()
    encoder.depthLimit = .max
    func nested(_ depth: Int) -> Parameters {
      ["k": (1..<depth).reduce([1] as ParameterValue) { value, _ in [value] }]
    }
    let request = try Self.apply(.parameters(nested(256), in: format, encoder: encoder), .post)
    #expect(request.body.length ?? 0 > 256)
    let error = #expect(throws: ExchangeError.self) {
      try Self.apply(.parameters(nested(257), in: format, encoder: encoder), .post)
    }
    guard case .tooDeep(_, 256) = error?.underlying as? ParameterError else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func formsTakeACharset() throws {
    let form = try Self.apply(.parameters(["k": "ä"], charset: .isoLatin1), .post)
    #expect(Self.text(form) == "k=%E4")
    #expect(form.fields[.contentType] == "application/x-www-form-urlencoded;charset=ISO-8859-1")
    let query = try Self.apply(.parameters(encoding: ["k": "ä"], charset: .isoLatin1), .get)
    #expect(query.reference == "http://h/x?old=1&k=%C3%A4")
  }

  @Test func equalSetsGiveEqualBytes() throws {
    let names = (0..<20).map { ParameterValue.string("name\($0)") }
    let texts = try (0..<5).map { _ in
      Self.text(try Self.apply(.parameters(["a": .set(Set(names.shuffled()))], in: .json), .post))
    }
    #expect(Set(texts).count == 1)
  }

  private struct Envelope: Encodable, Sendable {
    var userName = "x"
    var extraData: JSONValue = ["firstKey": ["innerKey": "1"], "otherKeys": ["y", "z"]]
    var noData: JSONValue?
  }

  @Test func keysAreDataInAJSONBodyToo() throws {
    var encoder = QueryEncoder()
    encoder.keyCase = .snakeCase
    var request = Request.post("a")
    try RequestContent.parameters(encoding: Envelope(), in: .json, encoder: encoder).apply(to: &request)
    #expect(
      String(decoding: try #require(request.body.bytes))
        == #"{"extra_data":{"firstKey":{"innerKey":"1"},"otherKeys":["y","z"]},"user_name":"x"}"#
    )
  }
}
