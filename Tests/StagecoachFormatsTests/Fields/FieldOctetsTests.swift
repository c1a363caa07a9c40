import HTTPTypes
import Testing

@testable import StagecoachFormats

struct FieldOctetsTests {
  private static let name = HTTPField.Name("X-A")!

  @Test(arguments: [
    "", "caf\u{e9}", "\u{10ff7f}", "\u{10ff80}", "a\u{10ffff}b", "\u{1f600}",
  ])
  func textStaysUnlessItHasCharactersOfEscapes(text: String) {
    let field = HTTPField(name: Self.name, value: text)
    let isEscaped = text.unicodeScalars.contains { $0.value >= 0x10_ff80 }
    #expect(field.engineText.isEscaped == isEscaped)
    #expect(FieldOctets.hasEscapes(field.engineText.text) == isEscaped)
    #expect((field.engineText.text == text) == !isEscaped)
    #expect(HTTPField(name: Self.name, engineText: field.engineText.text).octets == Array(text.utf8))
  }

  @Test func anyOctetsComeOutAsTheyWentIn() {
    var generator = SystemRandomNumberGenerator()
    // Many beginnings of escapes.
    let octets: [UInt8] = [0x41, 0x80, 0x8f, 0xa9, 0xbe, 0xbf, 0xc3, 0xe9, 0xf4, 0xff]
    for _ in 0..<5000 {
      let value = (0..<Int.random(in: 0...12)).map { _ in octets.randomElement(using: &generator)! }
      let field = HTTPField(name: Self.name, value: value)
      let text = field.engineText.text
      // An engine may take it apart and put it together.
      #expect(
        HTTPField(name: Self.name, engineText: String(decoding: Array(text.utf8), as: UTF8.self)).octets
          == value
      )
    }
  }
}
