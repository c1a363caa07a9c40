import StagecoachCore
import Synchronization

/// Counts the bytes of a transfer, and tells its observers at most ten times a second.
final class ProgressMeter: Sendable {
  private struct Meter {
    var progress = TransferProgress()
    var sent = RateWindow()
    var received = RateWindow()
    var told: ContinuousClock.Instant?
  }

  private static let interval = Duration.milliseconds(100)

  private let broadcast: Broadcast<TransferProgress>
  private let meter = Mutex(Meter())
  private let clock: any TimeSource

  init(clock: any TimeSource) {
    self.clock = clock
    broadcast = Broadcast(TransferProgress())
  }

  /// The current counts.
  var progress: TransferProgress { meter.withLock { $0.progress } }

  var updates: Broadcast<TransferProgress> { broadcast }

  /// Notes how much of the request's content has been sent. Content that is sent again counts once.
  func sent(_ bytes: Int64, of total: Int64?) {
    change { meter, now in
      meter.progress.sent.total = total ?? meter.progress.sent.total
      guard bytes > meter.progress.sent.bytes else { return false }
      meter.progress.sent.rate = meter.sent.rate(at: now, afterMore: bytes - meter.progress.sent.bytes)
      meter.progress.sent.bytes = bytes
      return bytes == meter.progress.sent.total
    }
  }

  /// Notes more bytes of the response's content.
  func received(more count: Int) {
    change { meter, now in
      meter.progress.received.bytes += Int64(count)
      meter.progress.received.rate = meter.received.rate(at: now, afterMore: Int64(count))
      return meter.progress.received.bytes == meter.progress.received.total
    }
  }

  /// Notes what is kept of the response's content, and how much it is in all.
  ///
  /// - Parameter isAnew: Whether what was received before does not count any more.
  func begin(at bytes: Int64, of total: Int64?, isAnew: Bool = false) {
    change { meter, now in
      if isAnew { meter.progress.restarts += 1 }
      meter.progress.received.bytes = isAnew ? bytes : max(bytes, meter.progress.received.bytes)
      meter.progress.received.total = total
      meter.received = RateWindow()
      return true
    }
  }

  /// Tells the observers the last counts, and that nothing moves.
  func rest() {
    change { meter, _ in
      meter.progress.sent.rate = 0
      meter.progress.received.rate = 0
      meter.sent = RateWindow()
      meter.received = RateWindow()
      return true
    }
  }

  /// - Parameter change: Returns whether the observers are told at once.
  private func change(_ change: (inout Meter, ContinuousClock.Instant) -> Bool) {
    let now = clock.now
    let isDue = meter.withLock { meter -> Bool in
      let isUrgent = change(&meter, now)
      if !isUrgent, let told = meter.told, now - told < Self.interval { return false }
      meter.told = now
      return true
    }
    guard isDue else { return }
    broadcast.update { value in
      // Taken here, so that of two changes at the same time the later one is told last.
      let progress = meter.withLock { $0.progress }
      guard progress != value else { return false }
      value = progress
      return true
    }
  }
}

/// The bytes of the last seconds.
struct RateWindow: Sendable {
  private var slots: [(start: ContinuousClock.Instant, bytes: Int64)] = []

  private static let slot = Duration.milliseconds(500)
  private static let length = 8

  /// Adds bytes and returns the rate per second; 0 until half a second has passed.
  mutating func rate(at now: ContinuousClock.Instant, afterMore bytes: Int64) -> Double {
    if let last = slots.indices.last, now - slots[last].start < Self.slot {
      slots[last].bytes += bytes
    } else {
      if slots.count == Self.length { slots.removeFirst() }
      slots.append((now, bytes))
    }
    let time = (now - slots[0].start) / .seconds(1)
    guard time >= 0.5 else { return 0 }
    return Double(slots.reduce(0) { $0 + $1.bytes }) / time
  }
}
