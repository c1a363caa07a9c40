#if Images
  import StagecoachCore
  import Synchronization

  /// Loads a value once for all callers that ask for it at the same time.
  ///
  /// The stage `Coalescing` shares responses: each request would decode its own copy of an image, and hold its own slot.
  /// Here the callers share the decoded value.
  ///
  /// A load runs in its own task, because it must continue when the first caller is cancelled and others wait. The task
  /// inherits the priority and the task-local values of the first caller. It is cancelled with the last caller.
  final class SharedLoads<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Work = @Sendable () async throws -> Value

    private let flights = Mutex<[Key: Flight<Value>]>([:])

    /// The number of callers that wait.
    var waiting: Int { flights.withLock { $0.values.reduce(0) { $0 + $1.waiting } } }

    /// Waits for the value of a key.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - prepare: Returns the work, and reserves what it needs in the order of calls; called under a lock, only if
    ///     there is no load of this key.
    /// - Throws: The error of the work; `CancellationError` if the task of the caller is cancelled.
    func value(for key: Key, _ prepare: @Sendable () -> Work) async throws -> Value {
      try Task.checkCancellation()
      let waiter = Waiter<Value>()
      let flight = flights.withLock { flights in
        if let flight = flights[key], flight.add(waiter) { return flight }
        let flight = Flight<Value>(endsAlone: true)
        _ = flight.add(waiter)
        flights[key] = flight
        let work = prepare()
        flight.begin { [Task { await run(work, for: key, flight) }] }
        return flight
      }
      return try await flight.outcome(waiter)
    }

    private func run(_ work: Work, for key: Key, _ flight: Flight<Value>) async {
      let outcome: Result<Value, any Error>
      do { outcome = .success(try await work()) } catch { outcome = .failure(error) }
      flights.withLock { flights in
        // Another load may have taken the place of one that was cancelled.
        if flights[key] === flight { flights[key] = nil }
      }
      flight.land(with: outcome)
    }
  }
#endif
