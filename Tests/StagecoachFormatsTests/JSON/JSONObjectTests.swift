import StagecoachFormats
import Testing

@Suite struct JSONObjectTests {
  @Test func lastDuplicateWins() {
    let object: JSONObject = ["a": 1, "b": 2, "a": 3]
    #expect(object["a"] == 3)
    #expect(object["c"] == nil)
    #expect(object.members.map(\.key) == ["a", "b", "a"])
    #expect(object.dictionary == ["a": 3, "b": 2])
  }

  @Test func assignsAndRemoves() {
    var object: JSONObject = ["a": 1, "b": 2, "a": 3]
    object["a"] = 4
    #expect(object == ["a": 1, "b": 2, "a": 4])
    object["c"] = .null
    #expect(object["c"] == .null)
    object["a"] = nil
    #expect(object == ["b": 2, "c": .null])
  }

  @Test func equalityDependsOnOrderAndDuplicates() {
    #expect(["a": 1, "b": 2] as JSONObject != ["b": 2, "a": 1])
    #expect(["a": 1] as JSONObject != ["a": 1, "a": 1])
  }

  @Test func keysMatchByCodeUnits() {
    var object: JSONObject = ["\u{E9}": 1, "e\u{301}": 2]
    #expect(object["\u{E9}"] == 1)
    #expect(object["e\u{301}"] == 2)
    object["\u{E9}"] = nil
    #expect(object.members.count == 1)
    #expect(object["\u{E9}"] == nil)
  }
}
