import StagecoachFormats
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct JSONValueCodableTests {
  private struct Envelope: Codable, Equatable {
    var name: String
    var payload: JSONValue
    var note: JSONValue?
  }

  @Test func passesThroughFoundation() throws {
    let text = #"{"name":"n","payload":{"a":[1,-2,18446744073709551615,0.5,true,false,null,"1",[],{}]}}"#
    let envelope = try JSONDecoder().decode(Envelope.self, from: Data(text.utf8))
    #expect(
      envelope.payload == [
        "a": [1, -2, .number(JSONNumber(UInt64.max)), 0.5, true, false, .null, "1", [], [:]]
      ]
    )
    #expect(envelope.note == nil)

    let encoded = try JSONEncoder().encode(envelope)
    #expect(try JSONDecoder().decode(Envelope.self, from: encoded) == envelope)
    #expect(try JSONValue(parsing: encoded)["payload"] == envelope.payload)
  }

  @Test(arguments: ["1", "\"x\"", "true", "null", "[]"])
  func anyValueMayStandAtTheTop(text: String) throws {
    let value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    #expect(value.description == text)
    #expect(try String(decoding: JSONEncoder().encode(value), as: UTF8.self) == text)
  }

  @Test func keepsIntegersAndDoublesApart() throws {
    let plist = PropertyListEncoder()
    plist.outputFormat = .xml
    let value: JSONValue = ["i": 1, "u": .number(JSONNumber(UInt64.max)), "d": 1.5]
    let text = String(decoding: try plist.encode(value), as: UTF8.self)
    #expect(text.contains("<integer>1</integer>"))
    #expect(text.contains("<integer>18446744073709551615</integer>"))
    #expect(text.contains("<real>1.5</real>"))
    let decoded = try PropertyListDecoder().decode(JSONValue.self, from: Data(text.utf8))
    #expect(decoded.objectValue?.dictionary == value.objectValue?.dictionary)
  }

  @Test func refusesWhatDoesNotFit() throws {
    let huge = JSONValue.number(try #require(JSONNumber("1e400")))
    #expect(throws: EncodingError.self) { try JSONEncoder().encode([huge]) }

    var deep: JSONValue = []
    for _ in 0..<600 { deep = [deep] }
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(deep) }

    // A date of a property list is no JSON value.
    let plist = try PropertyListEncoder().encode(["d": Date(timeIntervalSince1970: 0)])
    #expect(throws: DecodingError.self) { try PropertyListDecoder().decode(JSONValue.self, from: plist) }
  }
}
