import StagecoachFormats
import Testing

@Suite struct JSONValueTests {
  private let value: JSONValue = [
    "null": .null, "yes": true, "int": 4, "double": 2.5, "text": "x\(1)", "list": [1, "b"],
    "object": ["k": [:]],
  ]

  @Test func accessorsAnswerForTheirKindOnly() throws {
    #expect(value["null"]?.isNull == true)
    #expect(value["yes"]?.boolValue == true)
    #expect(value["int"]?.intValue == 4)
    #expect(value["int"]?.doubleValue == 4)
    #expect(value["double"]?.intValue == nil)
    #expect(value["double"]?.doubleValue == 2.5)
    #expect(value["text"]?.stringValue == "x1")
    #expect(value["list"]?.arrayValue == [1, "b"])
    #expect(value["object"]?.objectValue == ["k": [:]])

    let other: JSONValue = "4"
    #expect(!other.isNull)
    #expect(other.boolValue == nil)
    #expect(other.intValue == nil)
    #expect(other.doubleValue == nil)
    #expect(other.arrayValue == nil)
    #expect(other.objectValue == nil)
    #expect((1 as JSONValue).stringValue == nil)
  }

  @Test func subscriptsNeverTrap() {
    #expect(value["list"]?[1] == "b")
    #expect(value["list"]?[2] == nil)
    #expect(value["list"]?[-1] == nil)
    #expect(value["list"]?["a"] == nil)
    #expect(value["missing"] == nil)
    #expect(value[0] == nil)
  }

  @Test(
    arguments: [
      (.null, .null), ([.null], []), (["a": .null], [:]), ([1, .null, [.null, [.null]]], [1, [[]]]),
      (["a": ["b": .null, "c": [.null, 2]], "d": .null, "e": "null"], ["a": ["c": [2]], "e": "null"]),
    ] as [(JSONValue, JSONValue)]
  )
  func removesNulls(value: JSONValue, expected: JSONValue) {
    #expect(value.removingNulls() == expected)
  }
}
