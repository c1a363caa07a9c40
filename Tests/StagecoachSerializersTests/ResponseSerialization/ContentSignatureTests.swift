import Stagecoach
import Testing

@Suite struct ContentSignatureTests {
  @Test(
    arguments: [
      (.jsonObject, Array("{}".utf8), true), (.jsonObject, Array(" \t\r\n{".utf8), true),
      (.jsonObject, Array("x{".utf8), false), (.jsonObject, Array("[]".utf8), false),
      (.jsonObject, [], false), (.jsonObject, Array("   ".utf8), false), (.jsonArray, Array("[".utf8), true),
      (.jsonObject, [0xEF, 0xBB, 0xBF, 0x7B], true), (.jsonObject, [0xEF, 0xBB, 0x7B], false),
      (.jsonObject, [0xFF, 0xFE, 0x20, 0, 0x7B, 0], true), (.jsonObject, [0xFE, 0xFF, 0, 0x7B], true),
      (.jsonObject, [0, 0x7B], true), (.jsonObject, [0, 0, 0, 0x20, 0, 0, 0, 0x7B], true),
      (.jsonObject, [0, 0, 0, 0, 0x7B], false), (.jsonObject, [0xFF, 0xFE, 0, 0, 0x7B, 0, 0, 0], true),
      (.markup, Array("\u{FEFF}<?xml".utf8), true), (.markup, Array("a<".utf8), false),
      (.binaryPropertyList, Array("bplist00\u{1}".utf8), true),
      (.binaryPropertyList, Array(" bplist00".utf8), false),
      (.binaryPropertyList, Array("bplist0".utf8), false),
      (ContentSignature(text: "ab"), [0x61, 0, 0x62, 0], true), (ContentSignature(text: "ab"), [0x61], false),
      (ContentSignature(text: "ab"), Array("a b".utf8), false), (ContentSignature(text: ""), [0x61], false),
      (ContentSignature(octets: []), [0x61], false),
    ] as [(ContentSignature, [UInt8], Bool)]
  )
  func matchesTheStartOfContent(signature: ContentSignature, content: [UInt8], matches: Bool) {
    #expect(signature.matches(Bytes(content)) == matches)
  }

  @Test func describesItselfReadably() {
    #expect(ContentSignature.jsonObject.description == "\"{\"")
    #expect(ContentSignature(octets: [0x89, 0xFF]).description == "\"89 ff … (binary)\"")
  }

  @Test func serializersDeclareTheirSignatures() {
    #expect(Acceptance.json.signatures == [.jsonObject, .jsonArray])
    #expect(Acceptance.propertyList.signatures == [.binaryPropertyList, .markup])
    #expect(JSONValueResponseSerializer().map { $0 }.accepts.signatures == [.jsonObject, .jsonArray])
    #expect(Acceptance.text.signatures.isEmpty)
  }
}
