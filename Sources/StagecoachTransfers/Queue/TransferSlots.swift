import StagecoachCore
import Synchronization

/// The slots of a ``TransferQueue``: which transfers execute, and which wait.
///
/// Transfers hold it through their gates, so that it lives as long as one of them waits or executes.
final class TransferSlots: Sendable {
  /// A transfer's place among those that wait.
  private struct Key: Hashable {
    let transfer: TransferID
    let place: Int
  }

  private typealias Begin = @Sendable () -> Void

  private struct State {
    var queue: SlotQueue
    var tickets: [Key: SlotQueue.Ticket] = [:]
    var waiters: [SlotQueue.Ticket: (key: Key, begin: Begin)] = [:]
    var isSuspended = false

    /// Gives a slot to the next waiter.
    mutating func grant(at time: ContinuousClock.Instant) -> Begin? {
      guard !isSuspended, let next = queue.grant(at: time), let waiter = waiters.removeValue(forKey: next)
      else {
        return nil
      }
      tickets[waiter.key] = nil
      return waiter.begin
    }
  }

  private let state: Mutex<State>
  /// Counts the slots in use.
  private let activity: ActivityCount
  /// The time for all waiters, so that waiting raises no priority: transfers take minutes, and after seconds all would
  /// be equal.
  private let time = ContinuousClock.now

  init(limit: Int, perOrigin: Int, isLastInFirstOut: Bool, activity: ActivityCount) {
    let queue = SlotQueue(perClient: limit, perOrigin: perOrigin, isLastInFirstOut: isLastInFirstOut)
    state = Mutex(State(queue: queue))
    self.activity = activity
  }

  var inFlight: Int { state.withLock { $0.queue.inFlight } }
  var waiting: Int { state.withLock { $0.queue.waiting } }
  var isSuspended: Bool { state.withLock { $0.isSuspended } }

  func suspend() { state.withLock { $0.isSuspended = true } }

  func resume() {
    let granted = state.withLock { state -> [Begin] in
      state.isSuspended = false
      var granted: [Begin] = []
      while let next = state.grant(at: time) { granted.append(next) }
      activity.add(granted.count)
      return granted
    }
    for begin in granted { begin() }
  }

  fileprivate func enter(_ gate: TransferSlotGate, _ place: Int, _ begin: @escaping @Sendable () -> Void) {
    let isGranted = state.withLock { state -> Bool in
      if !state.isSuspended, state.queue.acquire(gate.origin) {
        activity.add(1)
        return true
      }
      let key = Key(transfer: gate.transfer, place: place)
      if let ticket = state.queue.enqueue(gate.origin, gate.priority, at: time) {
        state.tickets[key] = ticket
        state.waiters[ticket] = (key, begin)
      }
      return false
    }
    if isGranted { begin() }
  }

  fileprivate func withdraw(_ gate: TransferSlotGate, _ place: Int) {
    // Released outside of the lock: it may be the last reference to the transfer.
    let waiter = state.withLock { state -> Begin? in
      guard let ticket = state.tickets.removeValue(forKey: Key(transfer: gate.transfer, place: place)) else {
        return nil
      }
      state.queue.remove(ticket)
      return state.waiters.removeValue(forKey: ticket)?.begin
    }
    _ = waiter
  }

  fileprivate func leave(_ gate: TransferSlotGate) {
    let next = state.withLock { state -> Begin? in
      state.queue.release(gate.origin)
      return state.grant(at: time)
    }
    // A slot that is passed on stays in use.
    if let next { next() } else { activity.add(-1) }
  }
}

/// The way of one transfer to a slot.
struct TransferSlotGate: TransferGate {
  let slots: TransferSlots
  let transfer: TransferID
  let origin: TargetURI.Origin?
  let priority: RequestPriority

  func enter(_ place: Int, begin: @escaping @Sendable () -> Void) { slots.enter(self, place, begin) }
  func withdraw(_ place: Int) { slots.withdraw(self, place) }
  func leave() { slots.leave(self) }
}
