#if Tool
  import HTTPTypes
  import Stagecoach

  extension HTTPResponse.Status {
    /// The code, and the phrase if there is one.
    var text: String {
      reasonPhrase.isEmpty ? "\(code)" : "\(code) \(reasonPhrase)".oneLine
    }
  }

  extension Duration {
    /// Milliseconds, rounded to three digits after the point.
    var milliseconds: Double {
      let parts = components
      let microseconds = Double(parts.seconds) * 1e6 + Double(parts.attoseconds) / 1e12
      return microseconds.rounded() / 1000
    }

    /// For people: `0.4 ms`, `87 ms`, `2.5 s`.
    var text: String {
      let milliseconds = milliseconds
      if milliseconds >= 1000 { return "\((milliseconds / 100).rounded() / 10) s" }
      if milliseconds >= 10 { return "\(Int(milliseconds.rounded())) ms" }
      return "\((milliseconds * 10).rounded() / 10) ms"
    }

    /// For people, of times that are estimates: `12 s`, `3 min`, `2 h 5 min`.
    var rough: String {
      let seconds = components.seconds
      if seconds < 60 { return "\(Swift.max(seconds, 1)) s" }
      if seconds < 3600 { return "\(seconds / 60) min" }
      return "\(seconds / 3600) h \(seconds / 60 % 60) min"
    }
  }

  extension Int64 {
    /// For people: `87 bytes`, `1.5 MiB`.
    var byteCount: String {
      if self < 1024 { return "\(self) \(self == 1 ? "byte" : "bytes")" }
      var value = Double(self)
      var unit = ""
      for next in ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] where value >= 1024 {
        value /= 1024
        unit = next
      }
      return "\((value * 10).rounded() / 10) \(unit)"
    }
  }

  extension String {
    /// The text with spaces behind it, up to a width.
    func padded(to width: Int) -> String {
      self + String(repeating: " ", count: Swift.max(0, width - count))
    }

    /// The text with spaces before it, up to a width.
    func aligned(to width: Int) -> String {
      String(repeating: " ", count: Swift.max(0, width - count)) + self
    }

    /// The text with characters that could forge lines or control a terminal replaced by spaces.
    var oneLine: String { Format.oneLine(self) }
  }
#endif
