import StagecoachFormats
import TestSupport
import Testing

@Suite struct JSONReaderTests {
  @Test(
    arguments: [
      ("null", .null), ("true", true), ("false", false), ("0", 0), ("-0", .number(JSONNumber("-0")!)),
      ("12.50e+3", .number(JSONNumber("12.50e+3")!)), ("1E9", .number(JSONNumber("1E9")!)), ("\"\"", ""),
      ("[]", []), ("{}", [:]), (" \t\r\n[ ] ", []), ("[1,2 , 3]", [1, 2, 3]),
      ("[[],[[]],{}]", [[], [[]], [:]]),
      ("{\"a\":1}", ["a": 1]), ("{\"a\" : {\"b\":[ {} ]} }", ["a": ["b": [[:]]]]), ("[null]", [.null]),
      ("{\"a\":1,\"a\":2}", ["a": 1, "a": 2]), ("{\"\":0}", ["": 0]),
      (#""\"\\\/\b\f\n\r\t\u0041""#, "\"\\/\u{8}\u{C}\n\r\tA"), (#""\u00e4\u00DFx""#, "äßx"),
      (#""\ud83d\uDE00!""#, "😀!"), (#""\u0001""#, "\u{1}"), ("\"\u{7F}\u{2028}\"", "\u{7F}\u{2028}"),
      ("\"more than eight bytes, ä after them\"", "more than eight bytes, ä after them"),
      (#""more than eight bytes, \t after them ü""#, "more than eight bytes, \t after them ü"),
      ("\u{FEFF}[1]", [1]),
    ] as [(String, JSONValue)]
  )
  func readsValidTexts(text: String, value: JSONValue) throws {
    #expect(try JSONValue(parsing: text) == value)
    #expect(try JSONValue(parsing: Array(text.utf8)) == value)
    #expect(try JSONValue(parsing: AnySequence(text.utf8)) == value)
  }

  @Test(
    arguments: [
      ("", .empty, 0), (" \n", .empty, 2), ("\u{FEFF}", .empty, 3),
      ("[1,]", .trailingComma, 3), ("{\"a\":1 , }", .trailingComma, 9), ("[,1]", .expectedValue, 1),
      ("{,}", .expectedKey, 1), ("[1,,2]", .expectedValue, 3), ("[", .expectedValue, 1),
      ("{", .expectedKey, 1),
      ("[1", .expectedCommaOrBracket, 2), ("[1,", .expectedValue, 3), ("{\"a\"", .expectedColon, 4),
      ("{\"a\":", .expectedValue, 5), ("{\"a\":1", .expectedCommaOrBrace, 6), ("{\"a\":1,", .expectedKey, 7),
      ("{a:1}", .expectedKey, 1), ("{'a':1}", .expectedKey, 1), ("{\"a\" 1}", .expectedColon, 5),
      ("{\"a\",1}", .expectedColon, 4), ("{1:1}", .expectedKey, 1), ("[1 2]", .expectedCommaOrBracket, 3),
      ("[1}", .expectedCommaOrBracket, 2), ("{\"a\":1]", .expectedCommaOrBrace, 6), ("]", .expectedValue, 0),
      ("1 1", .trailingContent, 2), ("[]]", .trailingContent, 2), ("nullx", .trailingContent, 4),
      ("//x\n1", .comment, 0), ("[1/*x*/]", .comment, 2), ("1 // x", .comment, 2),
      ("{\"a\"/**/:1}", .comment, 4),
      ("[/1]", .expectedValue, 1),
      ("NaN", .unknownWord, 0), ("[Infinity]", .unknownWord, 1), ("tru", .unknownWord, 0),
      ("True", .unknownWord, 0),
      ("nul!", .unknownWord, 0),
      ("01", .leadingZero, 0), ("-012", .leadingZero, 1), ("+1", .expectedValue, 0),
      (".5", .expectedValue, 0),
      ("-", .invalidNumber, 1), ("-a", .invalidNumber, 1), ("-Infinity", .invalidNumber, 1),
      ("1.", .invalidNumber, 2), ("1.e1", .invalidNumber, 2), ("1e", .invalidNumber, 2),
      ("1e+", .invalidNumber, 3),
      ("0x1", .trailingContent, 1), ("1_0", .trailingContent, 1),
      ("\"", .unterminatedString, 1), ("\"abc", .unterminatedString, 4), ("\"\\", .unterminatedString, 2),
      ("\"\\\"", .unterminatedString, 3), ("\"a\nb\"", .controlCharacter, 2),
      ("\"longer than a word\tb\"", .controlCharacter, 19),
      (#""\x""#, .invalidEscape, 1), (#""\u12""#, .invalidEscape, 1), (#""\u12G4""#, .invalidEscape, 1),
      (#""\U0041""#, .invalidEscape, 1),
      (#""a\ud83d""#, .loneSurrogate, 2), (#""\ude00""#, .loneSurrogate, 1),
      (#""\ud83d\u0041""#, .loneSurrogate, 1),
      (#""\ud83d\n""#, .loneSurrogate, 1), (#""\ud83d\ud83d""#, .loneSurrogate, 1),
      (#""\ud83d\u""#, .invalidEscape, 7),
    ] as [(String, JSONSyntaxError.Reason, Int)]
  )
  func refusesInvalidTextsWithReasonAndOffset(text: String, reason: JSONSyntaxError.Reason, offset: Int) {
    let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: text) }
    #expect(error?.reason == reason)
    #expect(error?.offset == offset)
  }

  @Test(
    arguments: [
      ([0x80], 0), ([0x61, 0xC3], 1), ([0xC0, 0xAF], 0), ([0x61, 0x62, 0xED, 0xA0, 0x80], 2),
      ([0xF5, 0x80], 0),
      ([0xF0, 0x9F, 0x98], 0), (Array("eight or more ".utf8) + [0xFF], 14),
      ([0x5C, 0x6E, 0xE2, 0x28, 0xA1], 2),
      ([0xC3, 0xA4, 0xE2, 0x82], 2),
    ] as [([UInt8], Int)]
  )
  func refusesInvalidUTF8(content: [UInt8], offset: Int) {
    for (head, tail) in [("[\"", "\"]"), ("{\"", "\":1}")] {
      let bytes = Array(head.utf8) + content + Array(tail.utf8)
      let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: bytes) }
      #expect(error?.reason == .invalidUTF8)
      #expect(error?.offset == offset + 2)
    }
  }

  @Test(
    arguments: [
      ([0xFF, 0xFE, 0x31, 0x00], "UTF-16"), ([0xFE, 0xFF, 0x00, 0x31], "UTF-16"), ([0x31, 0x00], "UTF-16"),
      ([0x00, 0x31], "UTF-16"), ([0x5B, 0x00, 0x5D, 0x00], "UTF-16"),
      ([0xFF, 0xFE, 0x00, 0x00, 0x31], "UTF-32"),
      ([0x00, 0x00, 0xFE, 0xFF], "UTF-32"), ([0x00, 0x00, 0x00, 0x31], "UTF-32"),
      ([0x31, 0, 0, 0], "UTF-32"),
    ] as [([UInt8], String)]
  )
  func refusesOtherEncodings(bytes: [UInt8], name: String) {
    let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: bytes) }
    #expect(error?.reason == .unsupportedEncoding(name))
  }

  @Test func limitsDepth() throws {
    func nested(_ depth: Int, _ open: String, _ close: String) -> String {
      String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
    }
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]")] {
      let unit = open.hasPrefix("[{") ? 2 : 1
      #expect(throws: Never.self) { try JSONValue(parsing: nested(512 / unit, open, close)) }
      let error = #expect(throws: JSONSyntaxError.self) {
        try JSONValue(parsing: nested(512 / unit + 1, open, close))
      }
      #expect(error?.reason == .tooDeep(limit: 512))
    }
    let few = JSONValue.Limits(depth: 1)
    #expect(try JSONValue(parsing: "[1]", limits: few) == [1])
    #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: "[[]]", limits: few) }
    #expect(throws: JSONSyntaxError.self) {
      try JSONValue(parsing: "[]", limits: JSONValue.Limits(depth: -1))
    }
  }

  @Test func survivesAnyDepthLimit() throws {
    let greatest = JSONValue.Limits.greatestDepth
    let limits = JSONValue.Limits(depth: .max)
    let text = String(repeating: "[", count: greatest) + String(repeating: "]", count: greatest)
    let value = try JSONValue(parsing: text, limits: limits)
    #expect(String(decoding: value.serialized(), as: UTF8.self) == text)
    #expect(value.removingNulls() == value)

    let hostile = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
    let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: hostile, limits: limits) }
    #expect(error?.reason == .tooDeep(limit: greatest))
    #expect(error?.offset == greatest)
  }

  @Test func limitsNumberLength() throws {
    let longest = "-1." + String(repeating: "7", count: 1_021)
    #expect(try JSONValue(parsing: longest) == .number(#require(JSONNumber(longest))))
    let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: "[\(longest)7]") }
    #expect(error?.reason == .numberTooLong(limit: 1_024))
    #expect(error?.offset == 1)
    #expect(throws: Never.self) {
      try JSONValue(parsing: "[\(longest)7]", limits: JSONValue.Limits(numberLength: 1_025))
    }
  }

  @Test func readsRawBuffersAndSlices() throws {
    let bytes = Array("xx[\"ä\", 1]yy".utf8)
    #expect(try JSONValue(parsing: bytes[2..<bytes.count - 2]) == ["ä", 1])
    let value = try bytes.withUnsafeBytes {
      try JSONValue(parsing: UnsafeRawBufferPointer(rebasing: $0[2..<$0.count - 2]))
    }
    #expect(value == ["ä", 1])
    #expect(throws: JSONSyntaxError.self) {
      try JSONValue(parsing: UnsafeRawBufferPointer(start: nil, count: 0))
    }
  }

  @Test func everyPrefixIsRefusedAtItsEnd() throws {
    let text = #"{"a":[1.5e3,true,null,"x\u00e4\ud83d\ude00"],"b":{"c":-0.25}}"#
    let bytes = Array(text.utf8)
    _ = try JSONValue(parsing: bytes)
    for length in 0..<bytes.count {
      let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: bytes[..<length]) }
      #expect((error?.offset ?? .max) <= length)
    }
  }

  @Test(arguments: 1...8)
  func damagedTextNeverCrashesAndWhatIsReadRoundTrips(seed: UInt64) throws {
    var random = SplitMix(state: seed)
    for _ in 0..<400 {
      let value = JSONValue.random(depth: 4, using: &random)
      let options = JSONValue.WritingOptions(isPretty: Bool.random(using: &random))
      var bytes = value.serialized(options)
      #expect(try JSONValue(parsing: bytes) == value)

      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.insert(#"{}[]",:\u0123ed-+."#.utf8.randomElement(using: &random) ?? 0, at: index)
        default: if bytes.count > 1 { bytes.remove(at: index) }
        }
      }
      do {
        let read = try JSONValue(parsing: bytes)
        #expect(try JSONValue(parsing: read.serialized()) == read)
      } catch {
        #expect((0...bytes.count).contains(error.offset))
      }
    }
  }
}

extension JSONValue {
  fileprivate static func random(depth: Int, using random: inout SplitMix) -> JSONValue {
    let count = Int.random(in: 0...4, using: &random)
    switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &random) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &random))
    case 2: return .number(JSONNumber(Int64(bitPattern: random.next())))
    case 3: return JSONNumber(Double(bitPattern: random.next())).map(JSONValue.number) ?? .null
    case 4, 5: return .string(text(using: &random))
    case 6: return .array((0..<count).map { _ in .random(depth: depth - 1, using: &random) })
    default:
      return .object(
        JSONObject(
          (0..<count).map { _ in
            JSONObject.Member(key: text(using: &random), value: .random(depth: depth - 1, using: &random))
          }
        )
      )
    }
  }

  private static func text(using random: inout SplitMix) -> String {
    let pieces = [
      "a", "key", "\"", "\\", "/", "\u{0}", "\u{1F}", "\n", "ä", "€", "😀", "e\u{301}", " plain text ",
    ]
    return (0..<Int.random(in: 0...6, using: &random))
      .map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }.joined()
  }
}
