import Stagecoach
import Testing

@testable import StagecoachConformance

/// Content in which each byte tells its offset.
@Suite struct PatternedContentTests {
  private static let length = 3 << 20

  private static func content() -> [UInt8] {
    stride(from: 0, to: length, by: 1 << 20).flatMap { PatternedContent.bytes(at: $0, count: 1 << 20).array }
  }

  @Test func whatIsUnchangedIsAccepted() throws {
    let content = Self.content()
    #expect(content.count == Self.length)
    try PatternedContent.require(Bytes(content), at: 0)
    for start in [1, 65_536, 2_000_001] {
      try PatternedContent.require(Bytes(content[start...]), at: start)
    }
    try PatternedContent.require(Bytes(), at: 5)
  }

  @Test(arguments: [0, 65_535, 65_536, 2_000_000, length - 1])
  func aChangedByteIsNamed(offset: Int) {
    var content = Self.content()
    content[offset] ^= 1
    let failure = #expect(throws: CheckFailure.self) { try PatternedContent.require(Bytes(content), at: 0) }
    #expect(failure?.description == "the byte at offset \(offset) is another one")
  }

  @Test func whatIsLostRepeatedOrMovedIsNoticed() {
    var lost = Self.content()
    lost.remove(at: 100_000)
    var repeated = Self.content()
    repeated.insert(contentsOf: repeated[65_536..<131_072], at: 65_536)
    var moved = Self.content()
    for index in 0..<65_536 { moved.swapAt(1_048_576 + index, 1_114_112 + index) }
    for content in [lost, repeated, moved] {
      #expect(throws: CheckFailure.self) { try PatternedContent.require(Bytes(content), at: 0) }
    }
  }
}
