#if Tool
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

    /// Takes note of progress.
    func update(_ bytes: Int64, of total: Int64?) {
      let now = ContinuousClock.now
      let isDue = state.withLock { state in
        guard state.shown.map({ now - $0 >= Self.interval }) ?? true else { return false }
        state.shown = now
        state.isVisible = true
        return true
      }
      guard isDue else { return }
      StandardError.write("\r\u{1b}[K" + Self.text(bytes, of: total, after: now - start))
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
    static func text(_ bytes: Int64, of total: Int64?, after time: Duration) -> String {
      let milliseconds = time.milliseconds
      let rate = milliseconds > 0 ? Int64(Double(bytes) / milliseconds * 1000) : 0
      let speed = "\(bytes.byteCount), \(rate.byteCount)/s"
      guard let total, total > 0 else { return speed }
      let share = min(1, Double(bytes) / Double(total))
      let filled = Int(share * Double(width))
      let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
      return "[\(bar)] \(String(Int(share * 100)).aligned(to: 3)) %  \(speed)"
    }
  }
#endif
