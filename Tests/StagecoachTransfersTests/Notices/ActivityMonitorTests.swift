import StagecoachCore
import StagecoachSerializers
import StagecoachTransfers
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct ActivityMonitorTests {
  @Test func plainExchangesAndTransfersCount() async throws {
    let (origin, time) = (PacedOrigin(isHeld: true), ManualTime())
    let monitor = ActivityMonitor(clock: time)
    let client = try origin.client(.init(monitors: [monitor]))
    var changes = monitor.changes.makeAsyncIterator()
    #expect(await changes.next() == false)
    let transfer = client.transfer(.get("a"), as: .data)
    async let plain = client.value(for: .get("b"), as: .data)
    transfer.start()
    await origin.requests(atLeast: 2)
    #expect(!monitor.isActive)
    await time.sleepers(atLeast: 1)
    time.advance(by: .seconds(1))
    #expect(await changes.next() == true)
    // A paused transfer does not count.
    origin.releaseOne()
    origin.releaseOne()
    _ = try await plain
    _ = try await transfer.value()
    #expect(monitor.isActive)
    await time.sleepers(atLeast: 1)
    time.advance(by: .milliseconds(170))
    #expect(await changes.next() == false)
    #expect(!monitor.isActive)
  }

  @Test func aPausedTransferDoesNotCountAsActivity() async throws {
    let (origin, time) = (PacedOrigin(isHeld: true), ManualTime())
    let monitor = ActivityMonitor(clock: time)
    let transfer = try origin.client(.init(monitors: [monitor])).transfer(.get("a"), as: .data)
    var changes = monitor.changes.makeAsyncIterator()
    #expect(await changes.next() == false)
    transfer.start()
    await time.sleepers(atLeast: 1)
    time.advance(by: .seconds(1))
    #expect(await changes.next() == true)
    transfer.pause()
    await time.sleepers(atLeast: 1)
    time.advance(by: .milliseconds(170))
    #expect(await changes.next() == false)
    transfer.resume()
    await time.sleepers(atLeast: 1)
    time.advance(by: .seconds(1))
    #expect(await changes.next() == true)
    origin.release()
    _ = try await transfer.value()
    await time.sleepers(atLeast: 1)
    time.advance(by: .milliseconds(170))
    #expect(await changes.next() == false)
  }

  @Test func theStreamEndsWithTheMonitor() async {
    var monitor: ActivityMonitor? = ActivityMonitor(clock: ManualTime())
    let changes = monitor?.changes
    monitor?.begin()
    monitor = nil
    var values: [Bool] = []
    if let changes { for await value in changes { values.append(value) } }
    #expect(values == [false])
  }

  @Test func theCountIsRightFromManyThreads() async {
    let time = ManualTime()
    let monitor = ActivityMonitor(startDelay: .zero, endDelay: .zero, clock: time)
    var changes = monitor.changes.makeAsyncIterator()
    #expect(await changes.next() == false)
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<1000 {
            monitor.begin()
            monitor.end()
          }
        }
      }
    }
    // Nothing is under way, so one more piece of work begins and ends the activity.
    monitor.begin()
    while !monitor.isActive { await Task.yield() }
    monitor.end()
    while monitor.isActive { await Task.yield() }
  }
}
