public import StagecoachCore
import StagecoachResilience
import Synchronization

/// A queue of transfers, of which a limited number executes at the same time.
///
/// A member holds a slot while it executes, until its last attempt has let go of its connection. A member that is
/// paused gives its slot to the next, and waits for another when it is resumed. The waiting member with the highest
/// `options.priority` goes first; members of the same priority go in the order of the queue.
///
/// ```swift
/// let queue = TransferQueue(limit: 8)
/// for number in 1...100 {
///   queue.add(client.download(.get("films/\(number)"), to: .file("/tmp/film-\(number)")))
/// }
/// try await queue.waitUntilIdle()
/// ```
///
/// Members that wait or execute live until they have finished, also if nobody holds them or the queue. If a queue goes
/// away while it is suspended, its waiting members are cancelled.
public final class TransferQueue: Sendable {
  /// The order of waiting members of the same priority.
  @nonexhaustive
  public enum Order: Sendable, Hashable {
    /// The member that has waited longest goes first.
    case firstInFirstOut
    /// The member that came last goes first.
    case lastInFirstOut
  }

  private struct Member {
    weak var transfer: (any TransferHandle)?
    var isActive: Bool
  }

  private struct State {
    var members: [TransferID: Member] = [:]
    var isClosed = false
  }

  let slots: TransferSlots
  /// Counts the members that are ready or executing, and the slots in use.
  let activity = ActivityCount()
  let clock: any TimeSource
  private let countsOrigins: Bool
  private let state = Mutex(State())

  /// Creates a queue.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of members that execute at the same time; at least 1.
  ///   - perOrigin: The maximum number for each origin (scheme, host and port); at least 1. If it is set, waiting
  ///     members are served round-robin across origins, in the order of the queue within an origin. No limit by
  ///     default.
  ///   - order: The order of members of the same priority.
  ///   - clock: The clock of the grace period of ``shutdown(gracePeriod:expiration:)``.
  public init(
    limit: Int,
    perOrigin: Int? = nil,
    order: Order = .firstInFirstOut,
    clock: any TimeSource = SystemTime()
  ) {
    self.clock = clock
    countsOrigins = perOrigin != nil
    slots = TransferSlots(
      limit: limit,
      perOrigin: perOrigin ?? .max,
      isLastInFirstOut: order == .lastInFirstOut,
      activity: activity
    )
  }

  deinit {
    guard slots.isSuspended else { return }
    for transfer in transfers where transfer.state == .ready { transfer.cancel() }
  }

  /// The number of slots in use.
  public var inFlight: Int { slots.inFlight }

  /// The number of members that wait for a slot.
  public var waiting: Int { slots.waiting }

  /// The members that have not finished, oldest first. A paused member that is no longer referenced is not a member
  /// any more.
  public var transfers: [any TransferHandle] {
    state.withLock { $0.members.values.compactMap(\.transfer) }.sorted { $0.id.number < $1.id.number }
  }

  /// Adds a transfer, and starts it as soon as there is a slot. A transfer that is paused waits until it is resumed.
  ///
  /// Its priority is that of its request when it is added.
  ///
  /// - Returns: Whether it was added: not if it was started before, is in a queue, or this queue was shut down.
  @discardableResult
  public func add<Output>(_ transfer: Transfer<Output>) -> Bool {
    let request = transfer.work.resolvedRequest
    let gate = TransferSlotGate(
      slots: slots,
      transfer: transfer.id,
      origin: countsOrigins ? TargetURI.Origin(request.head) : nil,
      priority: request.options.priority
    )
    let isNew = state.withLock { state in
      guard !state.isClosed, state.members[transfer.id] == nil else { return false }
      state.members[transfer.id] = Member(transfer: transfer, isActive: true)
      activity.add(1)
      return true
    }
    guard isNew else { return false }
    guard transfer.pass(through: gate) else {
      change(transfer.id, isActive: false, isMember: false)
      return false
    }
    let id = transfer.id
    transfer.stateChanges.observe(onEnd: { [weak self] in
      // It has finished, or was released while it was paused.
      self?.change(id, isActive: false, isMember: false)
    }) { [weak self] state in
      self?.change(id, isActive: state == .ready || state == .executing, isMember: state != .finished)
    }
    transfer.start()
    return true
  }

  private func change(_ id: TransferID, isActive: Bool, isMember: Bool) {
    state.withLock { state in
      guard let member = state.members[id] else { return }
      if isMember { state.members[id]?.isActive = isActive } else { state.members[id] = nil }
      if member.isActive != isActive { activity.add(isActive ? 1 : -1) }
    }
  }

  // MARK: Control

  /// Whether the queue is suspended.
  public var isSuspended: Bool { slots.isSuspended }

  /// Lets no more members execute. Those that execute go on.
  public func suspend() { slots.suspend() }

  /// Lets members execute again.
  public func resume() {
    guard !state.withLock({ $0.isClosed }) else { return }
    slots.resume()
  }

  /// Cancels all members. The bytes of unfinished downloads are kept.
  public func cancelAll() {
    let transfers = transfers
    // Those that wait go first, so that none of them begins.
    for transfer in transfers where transfer.state == .ready { transfer.cancel() }
    for transfer in transfers { transfer.cancel() }
  }

  /// Waits until no member executes or waits for a slot. Paused members do not count; those that wait in a suspended
  /// queue do.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public func waitUntilIdle() async throws { try await activity.waitUntilZero() }

  /// Closes the queue.
  ///
  /// - Returns: Whether it was open.
  func close() -> Bool {
    let wasOpen = state.withLock { state in
      defer { state.isClosed = true }
      return !state.isClosed
    }
    slots.suspend()
    return wasOpen
  }
}
