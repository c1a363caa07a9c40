import Foundation
import StagecoachFormats
import TestSupport
import Testing

/// The rules of AFNetworking, which are the defaults, and what each option changes.
@Suite struct QueryEncoderTests {
  @Test(
    arguments: [
      (["k": " :#[]@!$&'()*+,;=/?"], "k=%20%3A%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D/?"),
      (["key": "value", "key1": "value&"], "key=value&key1=value%26"),
      (
        ["key1": "value1", "key2": ["key": [1, "value"]]],
        "key1=value1&key2%5Bkey%5D%5B%5D=1&key2%5Bkey%5D%5B%5D=value"
      ),
      (
        ["name": "jack", "friendList": [["name": "tom", "age": 13], ["name": "bob", "age": 14]]],
        "friendList%5B%5D%5Bage%5D=13&friendList%5B%5D%5Bname%5D=tom"
          + "&friendList%5B%5D%5Bage%5D=14&friendList%5B%5D%5Bname%5D=bob&name=jack"
      ),
      ([:], ""),
      (["s": .set(["b", "a"])], "s=a&s=b"),
      (["n": .null], "n"), (["a": [.null, 1]], "a%5B%5D&a%5B%5D=1"), (["a": ["b": .null]], "a%5Bb%5D"),
      (["e": [], "f": [:], "g": .set([])], ""),
      (["e": [[]], "f": ["x": [:]], "g": 1], "g=1"),
      (["a": [[1, 2], [3]]], "a%5B%5D%5B%5D=1&a%5B%5D%5B%5D=2&a%5B%5D%5B%5D=3"),
      (["B": 1, "a": 2, "A": 3, "10": 4, "9": 5], "10=4&9=5&A=3&B=1&a=2"),
      (["k": "ä+b/c?d=e&f"], "k=%C3%A4%2Bb/c?d%3De%26f"),
      (["k": "%20"], "k=%2520"), (["k": ""], "k="), (["": "v"], "=v"), (["": .null, "a": 1], "&a=1"),
      (["t": true, "f": false], "f=0&t=1"),
      (["k": "-._~AZaz09"], "k=-._~AZaz09"), (["k/?[]": 1], "k/?%5B%5D=1"),
      (["o": ["z": 1, "a": ["y": 2, "b": 3]]], "o%5Ba%5D%5Bb%5D=3&o%5Ba%5D%5By%5D=2&o%5Bz%5D=1"),
      (["k": 2, "j": 1, "k": 1], "j=1&k=2&k=1"),
      (
        ["d": [2.0, 0.5, -1.25, 1e20, 0.1]], "d%5B%5D=2&d%5B%5D=0.5&d%5B%5D=-1.25&d%5B%5D=1e%2B20&d%5B%5D=0.1"
      ),
      (["i": .int(.min), "j": .int(.max)], "i=-9223372036854775808&j=9223372036854775807"),
      (["\n": "\u{1}\u{7F}"], "%0A=%01%7F"),
    ] as [(Parameters, String)]
  )
  func encodesTheVectors(parameters: Parameters, query: String) throws {
    #expect(try QueryEncoder().encode(parameters) == query)
  }

  @Test(
    arguments: [
      (
        ["key1": "value1", "key2": ["key": [1, "value"]]],
        "key1=value1&key2[key][]=1&key2[key][]=value"
      ),
      (["k": " :#[]@!$&'()*+,;=/?"], "k=%20%3A%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D%2F%3F"),
      (["a.b[]": "c.d[]"], "a.b[]=c.d%5B%5D"),
      ([":/?&=;+!@#$()',* %": 1], "%3A%2F%3F%26%3D%3B%2B%21%40%23%24%28%29%27%2C%2A%20%25=1"),
      (["a": [.null, ["ä": 1]]], "a[]&a[][%C3%A4]=1"), (["s": .set([["x": 1]])], "s[x]=1"),
      (["k": "-._~\"<>\\^`{|}"], "k=-._~%22%3C%3E%5C%5E%60%7B%7C%7D"),
    ] as [(Parameters, String)]
  )
  func leavesBracketsOfKeysUnescapedAsBefore26(parameters: Parameters, query: String) throws {
    var encoder = QueryEncoder()
    encoder.escaping = .literalBrackets
    #expect(try encoder.encode(parameters) == query)
  }

  @Test func longEmojiStayWhole() throws {
    let unit = "👴🏿👷🏻👮🏽"
    let escaped = "%F0%9F%91%B4%F0%9F%8F%BF%F0%9F%91%B7%F0%9F%8F%BB%F0%9F%91%AE%F0%9F%8F%BD"
    let query = try QueryEncoder().encode(["k": .string("!" + String(repeating: unit, count: 50))])
    #expect(query == "k=%21" + String(repeating: escaped, count: 50))
  }

  @Test(
    arguments: [
      (.brackets, "a%5B%5D%5Bk%5D=1&a%5B%5D%5B%5D=x&s=1"),
      (.indexed, "a%5B0%5D%5Bk%5D=1&a%5B1%5D%5B0%5D=x&s=1"),
      (.repeated, "a%5Bk%5D=1&a=x&s=1"), (.custom { "\($0).\($1)" }, "a.0%5Bk%5D=1&a.1.0=x&s=1"),
    ] as [(QueryEncoder.ArrayStyle, String)]
  )
  func encodesArraysInEachStyle(style: QueryEncoder.ArrayStyle, query: String) throws {
    var encoder = QueryEncoder()
    encoder.arrayStyle = style
    #expect(try encoder.encode(["a": [["k": 1], ["x"]], "s": .set([1])]) == query)
  }

  @Test func commasSeparateEscapedElements() throws {
    var encoder = QueryEncoder()
    encoder.arrayStyle = .comma
    #expect(
      try encoder.encode(["a": ["x,y", 2, true, ""], "e": [], "o": ["b": [1]]]) == "a=x%2Cy,2,1,&o%5Bb%5D=1"
    )
    #expect(try encoder.encode(["s": .set([2, 1])]) == "s=1&s=2")

    let nulls: Parameters = ["a": [.null, 1, .null]]
    #expect(try encoder.encode(nulls) == "a=,1,")
    encoder.nullStyle = .literal
    #expect(try encoder.encode(nulls) == "a=null,1,null")
    encoder.nullStyle = .drop
    #expect(try encoder.encode(nulls) == "a=1")
    #expect(try encoder.encode(["a": [.null]]) == "")

    for nested in [[[1]], [[:]], [.set([])]] as [ParameterValue] {
      #expect(throws: ParameterError.nestedContainer(key: "o[a]")) {
        try encoder.encode(["o": ["a": nested]])
      }
    }
  }

  @Test func pipesAndSpacesSeparateElementsToo() throws {
    let parameters: Parameters = ["a": ["x,y", 2, ""], "e": [], "o": ["b": [1, true]]]
    var encoder = QueryEncoder()
    encoder.arrayStyle = .pipe
    #expect(try encoder.encode(parameters) == "a=x%2Cy%7C2%7C&o%5Bb%5D=1%7C1")
    encoder.arrayStyle = .space
    #expect(try encoder.encode(parameters) == "a=x%2Cy%202%20&o%5Bb%5D=1%201")
    encoder.escaping = .form
    #expect(try encoder.encode(parameters) == "a=x%2Cy+2+&o%5Bb%5D=1+1")
    #expect(throws: ParameterError.delimiterInElement(key: "o[a]")) {
      try encoder.encode(["o": ["a": ["b c"]]])
    }
    #expect(try encoder.encode(["a": ["b|c"]]) == "a=b%7Cc")
    encoder.arrayStyle = .pipe
    #expect(throws: ParameterError.delimiterInElement(key: "a")) {
      try encoder.encode(["a": ["b|c"]])
    }
    #expect(throws: ParameterError.nestedContainer(key: "a")) { try encoder.encode(["a": [[1]]]) }
  }

  @Test func dotsJoinKeys() throws {
    var encoder = QueryEncoder()
    encoder.objectStyle = .dot
    #expect(
      try encoder.encode(["a": ["b": ["c": 1, "d": [2]], "e.f": 3], "g": [["h": 4]]])
        == "a.b.c=1&a.b.d%5B%5D=2&a.e.f=3&g%5B%5D.h=4"
    )
  }

  @Test(
    arguments: [
      (.iso8601, "2026-02-28T12:30:05Z"), (.iso8601Milliseconds, "2026-02-28T12:30:05.250Z"),
      (.seconds, "1772281805.25"), (.milliseconds, "1772281805250"),
      (.custom(write: { "t\(Int($0.timeIntervalSince1970))" }, read: { _ in .distantPast }), "t1772281805"),
    ] as [(QueryEncoder.DateStyle, String)]
  )
  func encodesDatesInEachStyle(style: QueryEncoder.DateStyle, text: String) throws {
    var encoder = QueryEncoder()
    encoder.escaping = .strict
    encoder.dateStyle = style
    let date = Date(timeIntervalSince1970: 1_772_281_805.25)
    #expect(try encoder.encode(["d": .date(date)]) == "d=" + text.replacing(":", with: "%3A"))
    encoder.arrayStyle = .comma
    #expect(try encoder.encode(["d": [.date(date), 1]]) == "d=" + text.replacing(":", with: "%3A") + ",1")
  }

  @Test func datesWithoutTextAreRefused() {
    var encoder = QueryEncoder()
    for style in [.iso8601, .iso8601Milliseconds, .seconds, .milliseconds] as [QueryEncoder.DateStyle] {
      encoder.dateStyle = style
      #expect(throws: ParameterError.unwritableDate(key: "d")) {
        try encoder.encode(["d": .date(Date(timeIntervalSince1970: .infinity))])
      }
    }
    encoder.dateStyle = .iso8601
    for seconds in [253_402_300_800, -62_167_219_201] as [Double] {
      #expect(throws: ParameterError.unwritableDate(key: "d")) {
        try encoder.encode(["d": .date(Date(timeIntervalSince1970: seconds))])
      }
    }
  }

  @Test(
    arguments: [
      (.base64, "_-8A".replacing("_", with: "%2F").replacing("-", with: "%2B") + "fg%3D%3D"),
      (.base64URL, "_-8Afg"), (.hexadecimal, "ffef007e"),
    ] as [(QueryEncoder.DataStyle, String)]
  )
  func encodesDataInEachStyle(style: QueryEncoder.DataStyle, text: String) throws {
    var encoder = QueryEncoder()
    encoder.escaping = .strict
    encoder.dataStyle = style
    #expect(try encoder.encode(["d": .data(Bytes([0xFF, 0xEF, 0x00, 0x7E]))]) == "d=" + text)
    #expect(try encoder.encode(["d": .data(Bytes())]) == "d=")
  }

  @Test(
    arguments: [
      (.keyAlone, "a&b%5B%5D"), (.drop, ""), (.empty, "a=&b%5B%5D="), (.literal, "a=null&b%5B%5D=null"),
    ] as [(QueryEncoder.NullStyle, String)]
  )
  func encodesNullsInEachStyle(style: QueryEncoder.NullStyle, query: String) throws {
    var encoder = QueryEncoder()
    encoder.nullStyle = style
    #expect(try encoder.encode(["a": .null, "b": [.null]]) == query)
  }

  @Test func encodesBooleansAsWords() throws {
    var encoder = QueryEncoder()
    encoder.boolStyle = .literal
    #expect(try encoder.encode(["a": true, "b": [false]]) == "a=true&b%5B%5D=false")
  }

  @Test func keepsTheGivenOrderOfKeys() throws {
    var encoder = QueryEncoder()
    encoder.keyOrder = .asGiven
    #expect(try encoder.encode(["b": 1, "a": ["d": 2, "c": 3], "b": 4]) == "b=1&a%5Bd%5D=2&a%5Bc%5D=3&b=4")
  }

  @Test(
    arguments: [
      (.afnetworking, "k%20=a%20b/c?d~%2A-._%2B"), (.strict, "k%20=a%20b%2Fc%3Fd~%2A-._%2B"),
      (.form, "k+=a+b%2Fc%3Fd%7E*-._%2B"),
    ] as [(QueryEncoder.Escaping, String)]
  )
  func escapesBySet(escaping: QueryEncoder.Escaping, query: String) throws {
    var encoder = QueryEncoder()
    encoder.escaping = escaping
    #expect(try encoder.encode(["k ": "a b/c?d~*-._+"]) == query)
  }

  @Test func setsAreSortedByTheirText() throws {
    let mixed: Set<ParameterValue> = ["b", 10, 9, "A", .null, true, [2, 1], ["k": 0], "10"]
    let query = try QueryEncoder().encode(["s": .set(mixed)])
    // Of containers the key follows the key of the set; "10" the number and the text give the same pair twice.
    #expect(query == "s&s=1&s=10&s=10&s=9&s=A&s=b&s%5B%5D=2&s%5B%5D=1&s%5Bk%5D=0")
  }

  @Test func customSerializationIsUsedAsItIs() throws {
    struct Refusal: Error {}
    var encoder = QueryEncoder()
    encoder.custom = { $0.members.map { "\($0.key)**" }.joined() }
    #expect(try encoder.encode(["key": "value"]) == "key**")
    encoder.custom = { _ in throw Refusal() }
    #expect(throws: Refusal.self) { try encoder.encode(["key": "value"]) }
  }

  @Test func refusesNumbersWithoutText() {
    for value in [Double.nan, .infinity, -.infinity] {
      #expect(throws: ParameterError.nonFiniteNumber(key: "a[]")) {
        try QueryEncoder().encode(["a": [.double(value)]])
      }
    }
  }

  @Test func limitsDepth() throws {
    var encoder = QueryEncoder()
    func nested(_ depth: Int) -> Parameters {
      ["a": (0..<depth).reduce(1) { value, _ in [value] }]
    }
    #expect(try encoder.encode(nested(128)) == "a" + String(repeating: "%5B%5D", count: 128) + "=1")
    #expect(throws: ParameterError.self) { try encoder.encode(nested(129)) }
    encoder.depthLimit = 0
    #expect(try encoder.encode(nested(0)) == "a=1")
    #expect(throws: ParameterError.tooDeep(key: "a", limit: 0)) { try encoder.encode(nested(1)) }
    #expect(throws: ParameterError.tooDeep(key: "a", limit: 0)) {
      try encoder.encode(["a": .set([1])])
    }
    #expect(throws: ParameterError.tooDeep(key: "a", limit: 0)) { try encoder.encode(["a": [:]]) }
    encoder.depthLimit = .max
    encoder.arrayStyle = .repeated
    #expect(try encoder.encode(nested(256)) == "a=1")
    #expect(throws: ParameterError.self) { try encoder.encode(nested(257)) }
  }

  @Test(arguments: [
    ("http://h/p", "x=1", "http://h/p?x=1"), ("http://h/p?", "x=1", "http://h/p?&x=1"),
    ("http://h/p?a", "x=1", "http://h/p?a&x=1"), ("http://h/p#f", "x=1", "http://h/p?x=1#f"),
    ("http://h/p#f?g", "x=1", "http://h/p?x=1#f?g"), ("http://h/p?a=b#f", "x=1", "http://h/p?a=b&x=1#f"),
    ("http://h/p#f", "", "http://h/p#f"), ("http://h/p", "", "http://h/p"), ("", "x", "?x"),
    ("#", "x", "?x#"),
    ("/p#\u{FE0F}\u{20E3}", "x", "/p?x#\u{FE0F}\u{20E3}"),
  ])
  func appendsTheQueryToATarget(target: String, query: String, result: String) {
    #expect(QueryEncoder.appending(query: query, to: target) == result)
  }
}
