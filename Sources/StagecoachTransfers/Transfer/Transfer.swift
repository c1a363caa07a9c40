public import HTTPTypes
public import StagecoachCore
import Synchronization

/// A handle to one piece of work over HTTP that can be paused, resumed, cancelled and watched, from any thread.
///
/// ```swift
/// let transfer = client.download(.get("film.mp4"), to: .file("/tmp/film.mp4"))
/// Task {
///   for await progress in transfer.progressUpdates { print(progress) }
/// }
/// let file = try await transfer.value()
/// ```
///
/// A transfer that is executing runs to its end, also if nobody holds it. One that is ready or paused goes away with
/// its last reference.
public final class Transfer<Output: Sendable>: TransferHandle {
  /// How a transfer ended.
  public typealias Outcome = Result<Output, any Error>

  private struct Machine {
    var isCancelled = false
    var discards = false
    /// The place in the queue of the gate; `nil` if the transfer waits for no slot.
    var place: Int?
    /// The number of places so far.
    var places = 0
    /// The number of the last attempt.
    var run = 0
    /// The last attempt, until it has ended.
    var task: Task<Void, Never>?
    /// The value of an attempt that ended well although it had been paused.
    var early: Output?
    var gate: (any TransferGate)?
    var waiters: [Waiter<Output>] = []
    /// Whether the handlers were told of the end, which ``value()`` waits for.
    var hasTold = false
  }

  /// The identifier of the transfer.
  public let id = TransferID()
  /// The request as it was given.
  public let request: Request

  let work: any TransferWork<Output>
  let report: TransferReport
  let outcomes: Broadcast<Outcome?>
  let stateChanges: Broadcast<TransferState>
  let callbacks: TransferCallbacks<Output>
  /// Whether the transfer has had a background lease.
  let wasLeased = Atomic(false)
  let clock: any TimeSource
  private let machine: Mutex<Machine>

  /// - Parameter ended: How a transfer ended that is restored from an archive.
  init(_ request: Request, clock: any TimeSource, work: any TransferWork<Output>, ended: Outcome? = nil) {
    self.request = request
    self.work = work
    self.clock = clock
    report = TransferReport(id, clock: clock)
    outcomes = Broadcast(ended)
    stateChanges = Broadcast(ended == nil ? .ready : .finished)
    callbacks = TransferCallbacks(of: outcomes, report.meter.updates)
    var machine = Machine()
    machine.hasTold = ended != nil
    if case .failure(is CancellationError)? = ended { machine.isCancelled = true }
    self.machine = Mutex(machine)
    if ended != nil { finishSequences() }
  }

  /// The current state.
  public var state: TransferState { stateChanges.value }

  /// Whether the transfer has been cancelled.
  public var isCancelled: Bool { machine.withLock { $0.isCancelled } }

  /// How the transfer ended; `nil` until it has.
  public var outcome: Outcome? { outcomes.value }

  /// The reason that the transfer failed; `nil` unless it has finished without success.
  public var failure: (any Error)? {
    if case .failure(let error)? = outcome { error } else { nil }
  }

  /// The head of the last response, without secrets; `nil` until one has arrived.
  public var response: HTTPResponse? { report.response }

  /// How far the transfer has come.
  public var progress: TransferProgress { report.meter.progress }

  /// The current state and then every change. It ends after `finished`, or when the transfer is released. Of a reader
  /// that is more than 1,024 changes behind, the oldest are dropped.
  public var states: AsyncStream<TransferState> { stateChanges.stream(keeping: 1024) }

  /// The current progress and then what changed: at most ten times a second, and the last at the end. A slow reader
  /// gets the newest.
  public var progressUpdates: AsyncStream<TransferProgress> { report.meter.updates.stream(keeping: 1) }

  /// Starts the transfer if it is ready, and waits for its value. Cancelling the waiting task cancels the transfer.
  ///
  /// - Throws: `ExchangeError`; `CancellationError` if the transfer was cancelled.
  public func value() async throws -> Output {
    start()
    let waiter = Waiter<Output>()
    machine.withLock { machine in
      if machine.hasTold, let outcome = outcomes.value {
        waiter.end(with: outcome)
      } else {
        machine.waiters.append(waiter)
      }
    }
    return try await withTaskCancellationHandler {
      try await waiter.outcome().get()
    } onCancel: {
      cancel()
    }
  }

  // MARK: Changes

  /// Starts a transfer that is ready.
  @discardableResult
  public func start() -> Bool { proceed(from: .ready) }

  /// Goes on with a paused transfer, from the bytes it has, or starts it.
  @discardableResult
  public func resume() -> Bool { proceed(from: .paused) }

  private func proceed(from expected: TransferState) -> Bool {
    let (isChanged, gate, place) = machine.withLock { machine -> (Bool, (any TransferGate)?, Int) in
      guard stateChanges.value == expected, !machine.isCancelled, machine.place == nil else {
        return (false, nil, 0)
      }
      if expected == .paused { change(to: .ready, machine) }
      guard let gate = machine.gate else {
        launch(&machine)
        return (true, nil, 0)
      }
      machine.places += 1
      machine.place = machine.places
      return (true, gate, machine.places)
    }
    stateChanges.flush()
    if let gate {
      gate.enter(place) { [self] in begin(place) }
      // It may have been paused, and its place given up, before it had entered.
      if machine.withLock({ $0.place != place }) { gate.withdraw(place) }
    }
    return isChanged
  }

  /// Executes, now that its place has a slot.
  private func begin(_ place: Int) {
    let unused = machine.withLock { machine -> (any TransferGate)? in
      guard machine.place == place, stateChanges.value == .ready else { return machine.gate }
      machine.place = nil
      launch(&machine)
      return nil
    }
    stateChanges.flush()
    unused?.leave()
  }

  /// Suspends a transfer that is ready or executing. Its connection is closed; what was received is kept.
  @discardableResult
  public func pause() -> Bool {
    let (isChanged, task, queued) = machine.withLock { machine -> (Bool, Task<Void, Never>?, Queued?) in
      let isExecuting = stateChanges.value == .executing
      guard !machine.isCancelled, change(to: .paused, machine) else { return (false, nil, nil) }
      return (true, isExecuting ? machine.task : nil, giveUpPlace(&machine))
    }
    if let task {
      report.emit(.suspended)
      task.cancel()
    }
    stateChanges.flush()
    if let queued { queued.gate.withdraw(queued.place) }
    return isChanged
  }

  private typealias Queued = (gate: any TransferGate, place: Int)

  private func giveUpPlace(_ machine: inout Machine) -> Queued? {
    defer { machine.place = nil }
    guard let gate = machine.gate, let place = machine.place else { return nil }
    return (gate, place)
  }

  /// Ends the transfer, which then fails with `CancellationError`, in every state but finished.
  @discardableResult
  public func cancel(discarding: Bool) -> Bool {
    let (isChanged, task, queued) = machine.withLock { machine -> (Bool, Task<Void, Never>?, Queued?) in
      guard stateChanges.value != .finished, !machine.isCancelled else { return (false, nil, nil) }
      machine.isCancelled = true
      machine.discards = discarding
      let queued = giveUpPlace(&machine)
      // The end of an attempt ends the transfer too: until then its connection and file are in use.
      if machine.task == nil { machine.task = Task { [self] in await attempt(run: nil) } }
      return (true, machine.task, queued)
    }
    task?.cancel()
    if let queued { queued.gate.withdraw(queued.place) }
    return isChanged
  }

  /// Makes a gate decide when the transfer executes.
  ///
  /// - Returns: Whether it does: not if the transfer was started or has another gate.
  func pass(through gate: any TransferGate) -> Bool {
    machine.withLock { machine in
      guard machine.gate == nil, machine.run == 0, stateChanges.value != .finished else { return false }
      machine.gate = gate
      return true
    }
  }

  // MARK: Attempts

  @discardableResult
  private func change(to next: TransferState, _ machine: Machine) -> Bool {
    guard stateChanges.value.canBecome(next, isCancelled: machine.isCancelled) else { return false }
    stateChanges.enqueue {
      $0 = next
      return true
    }
    return true
  }

  private func launch(_ machine: inout Machine) {
    change(to: .executing, machine)
    machine.run += 1
    let run = machine.run
    let previous = machine.task
    machine.task = Task { [self] in
      // An attempt that was paused may still be closing its file.
      await previous?.value
      await attempt(run: run)
    }
  }

  /// - Parameter run: The number of the attempt; `nil` for none, only to end a cancelled transfer.
  private func attempt(run: Int?) async {
    var result = Outcome.failure(CancellationError())
    let (isWanted, early) = machine.withLock { machine in
      (machine.run == run && !machine.isCancelled && stateChanges.value == .executing, machine.early)
    }
    if isWanted {
      if let early {
        result = .success(early)
      } else {
        do { result = .success(try await work.run(report)) } catch { result = .failure(error) }
      }
    }
    report.meter.rest()
    let isDiscarded = machine.withLock { $0.isCancelled && $0.discards && isLast($0, run) }
    if isDiscarded { await work.discard() }
    conclude(run, result)
  }

  private func isLast(_ machine: Machine, _ run: Int?) -> Bool { run == nil || machine.run == run }

  private func conclude(_ run: Int?, _ result: Outcome) {
    let (outcome, gate) = machine.withLock { machine -> (Outcome?, (any TransferGate)?) in
      let gate = run == nil ? nil : machine.gate
      guard isLast(machine, run) else {
        if case .success(let value) = result { machine.early = value }
        return (nil, gate)
      }
      machine.task = nil
      let outcome: Outcome = machine.isCancelled ? .failure(CancellationError()) : result
      guard change(to: .finished, machine) else {
        // It was paused meanwhile.
        if case .success(let value) = result { machine.early = value }
        return (nil, gate)
      }
      outcomes.enqueue {
        $0 = outcome
        return true
      }
      machine.early = nil
      return (outcome, gate)
    }
    gate?.leave()
    guard let outcome else { return }
    outcomes.flush()
    stateChanges.flush()
    let waiters = machine.withLock { machine in
      machine.hasTold = true
      defer { machine.waiters = [] }
      return machine.waiters
    }
    for waiter in waiters { waiter.end(with: outcome) }
    finishSequences()
  }

  private func finishSequences() {
    outcomes.finish()
    stateChanges.finish()
    report.meter.updates.finish()
  }
}
