#if Tool
  import ArgumentParser
  import Stagecoach
  import StagecoachScenarios

  /// How commands tell of what went wrong.
  enum Failures {
    /// Returns an error with the options of a command in place of the library's, and with its name if no stage failed.
    static func explained(_ error: any Error, by command: any ParsableCommand.Type) -> any Error {
      guard let error = error as? ExchangeError else { return error }
      let advice = Advice(of: command)
      var explained = advice.translated(error)
      if let text = connectionAdvice(error), advice.hasOptions(of: text) {
        // The advice about a status begins with its reason.
        let reason = error.kind == .status ? explained.advice : nil
        explained.advice = [reason, text].compactMap(\.self).joined(separator: "; ")
      }
      if explained.stage.isEmpty { explained.stage = advice.command }
      return explained
    }

    /// Writes the reason to standard error.
    static func tell(_ error: any Error) {
      switch error {
      case is CancellationError: StandardError.write("stagecoach: interrupted\n")
      case is BrokenPipe: break
      case let error as ExchangeError where error.underlying is BrokenPipe: break
      default: StandardError.write("\(Format.lines("\(error)"))\n")
      }
    }
  }
#endif
