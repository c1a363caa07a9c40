/// The exchanges of one call that a recorder has seen, so that each names the one that led to it.
struct RecordedCall: Sendable {
  private struct Sent: Sendable {
    var position: Int
    var hop: Int32
    var status: Int?
  }

  private var sent: [Sent] = []

  /// Adds a request of the call.
  ///
  /// - Returns: The request of the call before it, and why this one follows.
  mutating func add(_ position: Int, hop: Int32) -> RecordedExchange.Cause? {
    let last = sent.last
    sent.append(Sent(position: position, hop: hop))
    return last.map { last in
      let kind: Scenario.Cause.Kind =
        if last.hop < hop {
          .redirect
        } else if last.status == 401 || last.status == 407 {
          .challenge
        } else {
          .retry
        }
      return RecordedExchange.Cause(kind: kind, position: last.position)
    }
  }

  /// Notes the status of a reply.
  mutating func note(_ status: Int, of position: Int) {
    guard let index = sent.firstIndex(where: { $0.position == position }) else { return }
    sent[index].status = status
  }
}
