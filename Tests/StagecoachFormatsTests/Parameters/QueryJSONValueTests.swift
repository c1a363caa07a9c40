import StagecoachFormats
import Testing

/// JSON values in a query, whose containers do not tell a text from an array of it.
@Suite struct QueryJSONValueTests {
  private struct Envelope: Codable, Equatable, Sendable {
    var userName = "x"
    var extraData: JSONValue = ["firstKey": ["innerKey": "1"], "otherKeys": ["y", "z"]]
    var noData: JSONValue?
  }

  /// A value that hands its coders on.
  private struct Wrapper: Codable, Equatable {
    var json: JSONValue

    init(_ json: JSONValue) {
      self.json = json
    }

    init(from decoder: any Decoder) throws {
      json = try JSONValue(from: decoder)
    }

    func encode(to encoder: any Encoder) throws {
      try json.encode(to: encoder)
    }
  }

  private static let arrays: [QueryEncoder.ArrayStyle] = [
    .brackets, .indexed, .repeated, .comma, .pipe, .space,
  ]

  @Test(arguments: arrays, [QueryEncoder.ObjectStyle.bracket, .dot])
  func aValueComesBack(array: QueryEncoder.ArrayStyle, object: QueryEncoder.ObjectStyle) throws {
    var encoder = QueryEncoder()
    encoder.arrayStyle = array
    encoder.objectStyle = object
    let value: JSONValue = ["a": "1", "b": ["x", "y"], "c": ["d": "z"]]
    let query = try encoder.encode(encoder.parameters(encoding: value))
    #expect(try QueryDecoder(reading: encoder).decode(JSONValue.self, from: query) == value)
  }

  @Test(
    arguments: [
      ("", [:]), ("a=1", ["a": "1"]), ("a", ["a": .null]), ("a=", ["a": ""]), ("a[]=1", ["a": ["1"]]),
      ("a=1&a=2", ["a": ["1", "2"]]), ("a[]&a[]=1", ["a": [.null, "1"]]), ("a[][]=1", ["a": [["1"]]]),
      ("a=1&a[]=2", ["a": ["1", "2"]]), ("a[][b]=1&a[][b]=2", ["a": [["b": "1"], ["b": "2"]]]),
    ] as [(String, JSONValue)]
  )
  func everyPlaceHasAShape(query: String, value: JSONValue) throws {
    #expect(try QueryDecoder().decode(JSONValue.self, from: query) == value)
  }

  @Test func elementsWithIndicesAreAnArrayAndKeysAmongThemAreNot() throws {
    var decoder = QueryDecoder()
    decoder.arrayStyle = .indexed
    #expect(try decoder.decode(JSONValue.self, from: "a[1]=y&a[0]=x") == ["a": ["x", "y"]])
    #expect(try decoder.decode(JSONValue.self, from: "a[0]=x&a[k]=y") == ["a": ["0": "x", "k": "y"]])
  }

  @Test func valuesStandAmongOthers() throws {
    let decoder = QueryDecoder.form
    #expect(try decoder.decode([String: JSONValue].self, from: "a=b+c") == ["a": "b c"])
    #expect(try decoder.decode([String: JSONValue].self, from: "a") == ["a": .null])
    // In an array that is wanted, a lone text is an element.
    #expect(try decoder.decode([String: [JSONValue]].self, from: "a=1") == ["a": ["1"]])
    #expect(try decoder.decode([String: [Int]].self, from: "a=1") == ["a": [1]])
    #expect(
      try decoder.decode([String: Wrapper].self, from: "a=1&b[]=2")
        == ["a": Wrapper("1"), "b": Wrapper(["2"])]
    )
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
    #expect(try QueryDecoder(reading: encoder).decode(Envelope.self, from: query) == Envelope())

    encoder.keyCase = .custom { "\($0)_" }
    let wrapper = Wrapper(["firstKey": ["innerKey": "1"]])
    let whole = try encoder.encode(encoder.parameters(encoding: wrapper))
    #expect(whole == "firstKey[innerKey]=1")
    #expect(try QueryDecoder(reading: encoder).decode(Wrapper.self, from: whole) == wrapper)
  }

  @Test func membersKeepTheirOrder() throws {
    var encoder = QueryEncoder()
    encoder.keyOrder = .asGiven
    let value: JSONValue = ["b": "1", "a": "2", "b": "3"]
    #expect(try encoder.encode(encoder.parameters(encoding: value)) == "b=1&a=2&b=3")
  }
}
