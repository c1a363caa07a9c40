#if Tool
  import StagecoachTransfers
  import Synchronization

  /// Shows on a terminal how much of a body has come; ten times a second at most.
  final class ProgressBar: Sendable {
    private static let width = 30
    private static let interval = Duration.milliseconds(100)

    private struct State {
      var shown: ContinuousClock.Instant?
      var isVisible = false
    }

    private let start = ContinuousClock.now
    private let state = Mutex(State())

    /// Takes note of bytes that came since the bar was made; their rate is that of the whole time.
    func update(_ bytes: Int64, of total: Int64?) {
      let time = (ContinuousClock.now - start) / .seconds(1)
      update(.init(bytes: bytes, total: total, rate: time > 0 ? Double(bytes) / time : 0))
    }

    /// Takes note of progress.
    func update(_ count: TransferProgress.Count) {
      let now = ContinuousClock.now
      let isDue = state.withLock { state in
        guard state.shown.map({ now - $0 >= Self.interval }) ?? true else { return false }
        state.shown = now
        state.isVisible = true
        return true
      }
      guard isDue else { return }
      StandardError.write("\r\u{1b}[K" + Self.text(count))
    }

    /// Takes the bar away.
    func clear() {
      let wasVisible = state.withLock { state in
        defer { state.isVisible = false }
        return state.isVisible
      }
      if wasVisible { StandardError.write("\r\u{1b}[K") }
    }

    /// The line for a moment.
    private static func text(_ count: TransferProgress.Count) -> String {
      var amount = count.bytes.byteCount
      if count.rate > 0 { amount += ", \(Int64(min(count.rate, 1e18)).byteCount)/s" }
      guard let share = count.fraction else { return amount }
      if share < 1, let rest = count.remaining { amount += ", \(rest.rough) left" }
      let filled = Int(share * Double(width))
      let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
      return "[\(bar)] \(String(Int(share * 100)).aligned(to: 3)) %  \(amount)"
    }
  }
#endif
