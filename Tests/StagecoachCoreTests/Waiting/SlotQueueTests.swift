import HTTPTypes
import TestSupport
import Testing

@testable import StagecoachCore

/// A queue by reference, which macros can call, with its waiters.
private final class Bench<Waiter: Sendable> {
  private var queue: SlotQueue
  private var waiters: [SlotQueue.Ticket: Waiter] = [:]

  init(_ queue: SlotQueue) {
    self.queue = queue
  }

  var inFlight: Int { queue.inFlight }
  var waiting: Int { queue.waiting }

  func acquire(_ key: TargetURI.Origin?) -> Bool { queue.acquire(key) }
  func release(_ key: TargetURI.Origin?) { queue.release(key) }
  func inFlight(to key: TargetURI.Origin?) -> Int { queue.use(of: key).inFlight }

  func grant(at now: ContinuousClock.Instant) -> Waiter? {
    queue.grant(at: now).flatMap { waiters.removeValue(forKey: $0) }
  }

  func remove(_ ticket: SlotQueue.Ticket) -> Waiter? {
    queue.remove(ticket) ? waiters.removeValue(forKey: ticket) : nil
  }

  func enqueue(
    _ waiter: Waiter,
    _ key: TargetURI.Origin?,
    _ priority: RequestPriority,
    at now: ContinuousClock.Instant
  ) -> SlotQueue.Ticket? {
    let ticket = queue.enqueue(key, priority, at: now)
    if let ticket { waiters[ticket] = waiter }
    return ticket
  }
}

@Suite struct SlotQueueTests {
  private static let start = ContinuousClock.now

  private static func key(_ host: String) -> TargetURI.Origin? {
    TargetURI.Origin(HTTPRequest(method: .get, scheme: "http", authority: host, path: "/"))
  }

  private static func queue(client: Int = 1, origin: Int = 1, queue: Int = 100) -> Bench<String> {
    Bench(SlotQueue(perClient: client, perOrigin: origin, queueLimit: queue))
  }

  /// Who is served, one after the other, each giving its slot back at once.
  private static func order(_ queue: Bench<String>, holder: String, at now: Duration = .zero) -> [String] {
    var order: [String] = []
    var held = key(holder)
    while true {
      queue.release(held)
      guard let next = queue.grant(at: start + now) else { return order }
      order.append(next)
      held = key(String(next.prefix { $0 != "." }))
    }
  }

  @Test("9.1 fairness: FIFO inside an origin")
  func firstComeFirstServed() {
    let queue = Self.queue()
    #expect(queue.acquire(Self.key("a")))
    for number in 1...5 {
      #expect(!queue.acquire(Self.key("a")))
      #expect(queue.enqueue("a.\(number)", Self.key("a"), .normal, at: Self.start) != nil)
    }
    #expect(Self.order(queue, holder: "a") == ["a.1", "a.2", "a.3", "a.4", "a.5"])
    #expect(queue.inFlight == 0)
    #expect(queue.waiting == 0)
  }

  @Test func lastComeFirstServed() {
    let queue = Bench<String>(
      SlotQueue(perClient: 1, perOrigin: 1, queueLimit: 100, isLastInFirstOut: true)
    )
    #expect(queue.acquire(Self.key("a")))
    var tickets = (1...6).compactMap { queue.enqueue("a.\($0)", Self.key("a"), .normal, at: Self.start) }
    _ = queue.enqueue("a.high", Self.key("a"), .high, at: Self.start)
    _ = queue.enqueue("b.1", Self.key("b"), .normal, at: Self.start)
    for index in [5, 2, 0] { #expect(queue.remove(tickets.remove(at: index)) == "a.\(index + 1)") }
    #expect(Self.order(queue, holder: "a") == ["a.high", "b.1", "a.5", "a.4", "a.2"])
    #expect(queue.inFlight == 0)
    #expect(queue.waiting == 0)
  }

  @Test("9.1 fairness: round robin over origins")
  func originsTakeTurns() {
    let queue = Self.queue()
    #expect(queue.acquire(Self.key("a")))
    for waiter in ["a.1", "a.2", "a.3", "a.4", "b.1", "b.2", "c.1"] {
      _ = queue.enqueue(waiter, Self.key(String(waiter.prefix(1))), .normal, at: Self.start)
    }
    #expect(Self.order(queue, holder: "a") == ["a.1", "b.1", "c.1", "a.2", "b.2", "a.3", "a.4"])
  }

  @Test("9.1 fairness: priority classes")
  func theMoreUrgentGoesFirst() {
    let queue = Self.queue()
    #expect(queue.acquire(Self.key("a")))
    for (waiter, priority) in [
      ("a.background", RequestPriority.background), ("a.normal", .normal), ("b.low", .low), ("b.high", .high),
      ("a.high", .high),
    ] {
      _ = queue.enqueue(waiter, Self.key(String(waiter.prefix(1))), priority, at: Self.start)
    }
    #expect(Self.order(queue, holder: "a") == ["a.high", "b.high", "a.normal", "b.low", "a.background"])
  }

  @Test(
    "9.1 fairness: ageing, one step per second waited",
    arguments: [(0, "new"), (999, "new"), (1000, "old"), (5000, "old")]
  )
  func priorityRisesWithEachSecondOfWaiting(milliseconds: Int, first: String) {
    let queue = Self.queue()
    #expect(queue.acquire(Self.key("a")))
    let wait = Duration.milliseconds(milliseconds)
    _ = queue.enqueue("a.old", Self.key("a"), .low, at: Self.start)
    _ = queue.enqueue("a.new", Self.key("a"), .normal, at: Self.start + wait)
    // Of one level at one second, the older goes first.
    #expect(Self.order(queue, holder: "a", at: wait).first == "a.\(first)")
  }

  @Test func anOriginAtItsLimitLetsOthersPass() {
    let queue = Self.queue(client: 2, origin: 1)
    #expect(queue.acquire(Self.key("a")))
    #expect(!queue.acquire(Self.key("a")))
    _ = queue.enqueue("a.1", Self.key("a"), .high, at: Self.start)
    #expect(queue.acquire(Self.key("b")))
    #expect(!queue.acquire(Self.key("c")))
    _ = queue.enqueue("c.1", Self.key("c"), .background, at: Self.start)
    queue.release(Self.key("b"))
    #expect(queue.grant(at: Self.start) == "c.1")
    #expect(queue.grant(at: Self.start) == nil)
    queue.release(Self.key("a"))
    #expect(queue.grant(at: Self.start) == "a.1")
  }

  @Test func aPlaceIsLeftOnce() throws {
    let queue = Self.queue()
    #expect(queue.acquire(Self.key("a")))
    let first = try #require(queue.enqueue("a.1", Self.key("a"), .normal, at: Self.start))
    let second = try #require(queue.enqueue("a.2", Self.key("a"), .normal, at: Self.start))
    #expect(queue.remove(first) == "a.1")
    #expect(queue.remove(first) == nil)
    // Its memory serves the next, and its ticket does not.
    let third = try #require(queue.enqueue("a.3", Self.key("a"), .normal, at: Self.start))
    #expect(queue.remove(first) == nil)
    queue.release(Self.key("a"))
    #expect(queue.grant(at: Self.start) == "a.2")
    #expect(queue.remove(second) == nil)
    #expect(queue.remove(third) == "a.3")
    #expect(queue.waiting == 0)
  }

  @Test func theQueueHasALimit() {
    let queue = Self.queue(queue: 2)
    #expect(queue.acquire(Self.key("a")))
    #expect(queue.enqueue("a.1", Self.key("a"), .normal, at: Self.start) != nil)
    #expect(queue.enqueue("b.1", Self.key("b"), .normal, at: Self.start) != nil)
    #expect(queue.enqueue("c.1", Self.key("c"), .normal, at: Self.start) == nil)
    #expect(queue.waiting == 2)
  }

  /// What a queue is, written down for clarity and not for speed.
  private struct Model {
    struct Entry {
      let id: Int
      let host: String
      let rank: Int
      let arrival: Duration
    }

    let perClient: Int
    let perOrigin: Int
    var held: [String: Int] = [:]
    var entries: [Entry] = []
    /// The hosts that wait, in the order of their turns.
    var ring: [String] = []

    func isFree(_ host: String) -> Bool {
      held.values.reduce(0, +) < perClient && held[host, default: 0] < perOrigin
    }

    mutating func enqueue(_ entry: Entry) {
      entries.append(entry)
      if !ring.contains(entry.host) { ring.append(entry.host) }
    }

    mutating func remove(_ id: Int) -> Bool {
      guard let index = entries.firstIndex(where: { $0.id == id }) else { return false }
      let host = entries.remove(at: index).host
      if !entries.contains(where: { $0.host == host }) { ring.removeAll { $0 == host } }
      return true
    }

    mutating func grant(at now: Duration) -> Int? {
      func level(_ entry: Entry) -> Int {
        min(3, entry.rank + Int((now - entry.arrival).components.seconds))
      }
      let free = ring.filter(isFree)
      let best = free.compactMap { host in
        entries.filter { $0.host == host }.max { (level($0), -$0.id) < (level($1), -$1.id) }
      }
      guard let top = best.map(level).max(), let chosen = best.first(where: { level($0) == top }) else {
        return nil
      }
      held[chosen.host, default: 0] += 1
      let place = ring.firstIndex(of: chosen.host) ?? 0
      ring = Array(ring[(place + 1)...] + ring[...place])
      _ = remove(chosen.id)
      return chosen.id
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func behavesAsTheModelSays(seed: UInt64) {
    var random = SplitMix(state: seed)
    let hosts = ["a", "b", "c", "d", "e"]
    let (client, origin) = (Int.random(in: 1...6, using: &random), Int.random(in: 1...4, using: &random))
    let queue = Bench<Int>(SlotQueue(perClient: client, perOrigin: origin, queueLimit: .max))
    var model = Model(perClient: client, perOrigin: origin)
    var tickets: [Int: SlotQueue.Ticket] = [:]
    var running: [String] = []
    var hostOf: [Int: String] = [:]
    var now = Duration.zero
    for id in 0..<600 {
      now += .milliseconds(Int64.random(in: 0...400, using: &random))
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        let host = hosts.randomElement(using: &random) ?? "a"
        hostOf[id] = host
        let isFree = model.isFree(host)
        #expect(queue.acquire(Self.key(host)) == isFree)
        if isFree {
          model.held[host, default: 0] += 1
          running.append(host)
        } else {
          let priority = RequestPriority.allCases.randomElement(using: &random) ?? .normal
          model.enqueue(Model.Entry(id: id, host: host, rank: priority.rawValue, arrival: now))
          tickets[id] = queue.enqueue(id, Self.key(host), priority, at: Self.start + now)
        }
      case 5..<7:
        guard let (id, ticket) = tickets.min(by: { $0.key < $1.key }) else { continue }
        tickets[id] = nil
        let waits = model.remove(id)
        #expect((queue.remove(ticket) == id) == waits)
      default:
        guard !running.isEmpty else { continue }
        let host = running.remove(at: Int.random(in: running.indices, using: &random))
        queue.release(Self.key(host))
        model.held[host, default: 0] -= 1
        let expected = model.grant(at: now)
        #expect(queue.grant(at: Self.start + now) == expected)
        if let expected { running.append(hostOf[expected] ?? "") }
        #expect(queue.grant(at: Self.start + now) == nil)
      }
      #expect(queue.inFlight == running.count)
      #expect(queue.waiting == model.entries.count)
      for host in hosts {
        #expect(queue.inFlight(to: Self.key(host)) == model.held[host, default: 0])
      }
    }
  }
}
