import StagecoachCore

/// The exchanges of one call that a recorder has seen, so that each names the one that led to it.
struct RecordedCall: Sendable {
  private static let state = ExchangeState(RecordedCall())

  private struct Sent: Sendable {
    var position: Int
    var hop: Int32
    var status: Int?
  }

  private var sent: [Sent] = []

  /// Adds a request of a call.
  ///
  /// - Returns: The request of the call before it, and why this one follows.
  static func add(_ request: Request, _ position: Int) -> RecordedExchange.Cause? {
    request.exchange?.withState(state) { call in
      let last = call.sent.last
      call.sent.append(Sent(position: position, hop: request.hop))
      return last.map { last in
        let kind: Scenario.Cause.Kind =
          if last.hop < request.hop {
            .redirect
          } else if last.status == 401 || last.status == 407 {
            .challenge
          } else {
            .retry
          }
        return RecordedExchange.Cause(kind: kind, position: last.position)
      }
    } ?? nil
  }

  /// Notes the status of a reply.
  static func note(_ status: Int, of position: Int, _ request: Request) {
    request.exchange?.withState(state) { call in
      guard let index = call.sent.firstIndex(where: { $0.position == position }) else { return }
      call.sent[index].status = status
    }
  }
}
