import StagecoachTransfers
import Testing

struct TransferStateTests {
  @Test func allowsOnlyTheListedTransitions() {
    let always: Set<[TransferState]> = [
      [.ready, .executing], [.ready, .paused], [.executing, .paused], [.executing, .finished],
      [.paused, .ready],
    ]
    let cancelled: Set<[TransferState]> = [[.ready, .finished], [.paused, .finished]]
    var legal = 0
    for from in TransferState.allCases {
      for next in TransferState.allCases {
        #expect(from.canBecome(next, isCancelled: false) == always.contains([from, next]), "\(from) \(next)")
        #expect(
          from.canBecome(next, isCancelled: true)
            == (always.contains([from, next]) || cancelled.contains([from, next])),
          "\(from) \(next), cancelled"
        )
        if from.canBecome(next, isCancelled: true) { legal += 1 }
      }
    }
    #expect(legal == 7)
  }
}
