import StagecoachFormats
import Testing

/// JSON values in a query.
@Suite struct QueryJSONValueTests {
  private struct Envelope: Encodable {
    var userName = "x"
    var extraData: JSONValue = ["firstKey": ["innerKey": "1"], "otherKeys": ["y", "z"]]
    var noData: JSONValue?
  }

  /// A value that hands its encoder on.
  private struct Wrapper: Encodable {
    var json: JSONValue

    init(_ json: JSONValue) {
      self.json = json
    }

    func encode(to encoder: any Encoder) throws {
      try json.encode(to: encoder)
    }
  }

  @Test func everyKeyHasAnArrayOfTexts() throws {
    let value = try QueryDecoder.form.decode(JSONValue.self, from: "b=1&a=x+y&b[]=2&c")
    #expect(value == ["b": ["1", "2"], "a": ["x y"], "c": .null])
  }

  @Test func keysAreDataAndHaveNoCase() throws {
    var encoder = QueryEncoder()
    encoder.escaping = .literalBrackets
    encoder.keyCase = .snakeCase
    let query = try encoder.encode(encoder.parameters(encoding: Envelope()))
    #expect(
      query
        == "extra_data[firstKey][innerKey]=1&extra_data[otherKeys][]=y&extra_data[otherKeys][]=z"
        + "&no_data&user_name=x"
    )

    encoder.keyCase = .custom { "\($0)_" }
    let wrapper = Wrapper(["firstKey": ["innerKey": "1"]])
    let whole = try encoder.encode(encoder.parameters(encoding: wrapper))
    #expect(whole == "firstKey[innerKey]=1")
  }

  @Test func membersKeepTheirOrder() throws {
    var encoder = QueryEncoder()
    encoder.keyOrder = .asGiven
    let value: JSONValue = ["b": "1", "a": "2", "b": "3"]
    #expect(try encoder.encode(encoder.parameters(encoding: value)) == "b=1&a=2&b=3")
  }
}
