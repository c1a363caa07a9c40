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

  // MARK: Untyped

  @Test(
    arguments: [
      ("", [:]), ("&&", [:]), ("k=v", ["k": "v"]), ("k", ["k": .null]), ("k=", ["k": ""]), ("=v", ["": "v"]),
      ("=", ["": ""]), ("a=b=c", ["a": "b=c"]), ("b=1&a=2&b=3", ["b": "1", "a": "2", "b": "3"]),
      ("k=%20%3A%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D/?", ["k": " :#[]@!$&'()*+,;=/?"]),
      ("k=a+b%c3%A4", ["k": "a+bä"]),
      ("key2%5Bkey%5D%5B%5D=1&key2[key][]=value", ["key2": ["key": ["1", "value"]]]),
      (
        "f[][age]=13&f[][name]=tom&f[][age]=14&f[][name]=bob&name=jack",
        ["f": [["age": "13", "name": "tom"], ["age": "14", "name": "bob"]], "name": "jack"]
      ),
      ("f[][a][b]=1&f[][a][c]=2&f[][a][b]=3", ["f": [["a": ["b": "1", "c": "2"]], ["a": ["b": "3"]]]]),
      ("f[]=1&f[][a]=2", ["f": ["1", ["a": "2"]]]), ("a[][]=1&a[][]=2", ["a": [["1", "2"]]]),
      ("a[]&a[]=1", ["a": [.null, "1"]]), ("a=1&a[b]=2&a[]=3", ["a": "1", "a": ["3"], "a": ["b": "2"]]),
      ("o[x]=1&p=2&o[y]=3", ["o": ["x": "1", "y": "3"], "p": "2"]),
      ("o[x]=1&o[x]=2", ["o": ["x": "1", "x": "2"]]),
      ("a[0]=x", ["a": ["0": "x"]]),
      ("a[b=1&c]d=2&[=3&a[b]c=4", ["a[b": "1", "c]d": "2", "[": "3", "a[b]c": "4"]),
      ("[a]=1&[]=2", ["": ["2"], "": ["a": "1"]]), ("a.b=1", ["a.b": "1"]),
    ] as [(String, Parameters)]
  )
  func untyped(query: String, parameters: Parameters) throws {
    #expect(try QueryDecoder().parameters(from: query) == parameters)
  }

  @Test(
    arguments: [
      (.indexed, .bracket, "a[1]=y&a[0]=x&a[10]=z", ["a": ["x", "y", "z"]]),
      (.indexed, .bracket, "a[0][b]=1&a[0][c]=2&a[1][b]=3", ["a": [["b": "1", "c": "2"], ["b": "3"]]]),
      (.indexed, .bracket, "a[0]=x&a[k]=y&a[01]=z", ["a": ["0": "x", "k": "y", "01": "z"]]),
      (
        .indexed, .bracket, "a[99999999999999999999]=x&b[9223372036854775807]=y",
        ["a": ["99999999999999999999": "x"], "b": ["y"]]
      ),
      (.indexed, .dot, "a.b[0].c=1&a.b[1].c=2", ["a": ["b": [["c": "1"], ["c": "2"]]]]),
      (.indexed, .dot, "a[x]=1&a.=2", ["a[x]": "1", "a": ["": "2"]]),
      (.brackets, .dot, "a.b[]=1&a.b[]=2&.=3", ["a": ["b": ["1", "2"]], "": ["": "3"]]),
      (
        .repeated, .bracket, "b=1&a=2&b=3&c[d]=4&c[d]=5",
        ["b": ["1", "3"], "a": "2", "c": ["d": ["4", "5"]]]
      ),
      (.repeated, .dot, "a[b].c=1", ["a[b]": ["c": "1"]]),
      (.custom { _, _ in "" }, .dot, "a=1&a=2", ["a": ["1", "2"]]),
      (.comma, .bracket, "a=1,x%2Cy,&b=%2C&c=1", ["a": ["1", "x,y", ""], "b": ",", "c": "1"]),
      (.pipe, .bracket, "a=1|2%7C3&b=", ["a": ["1", "2", "3"], "b": ""]),
      (.space, .bracket, "a=1%202+3", ["a": ["1", "2+3"]]),
    ] as [(QueryEncoder.ArrayStyle, QueryEncoder.ObjectStyle, String, Parameters)]
  )
  func untypedInStyles(
    array: QueryEncoder.ArrayStyle,
    object: QueryEncoder.ObjectStyle,
    query: String,
    parameters: Parameters
  ) throws {
    let decoder = decoder {
      $0.arrayStyle = array
      $0.objectStyle = object
    }
    #expect(try decoder.parameters(from: query) == parameters)
  }

  /// An element ends where its last key would come twice, however deep that stands.
  @Test(arguments: [1, 2, 3, 100])
  func elementsWithinElements(depth: Int) throws {
    let key = "v" + String(repeating: "[]", count: depth)
    let objects: [ParameterValue] = [["k": "1", "l": "2"], ["k": "3"]]
    let elements = objects.map { object in
      (1..<depth).reduce(object) { value, _ in ParameterValue.array([value]) }
    }
    let parameters = try QueryDecoder().parameters(from: "\(key)[k]=1&\(key)[l]=2&\(key)[k]=3")
    #expect(parameters == ["v": .array(elements)])
  }

  @Test func elementsWithinMembersOfElements() throws {
    #expect(
      try QueryDecoder().parameters(from: "v[][a][][k]=1&v[][a][][k]=2")
        == ["v": [["a": [["k": "1"]]], ["a": [["k": "2"]]]]]
    )
    #expect(
      try QueryDecoder().parameters(
        from: "v[][a][][k]=1&v[][b]=2&v[][a][][l]=3&v[][a][]=x&v[][a][][m]=4"
      ) == ["v": [["a": [["k": "1", "l": "3"], "x", ["m": "4"]], "b": "2"]]]
    )
  }

  @Test(
    arguments: [
      (.keyAlone, [.null, "", "null"]), (.drop, ["", "", "null"]), (.empty, [.null, .null, "null"]),
      (.literal, ["", "", .null]),
    ] as [(QueryEncoder.NullStyle, [ParameterValue])]
  )
  func nulls(style: QueryEncoder.NullStyle, values: [ParameterValue]) throws {
    let parameters = try decoder { $0.nullStyle = style }.parameters(from: "a&a=&a=null")
    #expect(parameters.members.map(\.value) == values)
  }

  @Test func plusIsASpaceInForms() throws {
    #expect(try QueryDecoder.form.parameters(from: "a+b=c+d%2B") == ["a b": "c d+"])
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

  @Test func leaves() throws {
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
  func dates(style: QueryEncoder.DateStyle, text: String, seconds: Double) throws {
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
  func wrongDates(text: String) {
    #expect(throws: DecodingError.self) { try decode(Date.self, "v=\(text)") }
  }

  @Test func containers() throws {
    #expect(try decode([Int].self, "v[]=1&v[]=2") == [1, 2])
    #expect(try decode([Int].self, "v=1&v=2") == [1, 2])
    #expect(try decode([Int].self, "") == [])
    #expect(try decode([Int?].self, "v[]&v[]=2") == [nil, 2])
    #expect(try decode([String: [Int]].self, "v[a][]=1&v[b][]=2&v[a][]=3") == ["a": [1, 3], "b": [2]])
    #expect(
      try decode([Int: String].self, "v[7]=x&v[-1]=y") { $0.arrayStyle = .indexed } == [7: "x", -1: "y"]
    )
    #expect(try decode([Int].self, "v=1,2") { $0.arrayStyle = .comma } == [1, 2])
    #expect(try decode(String.self, "v=1,2") { $0.arrayStyle = .comma } == "1,2")
    #expect(try decode([String].self, "v=") { $0.arrayStyle = .comma } == [""])
    #expect(
      try decode([[Int]].self, "v[0][0]=1&v[1][0]=2&v[1][1]=3") { $0.arrayStyle = .indexed } == [
        [1], [2, 3],
      ]
    )
    #expect(try decode(Set<String>.self, "v=b&v=a") == ["a", "b"])
  }

  @Test func keyCaseIsAskedInTheSameDirection() throws {
    struct User: Decodable, Equatable {
      var userName: String
      var extra: [String: Int]
    }
    let user = User(userName: "x", extra: ["firstKey": 1])
    let snake = decoder { $0.keyCase = .snakeCase }
    #expect(try snake.decode(User.self, from: "user_name=x&extra[firstKey]=1") == user)
    let custom = decoder { $0.keyCase = .custom { String($0.reversed()) } }
    #expect(try custom.decode(User.self, from: "emaNresu=x&artxe[firstKey]=1") == user)
  }

  @Test(
    arguments: [
      ("v[a]=1&v[b]=x", ["v", "b"]), ("v[a]=99999999999999999999", ["v", "a"]),
      ("v[a]=1&v[a]=2", ["v", "a"]),
      ("v[a][b]=1", ["v", "a"]), ("v[a]=1.5", ["v", "a"]), ("v=1", ["v"]), ("v[a]", ["v", "a"]),
      ("v[]=1", ["v"]),
    ] as [(String, [String])]
  )
  func errorsNameThePath(query: String, path: [String]) throws {
    let error = try #require(throws: DecodingError.self) { try decode([String: Int].self, query) }
    switch error {
    case .dataCorrupted(let context), .typeMismatch(_, let context), .valueNotFound(_, let context):
      #expect(context.codingPath.map(\.stringValue) == path)
    case .keyNotFound(let key, let context):
      #expect((context.codingPath + [key]).map(\.stringValue) == path)
    @unknown default: Issue.record("an unknown error")
    }
  }

  @Test func whatIsMissingHasAKey() throws {
    let error = try #require(throws: DecodingError.self) { try decode(Int.self, "w=1") }
    guard case .keyNotFound(let key, let context) = error else {
      Issue.record("another error: \(error)")
      return
    }
    #expect(key.stringValue == "v")
    #expect(context.codingPath.isEmpty)
    #expect(throws: DecodingError.self) { try QueryDecoder().decode(Int.self, from: "v=1") }
  }

  @Test func aTypeThatContainsItselfEnds() {
    final class Endless: Decodable {
      let endless: Endless
    }
    #expect(throws: DecodingError.self) { try QueryDecoder().decode(Endless.self, from: "") }
  }

  // MARK: Charsets

  @Test func textHasACharset() throws {
    let latin = decoder { $0.charset = .isoLatin1 }
    #expect(try latin.parameters(from: "k%E4=%FC") == ["kä": "ü"])
    let utf16 = decoder { $0.charset = .utf16 }
    #expect(try utf16.parameters(from: Bytes([0, 0x6B, 0, 0x3D, 0, 0xE4])) == ["k": "ä"])
    #expect(throws: ParameterError.unknownCharset("NO-SUCH-CHARSET")) {
      try decoder { $0.charset = Charset("no-such-charset") ?? .utf8 }.parameters(from: "k=%E4")
    }
  }

  // MARK: Wrong input

  @Test(
    arguments: [
      ("a=1&k=%", .malformedEscape(offset: 6), ["a": "1", "k": "%"]),
      ("k=%4", .malformedEscape(offset: 2), ["k": "%4"]),
      ("%zz=1", .malformedEscape(offset: 0), ["%zz": "1"]),
      ("k=%4&b", .malformedEscape(offset: 2), ["k": "%4", "b": .null]),
      ("k=a%ffb", .undecodable(charset: "UTF-8", offset: 2), ["k": "a\u{FFFD}b"]),
      ("%C3=1", .undecodable(charset: "UTF-8", offset: 0), ["\u{FFFD}": "1"]),
      ("k=%ED%A0%80", .undecodable(charset: "UTF-8", offset: 2), ["k": "\u{FFFD}\u{FFFD}\u{FFFD}"]),
    ] as [(String, ParameterError, Parameters)]
  )
  func malformedTextIsAnErrorOrStays(query: String, error: ParameterError, parameters: Parameters) throws {
    #expect(throws: error) { try QueryDecoder().parameters(from: query) }
    #expect(try decoder { $0.mode = .lossy }.parameters(from: query) == parameters)
  }

  @Test func limits() throws {
    #expect(throws: ParameterError.tooLong(limit: 1 << 20)) {
      try QueryDecoder().parameters(from: String(repeating: "a", count: 1 << 20 + 1))
    }
    #expect(try decoder { $0.sizeLimit = 3 }.parameters(from: "a=1") == ["a": "1"])
    let pairs = String(repeating: "a[]=1&", count: 10_000)
    #expect(try decode([Int].self, pairs.replacing("a", with: "v")).count == 10_000)
    #expect(try decode([Int].self, String(repeating: "v=1&", count: 10_000)).count == 10_000)
    #expect(throws: ParameterError.tooManyPairs(limit: 10_000)) {
      try QueryDecoder().parameters(from: pairs + "b")
    }
    #expect(throws: ParameterError.tooDeep(key: "a[b][c]", limit: 1)) {
      try decoder { $0.depthLimit = 1 }.parameters(from: "a[b]=1&a[b][c]=2")
    }
  }

  @Test(arguments: [QueryEncoder.ObjectStyle.bracket, .dot])
  func depthHasALimitOfItsOwn(style: QueryEncoder.ObjectStyle) throws {
    let decoder = decoder {
      $0.objectStyle = style
      $0.depthLimit = .max
    }
    func query(_ depth: Int) -> String {
      "a" + String(repeating: style == .dot ? ".a" : "[a]", count: depth) + "=1"
    }
    final class Chain: Decodable {
      var a: Chain?
      init(from decoder: any Decoder) throws {
        guard let container = try? decoder.container(keyedBy: Key.self) else { return }
        a = try container.decodeIfPresent(Chain.self, forKey: .a)
      }
      enum Key: CodingKey { case a }
    }
    #expect(try decoder.parameters(from: query(256)).members.count == 1)
    #expect(try decoder.decode(Chain.self, from: query(255)).a?.a != nil)
    #expect(throws: ParameterError.self) { try decoder.parameters(from: query(257)) }
    #expect(throws: ParameterError.self) { try decoder.parameters(from: query(100_000)) }
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
