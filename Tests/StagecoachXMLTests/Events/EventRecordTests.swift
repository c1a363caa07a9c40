import Testing

@testable import StagecoachXML

@Suite struct EventRecordTests {
  @Test(arguments: [0, 1, 0xFFFF, 0x1_0000, EventRecord.nameLimit - 1])
  func keepsEveryNameNumber(_ name: Int) {
    let record = EventRecord(.attribute, name: name, start: 5, count: 3, line: 70_000)
    #expect(Int(record.name) == name)
    #expect(record.kind == .attribute)
    #expect(record.line == 70_000)
    #expect(record.end == 8)
  }

  @Test func linkingTheEndOfAnElementKeepsItsByteRange() {
    var record = EventRecord(.startElement, name: 1, start: 5, count: 0, line: 1)
    record.next = 900
    #expect(record.next == 900)
    #expect(record.end == 5)
  }

  @Test func occupiesSixteenBytes() {
    #expect(MemoryLayout<EventRecord>.stride == 16)
  }
}
