import HTTPTypes
import StagecoachCore

extension RetryRun {
  private enum Step: Sendable {
    case ended(Outcome, isSecond: Bool)
    case delayPassed
  }

  /// Makes an attempt, and a second one if the first has no response after a delay: the first good response
  /// wins, and the other attempt is cancelled.
  ///
  /// If both fail, the later failure is returned, unless only the earlier has Retry-After.
  mutating func hedge(after delay: Duration) async throws -> Outcome {
    let (request, next, limit, time) = (request, next, policy.attemptTimeout, time)
    let due = time.now.advanced(by: max(.zero, delay))
    var second: Request?
    var loser: Outcome?
    var arrival: Duration?
    let winner = try await withThrowingTaskGroup(of: Step.self) { group in
      group.addTask { .ended(try await Self.send(request, next, within: limit), isSecond: false) }
      group.addTask {
        try? await time.sleep(until: due)
        return .delayPassed
      }
      while let step = try await group.next() {
        switch step {
        case .delayPassed:
          try Task.checkCancellation()
          guard budget.withdraw(for: request) else {
            request.emit(RetryEvent.budgetEmpty)
            continue
          }
          var copy = request
          copy.attempt += 1
          copy.begin()
          // Else it would wait for the request that it is to overtake.
          copy.options.coalesces = false
          let hedge = copy
          second = hedge
          request.emit(RetryEvent.hedged(after: delay))
          group.addTask { .ended(try await Self.send(hedge, next, within: limit), isSecond: true) }
        case .ended(let outcome, let isSecond):
          // The first to fail waits for the other, if there is one.
          if !isGood(outcome), second != nil, loser == nil {
            loser = outcome
            arrival = request.exchange?.elapsed
            continue
          }
          group.cancelAll()
          while let late = await group.nextResult() {
            if case .success(.ended(.response(let response), _)) = late { response.body.cancel() }
          }
          if isSecond, isGood(outcome) { second?.emit(RetryEvent.hedgeWon) }
          return outcome
        }
      }
      throw CancellationError()
    }
    if second != nil { advance() }
    guard let loser else { return winner }
    if isGood(winner) {
      await leave(loser, since: arrival, isHurried: true)
      return winner
    }
    // What a server says of when to come back outlives a failure that says nothing.
    let isPushedBack = facts(loser)?.isPushBack == true && facts(winner)?.isPushBack != true
    await leave(isPushedBack ? winner : loser, since: isPushedBack ? request.exchange?.elapsed : arrival)
    return isPushedBack ? loser : winner
  }

  private func isGood(_ outcome: Outcome) -> Bool {
    guard case .response(let response) = outcome else { return false }
    let facts = FailedAttempt(request, attempt: attempt, error: nil, response: response.head)
    return !policy.repeats(response.status.code, facts)
  }
}
