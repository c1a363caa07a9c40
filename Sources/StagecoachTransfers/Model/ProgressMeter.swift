import StagecoachCore
import Synchronization

/// Counts the bytes of a transfer, and tells its observers at most ten times a second.
final class ProgressMeter: Sendable {
  private struct Meter {
    var progress = TransferProgress()
    var sent = RateWindow()
    var received = RateWindow()
    var told: ContinuousClock.Instant?
    var isWatched = false

    var moves: Bool { !(sent.isEmpty && received.isEmpty) }

    mutating func measure(at now: ContinuousClock.Instant) {
      progress.sent.rate = sent.rate(at: now)
      progress.received.rate = received.rate(at: now)
    }
  }

  private static let interval = Duration.milliseconds(100)
  /// How long nothing is told before it is noticed that nothing comes any more.
  private static let silence = Duration.milliseconds(250)

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
      meter.sent.add(bytes - meter.progress.sent.bytes, at: now)
      meter.progress.sent.bytes = bytes
      return bytes == meter.progress.sent.total
    }
  }

  /// Notes more bytes of the response's content.
  func received(more count: Int) {
    change { meter, now in
      meter.progress.received.bytes += Int64(count)
      meter.received.add(Int64(count), at: now)
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
      meter.sent = RateWindow()
      meter.received = RateWindow()
      return true
    }
  }

  /// - Parameter change: Returns whether the observers are told at once.
  private func change(_ change: (inout Meter, ContinuousClock.Instant) -> Bool) {
    let now = clock.now
    let (isDue, isUnwatched) = meter.withLock { meter -> (Bool, Bool) in
      let isUrgent = change(&meter, now)
      meter.measure(at: now)
      let isDue = isUrgent || meter.told.map { now - $0 >= Self.interval } ?? true
      if isDue { meter.told = now }
      let isUnwatched = !meter.isWatched && meter.moves
      if isUnwatched { meter.isWatched = true }
      return (isDue, isUnwatched)
    }
    if isDue { tell() }
    if isUnwatched { watch() }
  }

  /// Tells what was not due when it came, and the falling rate, where nothing comes after it.
  private func watch() {
    Task { [weak self, clock] in
      repeat {
        try await clock.sleep(until: clock.now + Self.silence)
      } while self?.notice() == true
    }
  }

  /// Returns whether bytes have moved in the last seconds.
  private func notice() -> Bool {
    let now = clock.now
    let (isSilent, moves) = meter.withLock { meter -> (Bool, Bool) in
      let isSilent = meter.told.map { now - $0 >= Self.silence } ?? true
      if isSilent {
        meter.measure(at: now)
        meter.told = now
      }
      meter.isWatched = meter.moves
      return (isSilent, meter.moves)
    }
    if isSilent { tell() }
    return moves
  }

  private func tell() {
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
  private static let length = Duration.seconds(4)

  var isEmpty: Bool { slots.isEmpty }

  mutating func add(_ bytes: Int64, at now: ContinuousClock.Instant) {
    if let last = slots.indices.last, now - slots[last].start < Self.slot {
      slots[last].bytes += bytes
    } else {
      slots.append((now, bytes))
    }
  }

  /// Forgets older bytes and returns the rate per second; 0 until half a second has passed.
  mutating func rate(at now: ContinuousClock.Instant) -> Double {
    slots.removeAll { now - $0.start >= Self.length }
    guard let first = slots.first else { return 0 }
    let time = (now - first.start) / .seconds(1)
    guard time >= 0.5 else { return 0 }
    return Double(slots.reduce(0) { $0 + $1.bytes }) / time
  }
}
