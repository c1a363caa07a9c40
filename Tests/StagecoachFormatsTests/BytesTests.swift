import Foundation
import StagecoachFormats
import TestSupport
import Testing

@Suite struct BytesTests {
  /// `@unchecked Sendable`: the memory is written before anybody else sees it, and never again.
  private final class Owner: @unchecked Sendable {
    let memory: UnsafeMutableRawBufferPointer
    let freed: Counter
    init(_ bytes: [UInt8], freed: Counter) {
      memory = .allocate(byteCount: bytes.count, alignment: 1)
      memory.copyBytes(from: bytes)
      self.freed = freed
    }
    deinit {
      memory.deallocate()
      freed.add()
    }
  }

  private static func foreign(_ bytes: [UInt8], freed: Counter = Counter()) -> Bytes {
    let owner = Owner(bytes, freed: freed)
    return Bytes(unsafeOwner: owner, buffer: UnsafeRawBufferPointer(owner.memory))
  }

  /// The same five bytes, stored in every way there is.
  static let hello: [Bytes] = [
    "hello", Bytes("hello"), Bytes(Array("hello".utf8)), Bytes(Array("-hello-".utf8)[1..<6]),
    Bytes(Data("hello".utf8)), foreign(Array("hello".utf8)),
    foreign(Array("-hello-".utf8)).dropFirst(1).prefix(5),
  ]

  @Test(arguments: hello)
  func holdsTheSameWhereverItIsStored(bytes: Bytes) {
    #expect(bytes.count == 5)
    #expect(!bytes.isEmpty)
    #expect(bytes.array == Array("hello".utf8))
    #expect(String(decoding: bytes) == "hello")
    #expect(Data(bytes) == Data("hello".utf8))
    #expect(bytes.withUnsafeBytes { Array($0) } == Array("hello".utf8))
    #expect(bytes.withSpan { $0.byteCount } == 5)
    #expect(bytes.description == "5 bytes")
    #expect(Set(Self.hello + [bytes]).count == 1)
    #expect(bytes != "hellO")
    #expect(bytes != "hell")
  }

  @Test(arguments: hello)
  func prefixAndRestSplitAnywhereAndBeyond(bytes: Bytes) {
    for split in 0...7 {
      let (head, tail) = (bytes.prefix(split), bytes.dropFirst(split))
      #expect(head.array == Array("hello".utf8.prefix(split)))
      #expect(tail.array == Array("hello".utf8.dropFirst(split)))
    }
  }

  @Test(arguments: hello)
  func negativeCountsTakeNothing(bytes: Bytes) {
    #expect(bytes.prefix(-1).isEmpty)
    #expect(bytes.prefix(.min).isEmpty)
    #expect(bytes.dropFirst(-1) == bytes)
    #expect(bytes.dropFirst(.max).isEmpty)
  }

  @Test func emptyIsEmpty() {
    for bytes in [Bytes(), "", Bytes([]), Bytes(Data()), Self.foreign([])] {
      #expect(bytes.isEmpty)
      #expect(bytes.array == [])
      #expect(bytes.prefix(3) == Bytes())
      #expect(bytes.dropFirst(3) == Bytes())
      #expect(String(decoding: bytes) == "")
    }
  }

  @Test func illFormedTextBecomesReplacementCharacters() {
    #expect(String(decoding: Bytes([0x61, 0xff, 0x62])) == "a\u{fffd}b")
  }

  @Test func foreignMemoryLivesAsLongAsAnyPartOfIt() {
    let freed = Counter()
    var whole: Bytes? = Self.foreign([1, 2, 3], freed: freed)
    var part = whole?.dropFirst(1)
    whole = nil
    #expect(freed.value == 0)
    #expect(part?.array == [2, 3])
    part = nil
    #expect(freed.value == 1)
  }

  @Test func arraysAreNotCopied() {
    let array: [UInt8] = Array(repeating: 7, count: 1 << 16)
    let address = array.withUnsafeBytes { $0.baseAddress }
    #expect(Bytes(array).withUnsafeBytes { $0.baseAddress } == address)
    #expect(Bytes(array).dropFirst(10).withUnsafeBytes { $0.baseAddress } == address.map { $0 + 10 })
    #expect(Bytes(array).array.withUnsafeBytes { $0.baseAddress } == address)
  }

  @Test func theClosureThrowsItsOwnType() {
    for bytes in Self.hello {
      #expect(throws: Foreign()) {
        try bytes.withUnsafeBytes { (_) throws(Foreign) in throw Foreign() }
      }
      #expect(throws: Foreign()) { try bytes.withSpan { (_) throws(Foreign) in throw Foreign() } }
    }
  }
}
