#if Tool
  import Stagecoach
  import Synchronization

  /// Writes the timeline of exchanges to standard error while they happen.
  final class TraceMonitor: EventMonitor {
    private let timeline: Mutex<Timeline>

    /// - Parameter advice: Names the options of the command that limits refer to.
    init(advice: Advice) {
      timeline = Mutex(Timeline(palette: Palette(isTerminal: StandardError.isTerminal), advice: advice))
    }

    func receive(_ event: Event) {
      // Within the lock, so that lines come in the order of their times.
      timeline.withLock { timeline in
        guard let line = timeline.line(for: event) else { return }
        StandardError.write(line + "\n")
      }
    }
  }
#endif
