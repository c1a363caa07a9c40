import StagecoachFormats
import TestSupport
import Testing

@testable import StagecoachTransfers

struct TransferJournalTests {
  private func journal(next: Int64 = 40, durable: Int64? = 20, parts: Int = 1) -> TransferJournal {
    var journal = TransferJournal(method: "GET", url: "http://h/f", boot: "now")
    var content = PartialContent(validator: .entityTag("\"a\""), total: 100, parts: parts)
    content.spans[0].next = next
    journal.content = content
    if let durable {
      content.spans[0].next = durable
      journal.durable = content
    }
    return journal
  }

  @Test func aJournalIsReadAsItWasWritten() throws {
    let journal = journal(parts: 2)
    #expect(TransferJournal(try journal.encoded()) == journal)
  }

  @Test func theFileTellsHowFarItHasCome() {
    let request = TransferJournal(method: "GET", url: "http://h/f", boot: "now")
    #expect(journal().kept(for: request, size: 60)?.count == 60)
    #expect(journal().kept(for: request, size: 40)?.count == 40)
    // Bytes are missing that the journal says are there.
    #expect(journal().kept(for: request, size: 39) == nil)
    // Bytes after the end are of no version.
    #expect(journal().kept(for: request, size: 120)?.count == 100)
    #expect(journal(parts: 2).kept(for: request, size: 100)?.count == 40)
  }

  @Test func afterARestartOfTheMachineOnlyWhatWasFlushedCounts() {
    let later = TransferJournal(method: "GET", url: "http://h/f", boot: "later")
    #expect(journal().kept(for: later, size: 60)?.count == 20)
    #expect(journal(durable: nil).kept(for: later, size: 60) == nil)
    #expect(journal().kept(for: later, size: 10) == nil)
  }

  @Test func anotherRequestKeepsNothing() {
    #expect(
      journal().kept(for: TransferJournal(method: "GET", url: "http://h/g", boot: "now"), size: 60) == nil
    )
    #expect(
      journal().kept(for: TransferJournal(method: "POST", url: "http://h/f", boot: "now"), size: 60) == nil
    )
    var weak = journal()
    weak.content?.validator = nil
    #expect(weak.kept(for: TransferJournal(method: "GET", url: "http://h/f", boot: "now"), size: 60) == nil)
  }

  /// Changed journals are refused, or say something that holds together.
  @Test func aDamagedJournalIsRefusedOrConsistent() throws {
    let bytes = try journal(parts: 3).encoded()
    for index in bytes.indices {
      for change in [UInt8(ascii: "0"), UInt8(ascii: "-"), UInt8(ascii: "9"), 0x00, 0xFF] {
        var changed = bytes
        changed[index] = change
        if let journal = TransferJournal(changed) {
          #expect(journal.content?.isConsistent ?? true)
          #expect(journal.durable?.isConsistent ?? true)
        }
      }
    }
    for count in 0..<bytes.count - 2 { #expect(TransferJournal(Array(bytes.prefix(count))) == nil) }
  }
}
