import StagecoachFormats
import Testing

@Suite struct JSONSyntaxErrorTests {
  @Test func countsLinesAndScalars() throws {
    let error = #expect(throws: JSONSyntaxError.self) {
      try JSONValue(parsing: "{\r\n  \"ä😀\": 1,\r\n  \"ö\"; 2\n}")
    }
    #expect(error?.line == 3)
    #expect(error?.column == 6)
    #expect(error?.offset == 25)
    #expect(error?.found == UInt8(ascii: ";"))
    #expect(
      error?.description
        == "Invalid JSON at line 3, column 6 (byte 25): expected ':' after the key but found ';'."
    )
  }

  @Test(arguments: [
    ("[1,", "line 1, column 4 (byte 3): expected a value but found the end of the input."),
    ("[1,]", "line 1, column 4 (byte 3): a comma is not allowed before ']'."),
    ("\n\n", "line 3, column 1 (byte 2): there is no value."),
    ("\"\u{7}\"", "line 1, column 2 (byte 1): byte 0x07 must be escaped in a string."),
    ("[nan]", "line 1, column 2 (byte 1): expected a value; the only words are true, false and null."),
    ("\u{FEFF}1,", "line 1, column 3 (byte 4): found ',' after the end of the value."),
  ])
  func describesEachReasonWithItsPlace(text: String, description: String) throws {
    let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: text) }
    #expect(error?.description == "Invalid JSON at \(description)")
  }
}
