import HTTPTypes
import Stagecoach
import StagecoachCache
import TestSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A random history of three users, the same requests for the same seed.
struct HistoryRun: Sendable {
  /// What has happened, so that a test can see that it was not idle.
  struct Tally: Sendable, CustomStringConvertible {
    var deliveries = 0
    var hits = 0
    var validated = 0
    var stale = 0
    var joined = 0
    var parts = 0
    var toOthers = 0
    /// Responses that POST has brought.
    var posted = 0
    /// Responses by what CDN-Cache-Control says.
    var targeted = 0
    /// Requests that the stage `Authentication` has sent with credentials.
    var authenticated = 0
    var complaints: [String] = []

    var description: String {
      "\(deliveries) responses: \(hits) hits, \(stale) stale, \(validated) validated, \(joined) joined, "
        + "\(parts) parts, \(posted) of POST, \(targeted) by CDN-Cache-Control, \(toOthers) of others; "
        + "\(authenticated) requests with Basic, \(complaints.count) complaints"
    }

    static func += (sum: inout Tally, other: Tally) {
      sum.deliveries += other.deliveries
      sum.hits += other.hits
      sum.validated += other.validated
      sum.stale += other.stale
      sum.joined += other.joined
      sum.parts += other.parts
      sum.toOthers += other.toOthers
      sum.posted += other.posted
      sum.targeted += other.targeted
      sum.authenticated += other.authenticated
      sum.complaints += other.complaints
    }
  }

  private let isShared: Bool
  private let time = ManualTime(date: Date(timeIntervalSince1970: HistoryOrigin.start))
  private let origin: HistoryOrigin
  private let store: WatchedStore
  private let users: [HistoryUser]
  private let clients: [Client]
  private var random: SplitMix
  private var lastID = 0
  private var tally = Tally()

  /// - Parameter isJoint: Whether the users have one cache, rather than one for each over the same store.
  init(seed: UInt64, isShared: Bool, isJoint: Bool) throws {
    var random = SplitMix(state: seed)
    self.isShared = isShared
    let resources = (0..<3).map { HistoryResource(path: "/r\($0)", using: &random) }
    let kinds = HistoryUser.Identity.allCases
    // In some histories all are known in the same way, so that nothing but their names tells them apart.
    let common = Bool.random(using: &random) ? kinds.randomElement(using: &random) : nil
    users = ["ann", "bob", "eve"].map { name in
      HistoryUser(
        name: name,
        identity: common ?? kinds.randomElement(using: &random) ?? .field,
        isPreemptive: Bool.random(using: &random)
      )
    }
    origin = HistoryOrigin(resources, time, seed: random.next())
    store = WatchedStore(isShared: isShared, secrets: users.flatMap(\.secrets))
    self.random = random
    let transport = HandlerTransport(recordLimit: 0) { [origin] in try await origin.answer($0) }
    let joint = Cache(store, isShared: isShared)
    clients = try users.map { [store, time] user in
      let cache = isJoint ? joint : Cache(store, isShared: isShared)
      var stages: [any Middleware] = [cache]
      if user.identity == .stage {
        stages.insert(
          try Authentication(
            user: user.name,
            password: user.password,
            for: "https://h",
            isPreemptive: user.isPreemptive
          ),
          at: 0
        )
      }
      return try Client(
        Pipeline(over: transport, stages: stages),
        base: "https://h/",
        configuration: Client.Configuration(clock: time)
      )
    }
  }

  /// Plays the history.
  mutating func play(steps: Int) async -> Tally {
    for _ in 0..<steps {
      if one(in: 3) { time.advance(by: .seconds([1, 3, 9, 25, 70].randomElement(using: &random) ?? 1)) }
      if one(in: 12) { origin.change(Int.random(in: 0..<3, using: &random), isContent: one(in: 2)) }
      if one(in: 9) { origin.set(HistoryOrigin.Mood.allCases.randomElement(using: &random) ?? .well) }
      switch Int.random(in: 0..<10, using: &random) {
      case 0...5:
        let request = makeRequest(Int.random(in: 0..<3, using: &random))
        judge([await Self.send(request, clients, origin, time)])
        if request.method == "POST" {
          // Whoever has sent it, and anybody.
          let readers = [request.user, request.user, nil].map { user in
            makeRequest(request.resource, isPlain: true, by: user)
          }
          judge(await together(readers))
        }
      case 6...7: await burst()
      default: await overtake()
      }
      origin.set(.well)
    }
    for client in clients { await client.shutdown() }
    tally.authenticated += origin.emissions.count { $0.fields["authorization"]?.hasPrefix("Basic") ?? false }
    tally.complaints += store.complaints.all
    return tally
  }

  // MARK: Steps

  /// Requests at the same time, most for one URL.
  private mutating func burst() async {
    let resource = Int.random(in: 0..<3, using: &random)
    let requests = (0..<Int.random(in: 2...7, using: &random)).map { _ in
      makeRequest(resource, isPlain: !one(in: 5))
    }
    judge(await together(requests))
  }

  /// A request whose answer is held while others, among them changes, overtake it.
  private mutating func overtake() async {
    let resource = Int.random(in: 0..<3, using: &random)
    var held = makeRequest(resource, isPlain: !one(in: 4))
    if one(in: 5) { held.method = "POST" }
    let gate = HistoryOrigin.Gate(holdsHead: one(in: 2))
    let (clients, origin, time) = (clients, origin, time)
    let first = Task {
      let delivery = await Self.send(held, clients, origin, time, gate: gate)
      gate.reached.set()
      return delivery
    }
    await gate.reached.wait()
    var others: [Task<HistoryDelivery, Never>] = []
    func start(_ request: HistoryRequest) async {
      others.append(Task { await Self.send(request, clients, origin, time) })
      for _ in 0..<30 { await Task.yield() }
    }
    if one(in: 2) { await start(makeRequest(resource, isPlain: true)) }
    var change = makeRequest(resource, isPlain: true)
    change.method = "DELETE"
    if one(in: 2) { judge([await Self.send(change, clients, origin, time)]) }
    for _ in 0..<Int.random(in: 0...3, using: &random) { await start(makeRequest(resource, isPlain: true)) }
    gate.opened.set()
    var deliveries = [await first.value]
    for other in others { deliveries.append(await other.value) }
    judge(deliveries)
  }

  private func together(_ requests: [HistoryRequest]) async -> [HistoryDelivery] {
    await withTaskGroup(of: HistoryDelivery.self) { group in
      for request in requests {
        group.addTask { [clients, origin, time] in await Self.send(request, clients, origin, time) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  private mutating func judge(_ deliveries: [HistoryDelivery]) {
    let model = HistoryModel(
      isShared: isShared,
      resources: origin.resources,
      emissions: origin.emissions,
      changes: origin.changes
    )
    for delivery in deliveries {
      count(delivery, model)
      if let complaint = model.complaint(about: delivery) {
        let place = delivery.request.resource
        let past = model.emissions.filter { $0.request.resource == place }.map { "\n    \($0)" }.joined()
        let changes = model.changes.filter { $0.resource == place }.map { "\n    \($0)" }.joined()
        tally.complaints.append("\(complaint)\n  \(delivery)\n  \(origin.resources[place])\(past)\(changes)")
      }
    }
  }

  private mutating func count(_ delivery: HistoryDelivery, _ model: HistoryModel) {
    tally.deliveries += 1
    let status = delivery.fields["cache-status"] ?? ""
    if status.contains("hit") { tally.hits += 1 }
    if status.contains("fwd-status=304") { tally.validated += 1 }
    if status.contains("ttl=-") { tally.stale += 1 }
    if status.contains("collapsed") { tally.joined += 1 }
    if status.contains("hit"), delivery.status == 206 { tally.parts += 1 }
    let number = delivery.fields["x-emission"].flatMap { Int($0) }
    let emission = model.emissions.first { $0.sequence == number }
    guard let emission, emission.request.id != delivery.request.id else { return }
    if emission.request.user.name != delivery.request.user.name { tally.toOthers += 1 }
    if emission.request.method == "POST" { tally.posted += 1 }
    if isShared, emission.statement.targeted?.policy != nil { tally.targeted += 1 }
  }

  // MARK: Requests

  /// Methods other than GET.
  private static let methods =
    ["HEAD", "HEAD", "HEAD", "PUT", "PATCH", "LOCK", "OPTIONS"] + Array(repeating: "POST", count: 4)

  private mutating func one(in count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

  /// - Parameters:
  ///   - isPlain: Whether it is a GET as most are, which can be collapsed with others.
  ///   - user: Who sends it; anybody if it is nil.
  private mutating func makeRequest(
    _ index: Int,
    isPlain: Bool = false,
    by user: HistoryUser? = nil
  ) -> HistoryRequest {
    lastID += 1
    let user = user ?? users[Int.random(in: 0..<users.count, using: &random)]
    var request = HistoryRequest(id: lastID, user: user, resource: index)
    request.fields["accept-language"] = ["de", "de, en", "de,en", "en"].randomElement(using: &random)
    if user.identity == .cookie || one(in: 2) { request.fields["cookie"] = user.cookie }
    if one(in: 2) { request.fields["x-user"] = user.name }
    guard !isPlain else { return request }
    if one(in: 4) { request.method = Self.methods.randomElement(using: &random) ?? "GET" }
    if one(in: 4) { request.mode = CacheMode.allCases.randomElement(using: &random) ?? .default }
    request.demands = .random(using: &random)
    let resource = origin.resources[index]
    let marks = origin.emissions.filter { $0.request.resource == index && $0.kind == .content }.map(\.mark)
    let tag = marks.suffix(6).randomElement(using: &random).flatMap { resource.tag(of: $0) }
    if request.method == "GET", one(in: 4) {
      let start = Int.random(in: 0...(resource.length - 60), using: &random)
      let end = Int.random(in: (start + 59)...resource.length + 50, using: &random)
      request.range = ["bytes=\(start)-\(end)", "bytes=\(start)-", "bytes=-\(start + 60)"].randomElement(
        using: &random
      )
      if one(in: 3) { request.ifRange = tag }
    } else if one(in: 12) {
      request.ifNoneMatch = tag
    }
    return request
  }

  // MARK: Sending

  private static func send(
    _ asked: HistoryRequest,
    _ clients: [Client],
    _ origin: HistoryOrigin,
    _ time: ManualTime,
    gate: HistoryOrigin.Gate? = nil
  ) async -> HistoryDelivery {
    var request = Request(
      HTTPRequest.Method(asked.method)!,
      String(origin.resources[asked.resource].path.dropFirst())
    )
    var fields = asked.fields
    if asked.user.identity == .field { fields["authorization"] = asked.user.authorization }
    fields["x-id"] = "\(asked.id)"
    fields["range"] = asked.range
    fields["if-range"] = asked.ifRange
    fields["if-none-match"] = asked.ifNoneMatch
    fields["cache-control"] = asked.demands.text
    for (name, value) in fields { request.fields[HTTPField.Name(name)!] = value }
    request.options.cacheMode = asked.mode
    request.options.cachePartition = asked.user.partition
    let began = origin.begin(asked, gate: gate)
    var delivery = HistoryDelivery(request: asked, began: began, time: time.date.timeIntervalSince1970)
    let place = ["ann": 0, "bob": 1, "eve": 2][asked.user.name] ?? 0
    do {
      let response = try await clients[place].send(request)
      delivery.status = response.status.code
      for field in response.fields { delivery.fields[field.name.canonicalName] = field.value }
      if asked.isUnsafe, (200..<400).contains(delivery.status) {
        let named = [delivery.fields["location"], delivery.fields["content-location"]]
        let others = origin.resources.indices.filter {
          named.contains(where: origin.resources[$0].isNamed(by:))
        }
        origin.know(Set(others + [asked.resource]), by: asked)
      }
      delivery.body = try await response.body.collect(upTo: 1 << 20).array
    } catch {}
    return delivery
  }
}
