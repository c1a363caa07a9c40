/// A limited number of slots, in all and for each origin, and the queue of those that wait for one. Without threads or
/// clocks: whoever waits is known by a ``Ticket``, and is kept by the owner of the queue.
///
/// ```swift
/// var slots = SlotQueue(perOrigin: 6)
/// var waiting: [SlotQueue.Ticket: String] = [:]
///
/// func enter(_ name: String, _ origin: TargetURI.Origin) {
///   if slots.acquire(origin) {
///     print(name, "begins")
///   } else if let ticket = slots.enqueue(origin) {
///     waiting[ticket] = name
///   }
/// }
///
/// func leave(_ origin: TargetURI.Origin) {
///   slots.release(origin)
///   if let next = slots.grant(), let name = waiting.removeValue(forKey: next) { print(name, "begins") }
/// }
/// ```
///
/// Of the origins with a free slot, the one whose waiter has the highest level is served first: its priority, plus one
/// step for each second it has waited, up to the highest. Origins with equal levels are served round-robin, and
/// waiters of an origin first in first out, or last in first out if asked to.
///
/// Entering, leaving and cancelling take constant time; choosing a waiter takes one step for each origin with waiters.
/// Lists are links between elements of arrays, so that nothing is allocated once the arrays have grown.
public struct SlotQueue: Sendable {
  /// The origin of a request; `nil` for requests without one, or where origins make no difference.
  public typealias Key = TargetURI.Origin?

  /// A place in the queue, good for once.
  public struct Ticket: Hashable, Sendable {
    fileprivate let index: Int
    fileprivate let generation: Int
  }

  private struct Node {
    var generation = 0
    var lane = SlotQueue.none
    var rank = 0
    var arrival = ContinuousClock.Instant.now
    var order = 0
    var previous = SlotQueue.none
    var next = SlotQueue.none
  }

  private struct List {
    var first = SlotQueue.none
    var last = SlotQueue.none
  }

  /// An origin with a request in flight or waiting.
  private struct Lane {
    var key: Key
    var limit: Int
    var inFlight = 0
    var waiting = 0
    // The ring of origins with waiters.
    var previous = SlotQueue.none
    var next = SlotQueue.none
  }

  private static var none: Int { -1 }
  private static var ranks: Int { RequestPriority.allCases.count }
  private static var highest: Int { ranks - 1 }

  private let perClient: Int
  private let perOrigin: Int
  private let queueLimit: Int
  private let isLastInFirstOut: Bool

  private var lanes: [Lane] = []
  private var freeLanes: [Int] = []
  private var laneOf: [Key: Int] = [:]
  /// The lists of each lane, one for each priority.
  private var lists: [List] = []
  private var nodes: [Node] = []
  private var freeNodes: [Int] = []
  /// Whose turn it is in the ring.
  private var turn = SlotQueue.none
  private var arrivals = 0

  /// The number of slots in use.
  public private(set) var inFlight = 0
  /// The number of waiters.
  public private(set) var waiting = 0

  /// Creates a queue with all its slots free.
  ///
  /// - Parameters:
  ///   - perClient: The maximum number of slots in use, at least 1; no limit by default.
  ///   - perOrigin: The maximum number in use by an origin, at least 1; no limit by default.
  ///   - queueLimit: The maximum number of waiters; no limit by default.
  ///   - isLastInFirstOut: Whether of those with the same priority the last one to come is served first.
  public init(
    perClient: Int = .max,
    perOrigin: Int = .max,
    queueLimit: Int = .max,
    isLastInFirstOut: Bool = false
  ) {
    self.perClient = max(1, perClient)
    self.perOrigin = max(1, perOrigin)
    self.queueLimit = max(0, queueLimit)
    self.isLastInFirstOut = isLastInFirstOut
  }

  /// Returns the number of used slots of an origin, and its limit.
  public func use(of key: Key) -> (inFlight: Int, limit: Int, waiting: Int) {
    guard let lane = laneOf[key] else { return (0, perOrigin, 0) }
    return (lanes[lane].inFlight, lanes[lane].limit, lanes[lane].waiting)
  }

  /// Takes a slot, if the origin and the client have one.
  public mutating func acquire(_ key: Key) -> Bool {
    guard inFlight < perClient else { return false }
    let lane = lane(of: key)
    guard lanes[lane].inFlight < lanes[lane].limit else { return false }
    lanes[lane].inFlight += 1
    inFlight += 1
    return true
  }

  /// Joins the queue of an origin.
  ///
  /// - Parameters:
  ///   - key: The origin.
  ///   - priority: The priority among all that wait.
  ///   - now: The current instant.
  /// - Returns: The place in the queue; `nil` if it is full.
  public mutating func enqueue(
    _ key: Key,
    _ priority: RequestPriority = .normal,
    at now: ContinuousClock.Instant = .now
  ) -> Ticket? {
    guard waiting < queueLimit else { return nil }
    let lane = lane(of: key)
    let index = freeNodes.popLast() ?? nodes.count
    if index == nodes.count { nodes.append(Node()) }
    let list = lane * Self.ranks + priority.rawValue
    nodes[index].lane = lane
    nodes[index].rank = priority.rawValue
    nodes[index].arrival = now
    // The lowest order goes first.
    nodes[index].order = isLastInFirstOut ? -arrivals : arrivals
    arrivals += 1
    link(index, into: list)
    if lanes[lane].waiting == 0 { joinRing(lane) }
    lanes[lane].waiting += 1
    waiting += 1
    return Ticket(index: index, generation: nodes[index].generation)
  }

  /// Leaves the queue.
  ///
  /// - Returns: `false` if the ticket is no longer in the queue: it has got a slot, or has left.
  @discardableResult
  public mutating func remove(_ ticket: Ticket) -> Bool {
    guard nodes[ticket.index].generation == ticket.generation else { return false }
    let lane = nodes[ticket.index].lane
    unlink(ticket.index)
    forget(lane)
    return true
  }

  /// Releases a slot. Call ``grant(at:)`` to pass it on.
  public mutating func release(_ key: Key) {
    guard let lane = laneOf[key] else { return }
    lanes[lane].inFlight -= 1
    inFlight -= 1
    forget(lane)
  }

  /// Changes the limit of an origin, as long as it has used slots or waiters.
  public mutating func setLimit(_ limit: Int, of key: Key) {
    guard let lane = laneOf[key] else { return }
    lanes[lane].limit = max(1, limit)
  }

  /// Gives a free slot to the next in the queue.
  ///
  /// - Parameter now: The current instant.
  /// - Returns: The ticket that has the slot now; `nil` if nobody waits for a slot that is free.
  public mutating func grant(at now: ContinuousClock.Instant = .now) -> Ticket? {
    guard waiting > 0, inFlight < perClient else { return nil }
    var best: (node: Int, level: Int)?
    var lane = turn
    repeat {
      if lanes[lane].inFlight < lanes[lane].limit {
        let candidate = first(of: lane, at: now)
        if candidate.level > best?.level ?? -1 { best = candidate }
        if candidate.level == Self.highest { break }
      }
      lane = lanes[lane].next
    } while lane != turn
    guard let node = best?.node else { return nil }
    lane = nodes[node].lane
    turn = lanes[lane].next
    lanes[lane].inFlight += 1
    inFlight += 1
    let ticket = Ticket(index: node, generation: nodes[node].generation)
    unlink(node)
    return ticket
  }

  /// Returns the next waiter of an origin, and its level.
  private func first(of lane: Int, at now: ContinuousClock.Instant) -> (node: Int, level: Int) {
    var best = (node: Self.none, level: -1)
    for rank in 0..<Self.ranks {
      let node = lists[lane * Self.ranks + rank].first
      guard node != Self.none else { continue }
      let steps = max(0, (now - nodes[node].arrival).components.seconds)
      let level = steps >= Int64(Self.highest - rank) ? Self.highest : rank + Int(steps)
      if level > best.level || level == best.level && nodes[node].order < nodes[best.node].order {
        best = (node, level)
      }
    }
    return best
  }

  private mutating func link(_ index: Int, into list: Int) {
    if isLastInFirstOut {
      let first = lists[list].first
      nodes[index].previous = Self.none
      nodes[index].next = first
      if first == Self.none { lists[list].last = index } else { nodes[first].previous = index }
      lists[list].first = index
    } else {
      let last = lists[list].last
      nodes[index].previous = last
      nodes[index].next = Self.none
      if last == Self.none { lists[list].first = index } else { nodes[last].next = index }
      lists[list].last = index
    }
  }

  private mutating func unlink(_ index: Int) {
    let node = nodes[index]
    let list = node.lane * Self.ranks + node.rank
    if node.previous == Self.none {
      lists[list].first = node.next
    } else {
      nodes[node.previous].next = node.next
    }
    if node.next == Self.none {
      lists[list].last = node.previous
    } else {
      nodes[node.next].previous = node.previous
    }
    nodes[index].generation &+= 1
    freeNodes.append(index)
    waiting -= 1
    lanes[node.lane].waiting -= 1
    if lanes[node.lane].waiting == 0 { leaveRing(node.lane) }
  }

  // MARK: Origins

  private mutating func lane(of key: Key) -> Int {
    if let lane = laneOf[key] { return lane }
    let lane = freeLanes.popLast() ?? lanes.count
    if lane == lanes.count {
      lanes.append(Lane(key: key, limit: perOrigin))
      for _ in 0..<Self.ranks { lists.append(List()) }
    } else {
      lanes[lane] = Lane(key: key, limit: perOrigin)
    }
    laneOf[key] = lane
    return lane
  }

  /// Removes an origin without used slots and waiters.
  private mutating func forget(_ lane: Int) {
    guard lanes[lane].inFlight == 0, lanes[lane].waiting == 0 else { return }
    laneOf[lanes[lane].key] = nil
    freeLanes.append(lane)
  }

  /// Adds an origin at the end of the ring.
  private mutating func joinRing(_ lane: Int) {
    guard turn != Self.none else {
      turn = lane
      lanes[lane].previous = lane
      lanes[lane].next = lane
      return
    }
    let last = lanes[turn].previous
    lanes[lane].previous = last
    lanes[lane].next = turn
    lanes[last].next = lane
    lanes[turn].previous = lane
  }

  private mutating func leaveRing(_ lane: Int) {
    let (previous, next) = (lanes[lane].previous, lanes[lane].next)
    lanes[previous].next = next
    lanes[next].previous = previous
    if turn == lane { turn = next == lane ? Self.none : next }
  }
}
