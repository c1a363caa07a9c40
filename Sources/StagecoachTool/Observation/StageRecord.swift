#if Tool
  import HTTPTypes
  import Stagecoach

  /// A record of one stage or serializer in an exchange.
  struct StageRecord {
    let name: String
    /// The time when it was entered, relative to the start of the exchange.
    let entered: Duration
    /// The time when it returned or threw; `nil` if neither happened.
    var left: Duration?
    /// The outcome: a status, `finished`, or the kind of an error.
    var outcome: String?

    /// The records of one exchange, in the order in which stages were entered.
    static func records(of events: [Event]) -> [StageRecord] {
      guard let start = events.first?.time else { return [] }
      var records: [StageRecord] = []
      func leave(_ name: String, _ event: Event, _ outcome: String) {
        guard let index = records.lastIndex(where: { $0.name == name && $0.left == nil }) else { return }
        records[index].left = event.time - start
        records[index].outcome = outcome
      }
      for event in events {
        switch event.kind {
        case .stageEntered(let name), .serializationStarted(let name):
          records.append(StageRecord(name: name, entered: event.time - start))
        case .stageReturned(let name, let status): leave(name, event, status.text)
        case .serializationFinished(let name): leave(name, event, "finished")
        case .stageFailed(let name, let error), .serializationFailed(let name, let error):
          leave(name, event, Self.kind(of: error))
        default: break
        }
      }
      return records
    }

    /// The name of an error's kind.
    static func kind(of error: any Error) -> String {
      switch error {
      case let error as ExchangeError: error.kind.description
      case is CancellationError: "cancelled"
      default: "\(type(of: error))"
      }
    }
  }
#endif
