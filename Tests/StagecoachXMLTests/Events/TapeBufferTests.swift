import Testing

@testable import StagecoachXML

@Suite struct TapeBufferTests {
  @Test func valuesSurviveGrowth() {
    var buffer = TapeBuffer<Int>()
    for value in 0..<10_000 { buffer.append(value) }
    [Int](10_000..<20_000).withUnsafeBufferPointer { buffer.append(contentsOf: $0) }
    #expect(buffer.count == 20_000)
    #expect(buffer.last == 19_999)
    #expect(Array(buffer.take()) == Array(0..<20_000))
  }

  @Test func isEmptyAfterTake() {
    var buffer = TapeBuffer<UInt8>(capacity: 4)
    [1, 2, 3].withUnsafeBufferPointer { buffer.append(contentsOf: $0) }
    let first = buffer.take()
    #expect(buffer.count == 0)
    #expect(buffer.last == nil)
    buffer.append(9)
    let second = buffer.take()
    #expect(Array(first) == [1, 2, 3])
    #expect(Array(second) == [9])
    #expect(Array(buffer.take()) == [])
  }

  @Test func writesAfterTruncation() {
    var buffer = TapeBuffer<Int>()
    for value in 0..<5 { buffer.append(value) }
    buffer.truncate(to: 2)
    buffer.append(7)
    buffer[0] = 8
    #expect(Array(buffer.take()) == [8, 1, 7])
  }

  @Test func valuesOutliveTheBuffer() {
    func written() -> TapeValues<UInt8> {
      var buffer = TapeBuffer<UInt8>()
      "tape".utf8.forEach { buffer.append($0) }
      return buffer.take()
    }
    let values = written()
    #expect(values.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } == "tape")
    #expect(String(decoding: values[1..<3], as: UTF8.self) == "ap")
  }
}
