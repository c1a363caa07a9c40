#if Tool
  import Stagecoach

  /// How commands tell of what went wrong.
  enum Failures {
    /// Replaces the library's options in advice by the options of this tool.
    ///
    /// - Parameters:
    ///   - command: What failed if no stage did.
    ///   - limitAdvice: What to do about a body that is too long.
    static func explained(_ error: any Error, by command: String, limitAdvice: String = "raise --limit")
      -> any Error
    {
      guard var error = error as? ExchangeError else { return error }
      if error.stage.isEmpty { error.stage = command }
      switch error.kind {
      case .limit(.body): error.advice = limitAdvice
      case .timeout(.total), .timeout(.head), .timeout(.idle): error.advice = "raise --timeout"
      default: if let advice = connectionAdvice(error) { error.advice = advice }
      }
      return error
    }

    /// Writes the reason to standard error.
    static func tell(_ error: any Error) {
      switch error {
      case is CancellationError: StandardError.write("stagecoach: interrupted\n")
      case is BrokenPipe: break
      case let error as ExchangeError where error.underlying is BrokenPipe: break
      default: StandardError.write("\(error)\n")
      }
    }
  }
#endif
