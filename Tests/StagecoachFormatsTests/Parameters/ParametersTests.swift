import StagecoachFormats
import Testing

@Suite struct ParametersTests {
  @Test func keepsOrderAndDuplicates() {
    var parameters: Parameters = ["b": 1, "a": "x\(2)", "b": [true, 0.5, .null, ["c": [:]]]]
    parameters.append(.set([1, 1]), forKey: "a")
    #expect(parameters.members.map(\.key) == ["b", "a", "b", "a"])
    #expect(parameters.members[1].value == .string("x2"))
    #expect(
      parameters.members[2].value
        == .array([.bool(true), .double(0.5), .null, .object(Parameters([.init(key: "c", value: [:])]))])
    )
    #expect(parameters.members[3].value == .set([.int(1)]))
    #expect(parameters != Parameters(parameters.members.reversed()))
  }

  @Test(
    arguments: [
      (
        .nonFiniteNumber(key: "a[b]"),
        "The parameter 'a[b]' is not a finite number, so it cannot be encoded."
      ),
      (.tooDeep(key: "k", limit: 3), "The parameter 'k' is nested deeper than 3 levels."),
      (
        .nestedContainer(key: "k"),
        "The parameter 'k' contains arrays, sets or objects, which cannot be joined; "
          + "choose another array style."
      ),
      (
        .delimiterInElement(key: "k"),
        "An element of the parameter 'k' contains the character that separates elements; choose another array "
          + "style."
      ),
      (.unwritableDate(key: "k"), "The parameter 'k' is a date that cannot be written in the chosen style."),
      (
        .unencodable(key: "k", charset: "ISO-8859-1"),
        "The parameter 'k' contains characters that are not in ISO-8859-1; use UTF-8."
      ),
      (
        .unusableCharset("UTF-16"),
        "A form cannot be encoded in UTF-16: this system does not support it, or it does not contain ASCII."
      ),
      (
        .duplicateKey("o[k]"),
        "The parameter 'o[k]' occurs more than once, which a property list does not allow."
      ),
      (
        .nullInPropertyList(key: "k"),
        "The parameter 'k' is null, which a property list does not allow; omit nulls with the null style "
          + "'drop'."
      ),
      (
        .noKeys,
        "Parameters require keys: encode a structure or a dictionary, not an array or a single value."
      ),
    ] as [(ParameterError, String)]
  )
  func errorsExplainThemselves(error: ParameterError, text: String) {
    #expect(error.description == text)
  }
}
