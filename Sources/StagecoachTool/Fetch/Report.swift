#if Tool
  import HTTPTypes
  import Stagecoach

  /// The object that `--report json` prints: what was sent last, what came back, which stages did what, and
  /// how it ended. Secrets are removed from fields and URLs.
  struct Report {
    let log: EventLog
    let last: NotingTransport.Note?
    let result: Result<FetchOutput, any Error>

    /// The keys are `request`, `response`, `value` or `body` (with `bodyEncoding`, or the `file` and `bytes` of what
    /// was written as it came), `stages`, `timings` and `error`, in this order; times are in milliseconds from the
    /// start of the exchange.
    var value: JSONValue {
      var members = [
        JSONObject.Member(key: "request", value: request),
        JSONObject.Member(key: "response", value: response),
      ]
      members += content
      members += [
        JSONObject.Member(key: "stages", value: stages),
        JSONObject.Member(key: "timings", value: timings),
        JSONObject.Member(key: "error", value: error),
      ]
      return .object(JSONObject(members))
    }

    private var failure: ExchangeError? {
      if case .failure(let error) = result { error as? ExchangeError } else { nil }
    }

    private var request: JSONValue {
      // Without an authority no request came to be.
      guard let head = last?.request ?? log.request ?? failure?.request, let authority = head.authority else {
        return .null
      }
      let url = "\(head.scheme ?? "")://\(authority)\(head.path ?? "")"
      return [
        "method": .string(head.method.rawValue), "url": .string(url), "fields": Self.pairs(head.headerFields),
      ]
    }

    private var response: JSONValue {
      guard let head = last?.response ?? failure?.response else { return .null }
      return [
        "status": .number(JSONNumber(head.status.code)), "fields": Self.pairs(head.headerFields),
        "version": last?.version.map { .string($0.description) } ?? .null,
      ]
    }

    /// Of a refused response what the error kept of the body.
    private var content: [JSONObject.Member] {
      switch result {
      case .success(let output): output.reportMembers
      case .failure: failure.map { $0.bodyPrefix.isEmpty ? [] : $0.bodyPrefix.reportMembers } ?? []
      }
    }

    private var stages: JSONValue {
      .array(
        StageRecord.records(of: log.events).map { record in
          [
            "stage": .string(record.name), "entered": Self.milliseconds(record.entered),
            "left": Self.milliseconds(record.left), "outcome": record.outcome.map { .string($0) } ?? .null,
          ]
        }
      )
    }

    private var timings: JSONValue {
      let events = log.events
      guard let start = events.first?.time else { return .null }
      func last(_ isWanted: (Event.Kind) -> Bool) -> JSONValue {
        Self.milliseconds(events.last { isWanted($0.kind) }.map { $0.time - start })
      }
      return [
        "requestSent": last { if case .requestSent = $0 { true } else { false } },
        "headReceived": last { if case .responseHeadReceived = $0 { true } else { false } },
        "bodyEnd": last { if case .responseFinished = $0 { true } else { false } },
        "total": last { _ in true },
      ]
    }

    private var error: JSONValue {
      guard case .failure(let error) = result else { return .null }
      let failure = error as? ExchangeError
      return [
        "stage": .string(failure?.stage ?? "fetch"), "kind": .string(StageRecord.kind(of: error)),
        "message": .string(failure?.message ?? "\(error)"),
      ]
    }

    /// Order and duplicates survive.
    private static func pairs(_ fields: HTTPFields) -> JSONValue {
      .array(fields.map { [.string($0.name.rawName), .string($0.value)] })
    }

    private static func milliseconds(_ duration: Duration?) -> JSONValue {
      duration.flatMap { JSONNumber($0.milliseconds) }.map { .number($0) } ?? .null
    }
  }
#endif
