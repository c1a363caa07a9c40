#if Tool
  import HTTPTypes
  import Stagecoach

  /// Formats the events of exchanges as lines: the time, then the event, indented by its depth in the pipeline.
  struct Timeline {
    let palette: Palette
    private let advice: Advice
    private var depth = 0
    private var start: ContinuousClock.Instant?

    /// - Parameter advice: Names the options of the command that limits refer to.
    init(palette: Palette, advice: Advice) {
      self.palette = palette
      self.advice = advice
    }

    /// Returns the line for the next event; `nil` for events that are not shown.
    mutating func line(for event: Event) -> String? {
      if case .exchangeStarted = event.kind {
        start = event.time
        depth = 0
      }
      guard let text = text(for: event) else { return nil }
      let time = (event.time - (start ?? event.time)).text.aligned(to: 8)
      return "\(palette.dim(time))  \(text)"
    }

    private mutating func text(for event: Event) -> String? {
      switch event.kind {
      case .stageEntered(let name):
        defer { depth += 1 }
        return indented("\(palette.dim("▸")) \(palette.cyan(name))")
      case .stageReturned(let name, let status):
        depth = max(0, depth - 1)
        return indented("\(palette.dim("◂")) \(palette.cyan(name)) \(painted(status))")
      case .stageFailed(let name, let error):
        depth = max(0, depth - 1)
        return indented("\(palette.red("✗")) \(palette.cyan(name)) \(failure(error))")
      case .serializationStarted(let name):
        return indented("\(palette.dim("▸")) \(palette.cyan(name.oneLine))")
      case .serializationFinished(let name):
        return indented("\(palette.dim("◂")) \(palette.cyan(name.oneLine)) value complete")
      case .serializationFailed(let name, let error):
        return indented("\(palette.red("✗")) \(palette.cyan(name.oneLine)) \(failure(error))")
      default:
        return detail(of: event.kind).map { indented("  " + $0) }
      }
    }

    private func detail(of kind: Event.Kind) -> String? {
      switch kind {
      case .exchangeStarted(let head): describe(head)
      case .exchangeFinished: palette.green("finished")
      case .exchangeFailed(let error): palette.red("failed: ") + failure(error)
      case .exchangeCancelled: palette.yellow("cancelled, or the body was dropped")
      case .deadlineSet(let duration): "total timeout: \(duration.text)"
      case .connection(let event): "\(event)".oneLine
      case .requestHeadSent: "head sent"
      case .requestSent: "request sent"
      case .requestFailed: palette.yellow("request not sent completely")
      case .informationalResponse(let head): "interim response: \(painted(head.status))"
      case .responseHeadReceived(let head): describe(head)
      case .responseTrailers(let fields):
        "trailers: \(fields.map { "\($0)" }.joined(separator: ", "))".oneLine
      case .responseFinished(let bytes): "body complete, \(bytes.byteCount)"
      case .responseBodyFailed: palette.yellow("body not read completely")
      case .validationPassed: palette.green("acceptable")
      case .validationFailed(let kind): palette.red("refused: \(kind)")
      case .stage(let choice as SerializerChoice): "chose \(choice)".oneLine
      case .stage(let event): event.description.oneLine
      case .violationTolerated(let violation): palette.yellow("tolerated: \(violation)".oneLine)
      case .limitReached(let limit):
        palette.yellow("limit exceeded: \(advice.shown(limit))")
      default: nil
      }
    }

    private func describe(_ head: HTTPRequest) -> String {
      let target = "\(head.scheme ?? "")://\(head.authority ?? "")\(head.path ?? "")".oneLine
      return "\(palette.bold(head.method.rawValue)) \(target)"
    }

    private func describe(_ head: HTTPResponse) -> String {
      let type = head.headerFields[.contentType].map { ", \($0.oneLine)" } ?? ""
      return "head received: \(painted(head.status))\(type)"
    }

    private func painted(_ status: HTTPResponse.Status) -> String {
      let text = status.text
      return switch status.kind {
      case .successful: palette.green(text)
      case .clientError, .serverError, .invalid: palette.red(text)
      default: palette.yellow(text)
      }
    }

    private func failure(_ error: any Error) -> String {
      palette.red("[\(StageRecord.kind(of: error))]")
    }

    private func indented(_ text: String) -> String {
      String(repeating: "  ", count: depth) + text
    }
  }
#endif
