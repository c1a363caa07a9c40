import Foundation
import StagecoachFormats
import TestSupport
import Testing

@Suite struct Base64Tests {
  /// RFC 4648 10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ])
  func encodesAndDecodesTheVectorsOfTheStandard(text: String, digits: String) {
    #expect(Base64.encode(text.utf8) == Array(digits.utf8))
    #expect(Base64.decode(digits.utf8) == Array(text.utf8))
    #expect(Base64.encode(text.utf8, padded: false) == Array(digits.utf8.filter { $0 != UInt8(ascii: "=") }))
  }

  @Test func agreesWithFoundation() {
    var random = SplitMix(state: 3)
    for length in 0..<100 {
      let octets = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
      let expected = Data(octets).base64EncodedString()
      #expect(String(decoding: Base64.encode(octets), as: UTF8.self) == expected)
      #expect(Base64.decode(expected.utf8) == octets)
      let safe = expected.replacing("+", with: "-").replacing("/", with: "_")
      #expect(String(decoding: Base64.encode(octets, urlSafe: true), as: UTF8.self) == safe)
      #expect(Base64.decode(safe.utf8) == octets)
    }
  }

  @Test func decodingEndsAtAnotherCharacter() {
    #expect(Base64.decode("Zm9v Zm9v".utf8) == Array("foo".utf8))
    #expect(Base64.decode("*".utf8) == [])
    #expect(Base64.decode("Z".utf8) == [])
  }
}
