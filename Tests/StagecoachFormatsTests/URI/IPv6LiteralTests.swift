import Testing

@testable import StagecoachFormats

@Suite struct IPv6LiteralTests {
  private static func isValid(_ text: String) -> Bool {
    Array(text.utf8).withUnsafeBufferPointer { IPv6Literal.isValid($0) }
  }

  @Test(arguments: [
    "::", "::1", "1::", "2001:db8::1", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8",
    "ABCD:EF01:2345:6789:abcd:ef01:2345:6789", "::ffff:192.0.2.1", "::1.2.3.4", "64:ff9b::255.255.255.255",
    "1:2:3:4:5:6:1.2.3.4", "1::1.2.3.4",
  ])
  func acceptsIPv6Addresses(text: String) throws {
    #expect(Self.isValid(text))
    #expect(try TargetURI(parsing: "http://[\(text)]:81/").host == "[\(text.lowercased())]")
  }

  @Test(arguments: [
    "", ":", ":::", "1", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", "1::2::3", "12345::",
    "::g", ":1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:", "1:2:3:4:5:6:7:8:", "::1.2.3", "::1.2.3.4.5", "::256.0.0.1",
    "::01.2.3.4", "::1.2.3.4:5", "1:2:3:4:5:6:7:1.2.3.4", "1:2:3:4:5:6:7:8:1.2.3.4", "::1..2.3", "1.2.3.4",
    "1:2:3:4:5:6::1.2.3.4", "::ffff:1.2.3.", "v1.x",
  ])
  func refusesEverythingElse(text: String) {
    #expect(!Self.isValid(text))
  }
}
