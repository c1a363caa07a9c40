import StagecoachFormats
import Testing

@Suite struct PercentCodingTests {
  @Test(
    arguments: [
      ("", "", nil), ("abc", "abc", nil), ("%41%62", "Ab", nil), ("%c3%BC", "ü", nil), ("a%2", "a%2", 1),
      ("%", "%", 0), ("%%41", "%A", 0), ("%4%31", "%41", 0), ("%4g", "%4g", 0), ("%25%34%31", "%41", nil),
      ("+%2B", "++", nil), ("%41%zz%", "A%zz%", 3),
    ] as [(String, String, Int?)]
  )
  func decodesAndReportsMalformedEscapes(text: String, decoded: String, malformed: Int?) {
    let octets = Array(text.utf8)
    let result = octets.percentDecoding()
    #expect(String(decoding: result.octets, as: UTF8.self) == decoded)
    #expect(result.malformed == malformed)
    #expect(text.utf8.percentDecoded == result.octets)
  }

  @Test func plusAndWhatIsEncodedAreChoices() {
    let octets = Array("a+%2B%22%41".utf8)
    #expect(String(decoding: octets.percentDecoding(plusIsSpace: true).octets, as: UTF8.self) == "a +\"A")
    let quotes = octets.percentDecoding { $0 == UInt8(ascii: "\"") }
    #expect(String(decoding: quotes.octets, as: UTF8.self) == "a+%2B\"%41")
    #expect(quotes.malformed == nil)
  }

  @Test(arguments: UInt8.min...UInt8.max)
  func encodingIsUndoneByDecoding(octet: UInt8) {
    let text = String(Unicode.Scalar(octet))
    for encoding in [PercentEncoding.unreserved, .alphanumeric] {
      let encoded = text.percentEncoded(encoding)
      #expect(encoded.utf8.percentDecoded == Array(text.utf8))
      #expect(encoded.utf8.allSatisfy { $0 < 0x80 })
    }
  }

  @Test func encodesAllButTheAllowedCharacters() {
    #expect("aZ09-._~ /ü%".percentEncoded(.unreserved) == "aZ09-._~%20%2F%C3%BC%25")
    #expect("a-/\n".percentEncoded(.alphanumeric) == "a%2D%2F%0A")
    #expect("/a?b=%20 \"".percentEncoded(.target) == "/a?b=%20%20%22")
  }
}
