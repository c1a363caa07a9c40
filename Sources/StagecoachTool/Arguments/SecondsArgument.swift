#if Tool
  import ArgumentParser

  /// A time, as `--timeout` takes it: seconds, also with a fraction, up to a year.
  struct SecondsArgument: ExpressibleByArgument {
    let duration: Duration

    init?(argument: String) {
      guard let seconds = Double(argument), seconds > 0, seconds <= 31_536_000 else { return nil }
      duration = .seconds(seconds)
    }
  }
#endif
