import Foundation
import HTTPTypes
import StagecoachFormats
import StagecoachScenarios
import TestSupport
import Testing

/// JSON on one line is stored with line breaks, and read again octet for octet.
struct JSONSpacingTests {
  /// Texts as programs write them, and the marks that have white space.
  private static let texts: [(text: String, marks: [String])] = [
    (#"{"a":1,"b":[1,2]}"#, []),
    (#"{"a": 1, "b": [1, 2]}"#, [", ", ": "]),
    (#"{ "a":1 }"#, ["{ ", " }"]),
    (#"{"a" : 1, "b" : 2}"#, [", ", " : "]),
    (#"[ 1 , 2 , [ ] , {  } ]"#, ["{  }", "[ ", " ]", "[ ]", " , "]),
    ("{\"a\": 1}\n", [": ", "\n"]), ("[1,2]\r\n", ["\r\n"]), ("{\"a\":\t1}", [":\t"]),
    (
      #"{"n": -1.50E+2, "z": 0.10, "a": "\u00e9\/\"\\ , : { }", "é": "\ud83d\ude00", "a": null}"#,
      [", ", ": "]
    ),
    ("7", []), ("\"a b\" \n", [" \n"]), ("[]", []), ("[{},[],[{}]]", []), ("true\n", ["\n"]),
  ]

  @Test(arguments: texts.indices)
  func aTextIsMadeAgain(_ index: Int) throws {
    let (text, marks) = Self.texts[index]
    let spacing = try #require(JSONSpacing(of: Array(text.utf8)))
    #expect(spacing.marks == marks)
    let lines = JSONSpacing.lines(of: Array(text.utf8))
    #expect(try JSONValue(parsing: lines) == JSONValue(parsing: Array(text.utf8)))
    #expect(try #require(JSONSpacing(marks: marks)).applied(to: lines) == Array(text.utf8))
    #expect(JSONSpacing(marks: marks) == spacing)
  }

  @Test func linesAreWrittenAsInPrettyText() throws {
    let text = Array(#"{"a":[1,{"b":[]}],"c":{},"d":"x"}"#.utf8)
    let pretty = try JSONValue(parsing: text).serialized(JSONValue.WritingOptions(isPretty: true))
    #expect(JSONSpacing.lines(of: text) == pretty + [0x0a])
  }

  @Test(arguments: [
    "", " [1]", "[1, 2,3]", #"{"a": 1,"b":2}"#, "[\n1]", "[1,\n2]", "[1", "\u{feff}[1]", "[1] x",
    #"{"a" :1,"b":2}"#,
    "[[ ],[]]",
  ])
  func irregularTextHasNoSpacing(_ text: String) {
    #expect(JSONSpacing(of: Array(text.utf8)) == nil)
  }

  @Test(arguments: ["x", ", x", "{ x", " {", "} ", "{ ]", "::", "\""])
  func refusesAMalformedMark(_ mark: String) {
    #expect(JSONSpacing(marks: [mark]) == nil)
  }

  private func scenario(_ contents: [[UInt8]]) -> Scenario {
    var scenario = Scenario()
    scenario.exchanges = contents.enumerated().map { index, content in
      var body = Scenario.Body(Bytes(content), type: "application/json")
      body.form = .pretty
      return .init(
        id: Scenario.identifier(at: index),
        request: .init("GET", "http://a.test/\(index)"),
        reply: .init(.init(.init(status: .ok)), body: body)
      )
    }
    return scenario
  }

  @Test func aScenarioKeepsTheOctets() throws {
    let folder = try ScratchDirectory()
    let long = Self.texts.map {
      #"{"filler": "\#(String(repeating: "x", count: 300))", "text": \#($0.text)}"#
    }
    let contents = (Self.texts.map(\.text) + long).map { Array($0.utf8) }
    try scenario(contents).write(folder: folder.path)
    #expect(try Scenario(folder: folder.path).exchanges.map { $0.reply.body?.bytes.array } == contents)
    // Written again, nothing changes.
    let manifest = try Data(contentsOf: URL(filePath: folder.path + "/scenario.json"))
    try Scenario(folder: folder.path).write(folder: folder.path)
    #expect(try Data(contentsOf: URL(filePath: folder.path + "/scenario.json")) == manifest)
  }

  @Test func aFileHasLinesAndEscapesAsTheyWere() throws {
    let folder = try ScratchDirectory()
    let filler = String(repeating: "x", count: 300)
    try scenario([Array(#"{"a": "\u00e9", "b": "\#(filler)", "c": 1.0}"#.utf8)]).write(folder: folder.path)
    let file = try String(contentsOfFile: folder.path + "/01.response.json", encoding: .utf8)
    #expect(file == "{\n  \"a\": \"\\u00e9\",\n  \"b\": \"\(filler)\",\n  \"c\": 1.0\n}\n")
    let manifest = try JSONValue(
      parsing: Array(Data(contentsOf: URL(filePath: folder.path + "/scenario.json")))
    )
    let body = manifest["exchanges"]?[0]?["reply"]?[1]?["body"]
    #expect(body?["spacing"] == [", ", ": "] && body?["form"] == "pretty")
    // What is edited keeps the spacing.
    let edited = file.replacing("1.0", with: "2.0").replacing("  ", with: "\t")
    _ = try folder.file("01.response.json", Array(edited.utf8))
    let lines = try String(contentsOfFile: folder.path + "/scenario.json", encoding: .utf8)
      .split(separator: "\n").filter { !$0.contains("sha256") }
    _ = try folder.file("scenario.json", Array(lines.joined(separator: "\n").utf8))
    #expect(
      try Scenario(folder: folder.path).exchanges[0].reply.body?.bytes.array
        == Array(#"{"a": "\u00e9", "b": "\#(filler)", "c": 2.0}"#.utf8)
    )
  }

  @Test func anUnknownMarkNamesItsPlace() throws {
    let folder = try ScratchDirectory()
    try scenario([Array(#"{"a": 1}"#.utf8)]).write(folder: folder.path)
    let manifest = try String(contentsOfFile: folder.path + "/scenario.json", encoding: .utf8)
    _ = try folder.file("scenario.json", Array(manifest.replacing("[\": \"]", with: "[\"x\"]").utf8))
    let error = try #require(throws: ScenarioError.self) { try Scenario(folder: folder.path) }
    #expect(error.line != nil && error.message.contains("spacing"), "\(error)")
  }
}
