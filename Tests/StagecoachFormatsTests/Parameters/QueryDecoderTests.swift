import Foundation
import StagecoachFormats
import TestSupport
import Testing

@Suite struct QueryDecoderTests {
  private func decoder(_ change: (inout QueryDecoder) -> Void = { _ in }) -> QueryDecoder {
    var decoder = QueryDecoder()
    change(&decoder)
    return decoder
  }

  // MARK: Pairs

  @Test(
    arguments: [
      ("", []), ("&&", []), ("k=v", [("k", "v")]), ("k", [("k", nil)]), ("k=", [("k", "")]),
      ("=v", [("", "v")]),
      ("=", [("", "")]), ("a=b=c", [("a", "b=c")]),
      ("b=1&a=2&b=3", [("b", "1"), ("a", "2"), ("b", "3")]),
      ("k=%20%3A%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D/?", [("k", " :#[]@!$&'()*+,;=/?")]),
      ("k=a+b%c3%A4", [("k", "a+bä")]), ("a%5Bb%5D[]=1&a[0].c=x,y", [("a[b][]", "1"), ("a[0].c", "x,y")]),
    ] as [(String, [(String, String?)])]
  )
  func pairsKeepTheirOrderAndDuplicates(query: String, pairs: [(String, String?)]) throws {
    #expect(try QueryDecoder().queryItems(from: query) == items(pairs))
  }

  private func items(_ pairs: [(String, String?)]) -> [URLQueryItem] {
    pairs.map { URLQueryItem(name: $0, value: $1) }
  }

  @Test func plusIsASpaceInForms() throws {
    #expect(try QueryDecoder.form.queryItems(from: "a+b=c+d%2B") == items([("a b", "c d+")]))
  }

  // MARK: Typed

  private struct Value<Content: Decodable>: Decodable {
    var v: Content
  }

  private func decode<Content: Decodable>(
    _ type: Content.Type,
    _ query: String,
    _ change: (inout QueryDecoder) -> Void = { _ in }
  ) throws -> Content {
    try decoder(change).decode(Value<Content>.self, from: query).v
  }

  @Test func decodesTextsNumbersAndBooleans() throws {
    #expect(try decode(String.self, "v=x") == "x")
    #expect(try decode(String.self, "v") == "")
    #expect(try decode(Bool.self, "v=true") && decode(Bool.self, "v=1"))
    #expect(try !decode(Bool.self, "v=false") && !decode(Bool.self, "v=0"))
    #expect(try decode(Int8.self, "v=-128") == -128)
    #expect(try decode(UInt64.self, "v=18446744073709551615") == .max)
    #expect(try decode(Int128.self, "v=-170141183460469231731687303715884105728") == .min)
    #expect(try decode(Double.self, "v=1e%2B20") == 1e20)
    #expect(try decode(Float.self, "v=0.1") == 0.1)
    #expect(try decode(Decimal.self, "v=0.10000000000000000001") == Decimal(string: "0.10000000000000000001"))
    #expect(try decode(URL.self, "v=http%3A//h/?a").absoluteString == "http://h/?a")
    #expect(try decode(Data.self, "v=AQI%3D") == Data([1, 2]))
    #expect(try decode(Data.self, "v=AQI") == Data([1, 2]))
    #expect(try decode(Data.self, "v=_-8A") { $0.dataStyle = .base64URL } == Data([0xFF, 0xEF, 0]))
    #expect(try decode(Data.self, "v=fFeF00") { $0.dataStyle = .hexadecimal } == Data([0xFF, 0xEF, 0]))
    #expect(try decode(Int?.self, "v") == nil)
    #expect(try decode(Int?.self, "") == nil)
    #expect(try decode(Int?.self, "v=1") == 1)
  }

  @Test(
    arguments: [
      (.iso8601, "1970-01-01T00:00:00Z", 0), (.iso8601, "2000-02-29T23:59:60z", 951_868_800),
      (.iso8601, "2026-02-28 12:30:05.25+02:30", 1_772_272_805.25),
      (.iso8601, "2026-02-28T12:30+0230", 1_772_272_800),
      (.iso8601Milliseconds, "1969-12-31T23:59:59.999Z", -0.001),
      (.iso8601OrInternetMessage, "Sat, 28 Feb 2026 10:00 GMT", 1_772_272_800),
      (.iso8601OrInternetMessage, "2026-02-28T10:00:00.25", 1_772_272_800.25),
      (.iso8601, "0000-01-01T00:00:00Z", -62_167_219_200),
      (.iso8601, "9999-12-31T23:59:59Z", 253_402_300_799),
      (.seconds, "-1.5", -1.5), (.milliseconds, "1500", 1.5),
      (.custom(write: { _ in "" }, read: { Date(timeIntervalSince1970: Double($0.utf8.count)) }), "xyz", 3),
    ] as [(QueryEncoder.DateStyle, String, Double)]
  )
  func decodesDatesInEachStyle(style: QueryEncoder.DateStyle, text: String, seconds: Double) throws {
    let date = try decode(Date.self, "v=\(text.replacing("+", with: "%2B"))") { $0.dateStyle = style }
    #expect(date == Date(timeIntervalSince1970: seconds))
  }

  @Test(arguments: [
    "", "1970-01-01", "1970-01-01T00:00:00", "1970-13-01T00:00:00Z", "1970-02-29T00:00:00Z",
    "1970-01-01T24:00:00Z",
    "1970-01-01T00:60:00Z", "1970-01-01T00:00:61Z", "1970-01-01T00:00:00.Z", "1970-01-01T00:00:00+1:00",
    "1970-01-01T00:00:00Zz", "1970-00-01T00:00:00Z", "1970-01-00T00:00:00Z", "197O-01-01T00:00:00Z",
    "1970-01-01T00:00:00-24:00", "1900-02-29T00:00:00Z",
  ])
  func refusesMalformedDates(text: String) {
    #expect(throws: DecodingError.self) { try decode(Date.self, "v=\(text)") }
  }

  private enum Color: String, Decodable { case red, green }
  private enum Size: Int, Decodable { case small = 1, large }

  @Test func enumerationsAreReadByTheirRawValues() throws {
    #expect(try decode(Color.self, "v=green") == .green)
    #expect(try decode([Size].self, "v=2&v=1") == [.large, .small])
    #expect(throws: DecodingError.self) { try decode(Color.self, "v=blue") }
  }

  @Test(arguments: ["v=1&v=2", "v[]=1&v[]=2", "v[0]=1&v[7]=2", "v%5B%5D=1&w=3&v=2"])
  func repeatedKeysAreAnArray(query: String) throws {
    #expect(try decode([Int].self, query) == [1, 2])
    #expect(try decode(Set<String>.self, query) == ["1", "2"])
  }

  @Test(
    arguments: [
      ("v[1]=y&v[0]=x", ["x", "y"]), ("v[10]=y&v[2]=x", ["x", "y"]),
      ("v[1]=y&v[0]=x&v[1]=z", ["x", "y", "z"]),
      ("v[1]=y&v[]=x", ["y", "x"]),
    ] as [(String, [String])]
  )
  func elementsStandInTheOrderOfTheirIndices(query: String, elements: [String]) throws {
    #expect(try decode([String].self, query) == elements)
  }

  @Test func aSingleAndAMissingValueDecodeAsArrays() throws {
    #expect(try decode([Int].self, "v=1") == [1])
    #expect(try decode([Int].self, "") == [])
    #expect(try decode([Int]?.self, "") == nil)
    #expect(try decode([Int?].self, "v[]&v[]=2") == [nil, 2])
  }

  @Test(
    arguments: [(.comma, "v=1,2%2C3,"), (.pipe, "v=1|2,3%7C"), (.space, "v=1%202,3%20")]
      as [(QueryEncoder.ArrayStyle, String)]
  )
  func delimitersSplitArraysOnly(style: QueryEncoder.ArrayStyle, query: String) throws {
    #expect(try decode([String].self, query) { $0.arrayStyle = style } == ["1", "2,3", ""])
    #expect(try decode([String].self, query).count == 1)
    let text = try decode(String.self, query) { $0.arrayStyle = style }
    #expect(text.filter { "123".contains($0) } == "123")
    #expect(try decode([String].self, "v=") { $0.arrayStyle = style } == [""])
  }

  @Test(
    arguments: [
      (.keyAlone, [nil, "", "null"]), (.drop, ["", "", "null"]), (.empty, [nil, nil, "null"]),
      (.literal, ["", "", nil]),
    ] as [(QueryEncoder.NullStyle, [String?])]
  )
  func nullsFollowTheStyle(style: QueryEncoder.NullStyle, values: [String?]) throws {
    #expect(try decode([String?].self, "v&v=&v=null") { $0.nullStyle = style } == values)
  }

  @Test func dictionariesHaveTheKeysOfTheQuery() throws {
    let decoder = decoder { $0.keyCase = .snakeCase }
    #expect(try decoder.decode([String: String].self, from: "aB=x&b=y") == ["aB": "x", "b": "y"])
    #expect(try decoder.decode([Int: [String]].self, from: "7=x&-1=y&7=z") == [7: ["x", "z"], -1: ["y"]])
    #expect(try decoder.decode([String: String].self, from: "a[b]=x") == ["a[b]": "x"])
  }

  @Test func codingKeysHaveTheCaseOfTheQuery() throws {
    struct User: Decodable, Equatable {
      var userName: String
      var bigKeys: [Int]
    }
    let user = User(userName: "x", bigKeys: [1])
    #expect(
      try decoder { $0.keyCase = .snakeCase }.decode(User.self, from: "user_name=x&big_keys[]=1") == user
    )
    let custom = decoder { $0.keyCase = .custom { String($0.reversed()) } }
    #expect(try custom.decode(User.self, from: "emaNresu=x&syeKgib=1") == user)
  }

  private struct Inner: Decodable {
    var a: Int?
  }

  private func checkRefusal(of type: any Decodable.Type, _ query: String) throws {
    let error = try #require(throws: DecodingError.self) { try QueryDecoder().decode(type, from: query) }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("another error: \(error)")
      return
    }
    #expect(context.codingPath.first?.stringValue == "v")
    #expect(context.debugDescription.hasPrefix("nested values of 'v' are not decoded"))
  }

  @Test(arguments: ["v[a]=1", "v=1", "", "v[0][a]=1", "v[][]=1"])
  func nestedTypesAreRefusedWithTheirKey(query: String) throws {
    try checkRefusal(of: Value<Inner>.self, query)
    try checkRefusal(of: Value<[String: Int]>.self, query)
  }

  @Test(arguments: ["v=1", "v[]=1&v[]=2"])
  func arraysOfNestedTypesAreRefusedWithTheirKey(query: String) throws {
    try checkRefusal(of: Value<[Inner]>.self, query)
    try checkRefusal(of: Value<[[Int]]>.self, query)
  }

  @Test func aNestedTypeThatIsOptionalMayBeAbsent() throws {
    #expect(try decode(Inner?.self, "w=1") == nil)
  }

  @Test(
    arguments: [
      ("v=x", ["v"]), ("v=99999999999999999999", ["v"]), ("v=1&v=2", ["v"]), ("v=1.5", ["v"]), ("v", ["v"]),
      ("w=1", ["v"]),
    ] as [(String, [String])]
  )
  func errorsNameThePath(query: String, path: [String]) throws {
    let error = try #require(throws: DecodingError.self) { try decode(Int.self, query) }
    switch error {
    case .dataCorrupted(let context), .typeMismatch(_, let context), .valueNotFound(_, let context):
      #expect(context.codingPath.map(\.stringValue) == path)
    case .keyNotFound(let key, let context):
      #expect((context.codingPath + [key]).map(\.stringValue) == path)
    @unknown default: Issue.record("an unknown error")
    }
  }

  @Test func errorsNameTheElement() throws {
    let element = try #require(throws: DecodingError.self) { try decode([Int].self, "v=1&v=x") }
    guard case .dataCorrupted(let context) = element else {
      Issue.record("another error: \(element)")
      return
    }
    #expect(context.codingPath.map(\.intValue) == [nil, 1])
  }

  @Test func aMissingKeyIsNamed() throws {
    let error = try #require(throws: DecodingError.self) { try decode(Int.self, "w=1") }
    guard case .keyNotFound(let key, let context) = error else {
      Issue.record("another error: \(error)")
      return
    }
    #expect(key.stringValue == "v")
    #expect(context.codingPath.isEmpty)
    #expect(throws: DecodingError.self) { try QueryDecoder().decode(Int.self, from: "v=1") }
  }

  // MARK: Charsets

  @Test func textHasACharset() throws {
    let latin = decoder { $0.charset = .isoLatin1 }
    #expect(try latin.queryItems(from: "k%E4=%FC") == items([("kä", "ü")]))
    #expect(throws: ParameterError.unknownCharset("NO-SUCH-CHARSET")) {
      try decoder { $0.charset = Charset("no-such-charset") ?? .utf8 }.queryItems(from: "k=%E4")
    }
  }

  // MARK: Wrong input

  @Test(
    arguments: [
      ("a=1&k=%", .malformedEscape(offset: 6), [("a", "1"), ("k", "%")]),
      ("k=%4", .malformedEscape(offset: 2), [("k", "%4")]),
      ("%zz=1", .malformedEscape(offset: 0), [("%zz", "1")]),
      ("k=%4&b", .malformedEscape(offset: 2), [("k", "%4"), ("b", nil)]),
      ("k=a%ffb", .undecodable(charset: "UTF-8", offset: 2), [("k", "a\u{FFFD}b")]),
      ("%C3=1", .undecodable(charset: "UTF-8", offset: 0), [("\u{FFFD}", "1")]),
      ("k=%ED%A0%80", .undecodable(charset: "UTF-8", offset: 2), [("k", "\u{FFFD}\u{FFFD}\u{FFFD}")]),
    ] as [(String, ParameterError, [(String, String?)])]
  )
  func malformedTextIsAnErrorOrKept(query: String, error: ParameterError, pairs: [(String, String?)]) throws {
    #expect(throws: error) { try QueryDecoder().queryItems(from: query) }
    #expect(try decoder { $0.mode = .lossy }.queryItems(from: query) == items(pairs))
  }

  @Test func sizeAndPairsAreLimited() throws {
    #expect(throws: ParameterError.tooLong(limit: 1 << 20)) {
      try QueryDecoder().queryItems(from: String(repeating: "a", count: 1 << 20 + 1))
    }
    #expect(try decoder { $0.sizeLimit = 3 }.queryItems(from: "a=1") == items([("a", "1")]))
    let pairs = String(repeating: "v[]=1&", count: 10_000)
    #expect(try decode([Int].self, pairs).count == 10_000)
    #expect(try decode([Int].self, String(repeating: "v=1&", count: 10_000)).count == 10_000)
    #expect(throws: ParameterError.tooManyPairs(limit: 10_000)) {
      try QueryDecoder().queryItems(from: pairs + "b")
    }
  }

  @Test func errorsExplainThemselves() {
    let texts = [
      ParameterError.tooLong(limit: 5), .tooManyPairs(limit: 5), .tooDeep(key: "a\n[b]", limit: 1),
      .malformedEscape(offset: 3), .undecodable(charset: "UTF-8", offset: 3), .unknownCharset("X"),
    ].map(\.description)
    #expect(
      texts == [
        "The input is longer than 5 bytes.",
        "There are more than 5 pairs.",
        "The parameter 'a [b]' is nested deeper than 1 levels.",
        "The % at offset 3 is not followed by two hexadecimal digits; decode in lossy mode to keep it.",
        "The text at offset 3 is not valid UTF-8; set the charset, or decode in lossy mode.",
        "This system has no decoder for the charset X.",
      ]
    )
  }
}
