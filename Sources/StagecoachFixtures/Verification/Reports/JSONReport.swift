import StagecoachCore

/// A report as JSON.
struct JSONReport {
  static let format = "stagecoach-verification/1"

  let report: VerificationReport

  init(_ report: VerificationReport) {
    self.report = report
  }

  var value: JSONValue {
    var summary = JSONObject()
    for outcome in VerificationReport.Outcome.allCases {
      summary.add(outcome.rawValue, .number(JSONNumber(report.count(outcome))))
    }
    return [
      "format": .string(Self.format),
      "agreed": .bool(report.isAgreed),
      "summary": .object(summary),
      "exchanges": .array(report.exchanges.map(value)),
    ]
  }

  private func value(_ exchange: VerificationReport.Exchange) -> JSONValue {
    var object = JSONObject()
    object.add("source", .string(exchange.source))
    object.add("id", .string(exchange.id))
    object.add("title", .string(exchange.title))
    object.add("file", .text(exchange.file))
    object.add("line", exchange.line.map { .number(JSONNumber($0)) })
    object.add("outcome", .string(exchange.outcome.rawValue))
    object.add("differences", .array(exchange.differences.map(value)))
    object.add("warnings", .texts(exchange.warnings))
    object.add("comments", .texts(exchange.comments))
    object.add("request", exchange.request.map(value))
    object.add("expected", value(exchange.expected))
    object.add("reply", exchange.reply.map(value))
    object.add("timing", exchange.timing.map(value))
    return .object(object)
  }

  private func value(_ difference: VerificationReport.Difference) -> JSONValue {
    var object = JSONObject()
    object.add("place", .string(difference.place))
    object.add("drift", .string(difference.drift.rawValue))
    object.add("mismatch", .bool(difference.isMismatch))
    object.add("message", .string(difference.message))
    object.add("expected", .text(difference.expected))
    object.add("actual", .text(difference.actual))
    return .object(object)
  }

  private func value(_ message: VerificationReport.Message) -> JSONValue {
    var object = JSONObject()
    object.add("start", .string(message.start))
    object.add("fields", .array(message.fields.map { [.string($0.name), .string($0.value)] }))
    object.add("body", .text(message.body))
    return .object(object)
  }

  /// Times are in milliseconds: of the start since the verification began, the others since the request was sent.
  private func value(_ timing: VerificationReport.Timing) -> JSONValue {
    [
      "start": timing.start.reportNumber,
      "head": timing.head.reportNumber,
      "chunks": .array(timing.chunks.map { [$0.time.reportNumber, .number(JSONNumber($0.bytes))] }),
      "end": timing.end.reportNumber,
    ]
  }
}

/// The exchanges that did not agree, in a report in JSON.
struct FailedExchanges {
  private struct Key: Hashable {
    let source: String
    let id: String
  }

  private var keys: Set<Key> = []

  /// - Throws: `JSONSyntaxError`; ``VerificationReportError``.
  init(report: [UInt8]) throws {
    let value = try JSONValue(parsing: report)
    guard value["format"]?.stringValue == JSONReport.format, let exchanges = value["exchanges"]?.arrayValue
    else {
      throw VerificationReportError()
    }
    let good: [VerificationReport.Outcome] = [.agreed, .skipped]
    for exchange in exchanges {
      guard let source = exchange["source"]?.stringValue, let id = exchange["id"]?.stringValue,
        let outcome = exchange["outcome"]?.stringValue
      else { throw VerificationReportError() }
      if !good.contains(where: { $0.rawValue == outcome }) { keys.insert(Key(source: source, id: id)) }
    }
  }

  func contains(_ interaction: ContractInteraction) -> Bool {
    keys.contains(
      Key(source: Format.oneLine(interaction.source), id: Format.oneLine(interaction.id))
    )
  }
}

/// A file that is not a report in JSON.
public struct VerificationReportError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong.
  public var description: String {
    "not a report of a verification in JSON (format \"\(JSONReport.format)\")"
  }
}
