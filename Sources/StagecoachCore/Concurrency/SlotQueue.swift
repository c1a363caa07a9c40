/// Slots in use, and who waits for one: the bookkeeping of ``ConcurrencyLimit``, without threads or clocks.
///
/// Of the origins that have a slot to give, the one goes first whose waiter has the highest level: its
/// priority, and one step more for each second it has waited, up to the highest. Among equals origins take
/// turns, and within an origin the first to come is the first to go.
///
/// To enter, to leave and to give up waiting take constant time; to choose a waiter takes one step for each
/// origin that somebody waits for. Lists are links between elements of arrays, so that nothing is allocated
/// once the arrays have grown.
struct SlotQueue<Waiter: Sendable>: Sendable {
  /// A place in the queue, good for once.
  struct Ticket: Hashable, Sendable {
    fileprivate let index: Int
    fileprivate let generation: Int
  }

  private struct Node {
    var waiter: Waiter?
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
    var key: OriginKey
    var limit: Int
    var inFlight = 0
    var waiting = 0
    // The ring of the origins that somebody waits for.
    var previous = SlotQueue.none
    var next = SlotQueue.none
  }

  private static var none: Int { -1 }
  private static var ranks: Int { RequestPriority.allCases.count }
  private static var highest: Int { ranks - 1 }

  private let perClient: Int
  private let perOrigin: Int
  private let queueLimit: Int

  private var lanes: [Lane] = []
  private var freeLanes: [Int] = []
  private var laneOf: [OriginKey: Int] = [:]
  /// For each lane one list for each priority.
  private var lists: [List] = []
  private var nodes: [Node] = []
  private var freeNodes: [Int] = []
  /// Whose turn it is in the ring.
  private var turn = SlotQueue.none
  private var arrivals = 0

  /// How many slots are in use.
  private(set) var inFlight = 0
  /// How many wait.
  private(set) var waiting = 0

  init(perClient: Int, perOrigin: Int, queueLimit: Int) {
    self.perClient = max(1, perClient)
    self.perOrigin = max(1, perOrigin)
    self.queueLimit = max(0, queueLimit)
  }

  /// How many slots of an origin are in use, and how many it has.
  func use(of key: OriginKey) -> (inFlight: Int, limit: Int, waiting: Int) {
    guard let lane = laneOf[key] else { return (0, perOrigin, 0) }
    return (lanes[lane].inFlight, lanes[lane].limit, lanes[lane].waiting)
  }

  /// Takes a slot, if the origin and the client have one.
  mutating func acquire(_ key: OriginKey) -> Bool {
    guard inFlight < perClient else { return false }
    let lane = lane(of: key)
    guard lanes[lane].inFlight < lanes[lane].limit else { return false }
    lanes[lane].inFlight += 1
    inFlight += 1
    return true
  }

  /// Joins the queue; nil if it is full.
  mutating func enqueue(
    _ waiter: Waiter,
    _ key: OriginKey,
    _ priority: RequestPriority,
    at now: ContinuousClock.Instant
  ) -> Ticket? {
    guard waiting < queueLimit else { return nil }
    let lane = lane(of: key)
    let index = freeNodes.popLast() ?? nodes.count
    if index == nodes.count { nodes.append(Node()) }
    let list = lane * Self.ranks + priority.rawValue
    let last = lists[list].last
    nodes[index].waiter = waiter
    nodes[index].lane = lane
    nodes[index].rank = priority.rawValue
    nodes[index].arrival = now
    nodes[index].order = arrivals
    nodes[index].previous = last
    nodes[index].next = Self.none
    arrivals += 1
    if last == Self.none { lists[list].first = index } else { nodes[last].next = index }
    lists[list].last = index
    if lanes[lane].waiting == 0 { joinRing(lane) }
    lanes[lane].waiting += 1
    waiting += 1
    return Ticket(index: index, generation: nodes[index].generation)
  }

  /// Leaves the queue; nil for who is no longer in it, and then has a slot or had left before.
  mutating func remove(_ ticket: Ticket) -> Waiter? {
    guard nodes[ticket.index].generation == ticket.generation else { return nil }
    let lane = nodes[ticket.index].lane
    defer { forget(lane) }
    return unlink(ticket.index)
  }

  /// Gives a slot back. ``grant(at:)`` says who gets it.
  mutating func release(_ key: OriginKey) {
    guard let lane = laneOf[key] else { return }
    lanes[lane].inFlight -= 1
    inFlight -= 1
    forget(lane)
  }

  /// Changes how many slots an origin has, for as long as anybody uses it or waits for it.
  mutating func setLimit(_ limit: Int, of key: OriginKey) {
    guard let lane = laneOf[key] else { return }
    lanes[lane].limit = max(1, limit)
  }

  /// Takes a slot for the next who waits for one that is free; nil if there is nobody.
  mutating func grant(at now: ContinuousClock.Instant) -> Waiter? {
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
    return unlink(node)
  }

  /// Who of an origin's waiters goes first, and its level.
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

  private mutating func unlink(_ index: Int) -> Waiter? {
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
    nodes[index].waiter = nil
    nodes[index].generation &+= 1
    freeNodes.append(index)
    waiting -= 1
    lanes[node.lane].waiting -= 1
    if lanes[node.lane].waiting == 0 { leaveRing(node.lane) }
    return node.waiter
  }

  // MARK: Origins

  private mutating func lane(of key: OriginKey) -> Int {
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

  /// Forgets an origin that nobody uses or waits for.
  private mutating func forget(_ lane: Int) {
    guard lanes[lane].inFlight == 0, lanes[lane].waiting == 0 else { return }
    laneOf[lanes[lane].key] = nil
    freeLanes.append(lane)
  }

  /// Joins behind those who wait already.
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
