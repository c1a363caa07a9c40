import StagecoachCore
import Synchronization
import Testing

@testable import StagecoachTransfers

struct ProgressMeterTests {
  private final class Values: Sendable {
    private let values = Mutex<[TransferProgress]>([])
    var all: [TransferProgress] { values.withLock { $0 } }
    func add(_ value: TransferProgress) { values.withLock { $0.append(value) } }
  }

  @Test func updatesComeAtMostTenTimesASecond() {
    let time = ManualTime()
    let meter = ProgressMeter(clock: time)
    let values = Values()
    meter.updates.observe { values.add($0) }
    meter.begin(at: 0, of: 10_000)
    for _ in 0..<1000 {
      time.advance(by: .milliseconds(1))
      meter.received(more: 1)
    }
    meter.received(more: 9000)
    // The first, the length, ten of the second, and the end at once.
    #expect((12...14).contains(values.all.count))
    #expect(values.all.last?.received.bytes == 10_000)
    #expect(values.all.map(\.received.bytes) == values.all.map(\.received.bytes).sorted())
    #expect(meter.progress.received.fraction == 1)
  }

  @Test func measuresTheRateOfTheLastSeconds() {
    let time = ManualTime()
    let meter = ProgressMeter(clock: time)
    meter.begin(at: 500, of: 100_500)
    for _ in 0..<100 {
      meter.received(more: 100)
      time.advance(by: .milliseconds(100))
    }
    #expect(abs(meter.progress.received.rate - 1000) < 150)
    #expect(meter.progress.received.bytes == 10_500)
    let remaining = meter.progress.received.remaining ?? .zero
    #expect(remaining > .seconds(70) && remaining < .seconds(110))
    meter.rest()
    #expect(meter.progress.received.rate == 0)
    #expect(meter.progress.received.remaining == nil)
  }

  /// Nothing that comes later tells them.
  @Test(.timeLimit(.minutes(1))) func reportsTheLastBytesWithoutFurtherOnes() async {
    let time = ManualTime()
    let meter = ProgressMeter(clock: time)
    let (values, continuation) = AsyncStream<TransferProgress>.makeStream()
    meter.updates.observe { continuation.yield($0) }
    meter.begin(at: 0, of: 10_000)
    for _ in 0..<11 {
      meter.received(more: 100)
      time.advance(by: .milliseconds(90))
    }
    meter.received(more: 1)
    for _ in 0..<8 {
      await time.sleepers(atLeast: 1)
      time.advance(by: .milliseconds(250))
    }
    await time.sleepers(atLeast: 1)
    time.advance(by: .seconds(10))
    var rates: [Double] = []
    for await value in values where value.received.bytes == 1101 {
      rates.append(value.received.rate)
      if value.received.rate == 0 { break }
    }
    #expect(rates.count > 5 && rates == rates.sorted(by: >), "\(rates)")
    #expect(meter.progress.received.rate == 0)
  }

  @Test func whatIsSentAgainCountsOnce() {
    let meter = ProgressMeter(clock: ManualTime())
    for bytes in [10, 20, 30, 5, 15, 30, 40] as [Int64] { meter.sent(bytes, of: 40) }
    #expect(meter.progress.sent.bytes == 40)
    #expect(meter.progress.sent.total == 40)
    meter.begin(at: 0, of: 100)
    meter.received(more: 60)
    meter.begin(at: 60, of: 100)
    #expect(meter.progress.received.bytes == 60)
    meter.begin(at: 0, of: 50, isAnew: true)
    #expect(meter.progress.received.bytes == 0)
    #expect(meter.progress.restarts == 1)
  }

  @Test func aFractionIsAtMostOneOrUnknown() {
    #expect(TransferProgress.Count(bytes: 5, total: nil).fraction == nil)
    #expect(TransferProgress.Count(bytes: 5, total: 10).fraction == 0.5)
    #expect(TransferProgress.Count(bytes: 15, total: 10).fraction == 1)
    #expect(TransferProgress.Count(bytes: 0, total: 0).fraction == 1)
    #expect("\(TransferProgress())" == "nothing yet")
  }
}
