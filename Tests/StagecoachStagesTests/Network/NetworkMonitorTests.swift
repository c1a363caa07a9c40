import TestSupport
import Testing

@testable import StagecoachCore
@testable import StagecoachStages

@Suite(.timeLimit(.minutes(1))) struct NetworkMonitorTests {
  @Test func startsAsUnknown() async {
    let network = ManualNetworkMonitor()
    #expect(network.status == .unknown)
    var statuses = network.statuses.makeAsyncIterator()
    #expect(await statuses.next() == .unknown)
  }

  @Test func everyReaderGetsThePresentStatusAndThenTheChanges() async {
    let network = ManualNetworkMonitor(.wired)
    var early = network.statuses.makeAsyncIterator()
    network.set(.offline)
    network.set(.offline)
    var late = network.statuses.makeAsyncIterator()
    network.set(.cellular)
    #expect(network.status == .cellular)
    var seen: [NetworkStatus?] = []
    for _ in 0..<3 { seen.append(await early.next()) }
    #expect(seen == [.wired, .offline, .cellular])
    #expect(await late.next() == .offline)
    #expect(await late.next() == .cellular)
  }

  @Test func aReaderThatStopsIsForgotten() async {
    let network = ManualNetworkMonitor(.wifi)
    for await status in network.statuses {
      #expect(status == .wifi)
      #expect(network.readerCount == 1)
      break
    }
    #expect(network.readerCount == 0)
    let reader = Task { for await _ in network.statuses {} }
    while network.readerCount == 0 { await Task.yield() }
    reader.cancel()
    await reader.value
    #expect(network.readerCount == 0)
  }

  @Test func aReaderThatLagsLosesTheOldest() async {
    let network = ManualNetworkMonitor(.offline)
    let statuses = network.statuses
    for _ in 0..<100 {
      network.set(.wifi)
      network.set(.offline)
    }
    network.set(.wired)
    var count = 0
    var last: NetworkStatus?
    for await status in statuses {
      (count, last) = (count + 1, status)
      if status == .wired { break }
    }
    #expect(count == 64 && last == .wired)
  }

  @Test func closingEndsAllSequences() async {
    let changes = Counter()
    let readers = NetworkStatusReaders(.wired) { changes.add() }
    let first = readers.add()
    readers.close()
    var seen: [NetworkStatus] = []
    for await status in first { seen.append(status) }
    #expect(seen == [.wired])
    for await status in readers.add() { seen.append(status) }
    #expect(seen == [.wired, .unknown])
    readers.set(.wifi)
    #expect(readers.status == .unknown && readers.count == 0)
    #expect(changes.value == 2)
  }
}
