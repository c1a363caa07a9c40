import StagecoachFormats
import Testing

@Suite struct JSONWriterTests {
  private func text(_ value: JSONValue, _ options: JSONValue.WritingOptions = .init()) -> String {
    String(decoding: value.serialized(options), as: UTF8.self)
  }

  @Test func isCompactByDefault() {
    #expect(text(["key": "value"]) == #"{"key":"value"}"#)
    #expect(
      text([1, -2.5, true, .null, [], [:], ["b": [], "a": 1]]) == #"[1,-2.5,true,null,[],{},{"b":[],"a":1}]"#
    )
    #expect("\(JSONValue.string("x"))" == #""x""#)
  }

  @Test func escapesWhatTheGrammarRequires() {
    #expect(
      text("\"\\/\u{8}\t\n\u{C}\r\u{0}\u{1F}\u{10}\u{7F}ä😀\u{2028}")
        == #""\"\\/\b\t\n\f\r\u0000\u001f\u0010"# + "\u{7F}ä😀\u{2028}\""
    )
    #expect(text(["a/b": "</script>"], .init(escapesSlashes: true)) == #"{"a\/b":"<\/script>"}"#)
  }

  @Test func indentsPrettyText() {
    let value: JSONValue = ["a": [1, ["b": .null]], "c": [:], "d": []]
    #expect(
      text(value, .init(isPretty: true)) == """
        {
          "a": [
            1,
            {
              "b": null
            }
          ],
          "c": {},
          "d": []
        }
        """
    )
  }

  @Test func sortsKeysByTheirBytes() {
    let value: JSONValue = ["b": 1, "ä": ["z": 0, "y": 1], "a": 2, "B": 3, "b": 4, "10": 5, "9": 6, "": 7]
    #expect(
      text(value, .init(sortsKeys: true))
        == #"{"":7,"10":5,"9":6,"B":3,"a":2,"b":1,"b":4,"ä":{"y":1,"z":0}}"#
    )
    #expect(text(value).hasPrefix(#"{"b":1,"ä""#))
  }

  @Test(arguments: [
    #"{"a":1.0,"a":1.00,"b":[1e5,1E+5,-0,-0.0,123456789012345678901234567890.123456789]}"#,
    #"[0.1,1e400,1e-400,18446744073709551615,"\u0001 / é"]"#,
  ])
  func keepsTheTextOfWhatItRead(source: String) throws {
    #expect(try text(JSONValue(parsing: source)) == source)
  }
}
