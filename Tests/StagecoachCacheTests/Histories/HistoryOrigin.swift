import HTTPTypes
import Stagecoach
import Synchronization
import TestSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The origin of a history, which answers as its resources tell, and notes what it has answered.
final class HistoryOrigin: Sendable {
  static let start = 1_800_000_000.0

  /// What the origin does with the next requests.
  enum Mood: CaseIterable {
    case well, unreachable, failing
  }

  /// Holds an answer until it is opened.
  struct Gate: Sendable {
    /// Whether the head is held too.
    let holdsHead: Bool
    let reached = Signal()
    let opened = Signal()
  }

  private struct State {
    var random: SplitMix
    var sequence = 0
    var versions: [Int]
    var turns: [Int]
    var requests: [Int: HistoryRequest] = [:]
    var emissions: [HistoryEmission] = []
    var changes: [HistoryChange] = []
    var mood = Mood.well
    /// The gates of requests.
    var gates: [Int: Gate] = [:]
  }

  let resources: [HistoryResource]
  private let time: ManualTime
  private let state: Mutex<State>

  init(_ resources: [HistoryResource], _ time: ManualTime, seed: UInt64) {
    self.resources = resources
    self.time = time
    let zeros = resources.map { _ in 0 }
    state = Mutex(State(random: SplitMix(state: seed), versions: zeros, turns: zeros))
  }

  // MARK: The course of the history

  var emissions: [HistoryEmission] { state.withLock { $0.emissions } }
  var changes: [HistoryChange] { state.withLock { $0.changes } }

  func set(_ mood: Mood) { state.withLock { $0.mood = mood } }

  /// Changes a resource without a request, or what is said about it.
  func change(_ resource: Int, isContent: Bool) {
    state.withLock { if isContent { $0.versions[resource] += 1 } else { $0.turns[resource] += 1 } }
  }

  /// Notes a request that begins.
  ///
  /// - Returns: Its place in the history.
  func begin(_ request: HistoryRequest, gate: Gate? = nil) -> Int {
    state.withLock { state in
      state.requests[request.id] = request
      state.gates[request.id] = gate
      state.sequence += 1
      return state.sequence
    }
  }

  /// Notes that changes are known: those that a request has made, of which it has the response.
  func know(_ resources: Set<Int>, by request: HistoryRequest) {
    state.withLock { state in
      guard let made = state.emissions.last(where: { $0.request.id == request.id })?.sequence else { return }
      state.sequence += 1
      for resource in resources {
        state.changes.append(HistoryChange(resource: resource, made: made, known: state.sequence))
      }
    }
  }

  // MARK: Answering

  /// What is to be sent, and how.
  private struct Plan {
    var status = 200
    var fields = HTTPFields()
    var content: [UInt8] = []
    var cut: Int?
    var chunk = 600
    var pauses = 0
    var delay = 0
    var gate: Gate?
    var failure: ExchangeError?
  }

  func answer(_ request: Request) async throws -> Response {
    let now = time.date.timeIntervalSince1970
    guard let plan = state.withLock({ plan(request, now, &$0) }) else { return Response(.badRequest) }
    for _ in 0..<plan.pauses { await Task.yield() }
    if plan.delay > 0 { time.advance(by: .seconds(plan.delay)) }
    if let gate = plan.gate, gate.holdsHead {
      gate.reached.set()
      await gate.opened.wait()
    }
    if let failure = plan.failure { throw failure }
    let head = HTTPResponse(status: .init(code: plan.status), headerFields: plan.fields)
    let length = plan.fields[.contentLength].flatMap { Int64($0) }
    guard request.method != .head, !plan.content.isEmpty else { return Response(head: head) }
    let body = HistoryBody(plan.content, chunk: plan.chunk, cut: plan.cut, gate: plan.gate)
    return Response(head: head, body: Response.Body(source: body, length: length))
  }

  private func plan(_ request: Request, _ now: Double, _ state: inout State) -> Plan? {
    guard
      let asked = request.fields[HTTPField.Name("X-Id")!].flatMap({ Int($0) }).flatMap({ state.requests[$0] })
    else { return nil }
    var fields: [String: String] = [:]
    for name in HistoryResource.names { fields[name] = request.fields[HTTPField.Name(name)!] }
    let resource = resources[asked.resource]
    var plan = Plan()
    plan.gate = state.gates.removeValue(forKey: asked.id)
    plan.pauses = Int.random(in: 0...8, using: &state.random)
    plan.chunk = Int.random(in: 20...400, using: &state.random)
    state.sequence += 1
    var emission = HistoryEmission(
      sequence: state.sequence,
      request: asked,
      mark: resource.mark(for: asked.user, fields, version: state.versions[asked.resource]),
      statement: resource.statements[state.turns[asked.resource] % resource.statements.count],
      fields: fields,
      time: now
    )
    defer { state.emissions.append(emission) }
    if state.mood != .well {
      emission.kind = .failure
      plan.status = 503
      if state.mood == .unreachable { plan.failure = ExchangeError(.connectionRefused, "the origin is away") }
      return plan
    }
    if resource.asksForCredentials, asked.user.identity == .stage, fields["authorization"] == nil {
      plan.status = 401
      plan.fields[.wwwAuthenticate] = "Basic realm=\"history\""
      return plan
    }
    if asked.isRetrieval {
      plan.fields = head(of: emission)
      emission.kind = select(resource, emission.mark, request, &plan)
    } else {
      act(&emission, &plan, &state)
    }
    if Int.random(in: 0..<12, using: &state.random) == 0, emission.kind == .content {
      emission.isCut = true
      plan.cut = Int.random(in: 0..<plan.content.count, using: &state.random)
    }
    if plan.gate == nil, Int.random(in: 0..<12, using: &state.random) == 0 { plan.delay = 7 }
    return plan
  }

  /// Answers methods other than GET and HEAD, with all the fields that those have.
  private func act(_ emission: inout HistoryEmission, _ plan: inout Plan, _ state: inout State) {
    let (asked, resource) = (emission.request, resources[emission.request.resource])
    if asked.isUnsafe {
      guard Int.random(in: 0..<5, using: &state.random) > 0 else {
        plan.status = 409
        return
      }
      state.versions[asked.resource] += 1
      plan.status = [200, 200, 200, 200, 204, 303].randomElement(using: &state.random) ?? 200
    }
    let version = state.versions[asked.resource]
    emission.mark = .own(emission.sequence, version: version)
    if plan.status == 200 {
      let (path, other) = (resource.path, resources.randomElement(using: &state.random)?.path)
      emission.location =
        [
          path, "https://h" + path, path, "https://h" + path, path, "https://h" + path,
          "https://other" + path,
          path + "?", other, nil,
        ].randomElement(using: &state.random) ?? nil
      // In half of the cases what GET would have got, which can be confirmed later.
      if resource.isNamed(by: emission.location), Bool.random(using: &state.random) {
        emission.mark = resource.mark(for: asked.user, emission.fields, version: version)
      }
      emission.kind = .content
      plan.content = resource.body(of: emission.mark)
    }
    plan.fields = head(of: emission)
    plan.fields[.contentLocation] = emission.location
    if resource.declaresLength { plan.fields[.contentLength] = "\(plan.content.count)" }
    let other = Int.random(in: 0..<resources.count * 2, using: &state.random)
    for index in resources.indices where asked.isUnsafe && index != asked.resource {
      guard index == other || resources[index].isNamed(by: emission.location) else { continue }
      state.versions[index] += 1
      if index == other { plan.fields[.location] = "https://h" + resources[index].path }
    }
  }

  private func head(of emission: HistoryEmission) -> HTTPFields {
    let (resource, mark, now) = (resources[emission.request.resource], emission.mark, emission.time)
    let policy = emission.statement.common
    var fields = HTTPFields()
    fields[.cacheControl] = policy.text
    for line in emission.statement.targeted?.lines ?? [] {
      fields.append(HTTPField(name: HTTPField.Name("CDN-Cache-Control")!, value: line))
    }
    fields[HTTPField.Name("X-Emission")!] = "\(emission.sequence)"
    fields[HTTPField.Name("X-Secret")!] = "\(emission.sequence)"
    fields[.date] = Self.text(now - Double(resource.delay))
    if resource.setsCookie { fields[.setCookie] = "mark=\(emission.sequence)" }
    if !resource.vary.isEmpty { fields[.vary] = resource.vary.joined(separator: ", ") }
    fields[.eTag] = resource.tag(of: mark)
    if resource.hasDates { fields[.lastModified] = Self.text(Self.change(of: mark)) }
    if let age = resource.age { fields[.age] = "\(age)" }
    if let expires = policy.expires { fields[.expires] = Self.text(now - Double(resource.delay + -expires)) }
    return fields
  }

  /// Evaluates conditions and ranges (RFC 9110 13.2.2).
  private func select(
    _ resource: HistoryResource,
    _ mark: HistoryResource.Mark,
    _ request: Request,
    _ plan: inout Plan
  ) -> HistoryEmission.Kind {
    let tag = resource.tag(of: mark)
    let opaque = tag.map { $0.hasPrefix("W/") ? String($0.dropFirst(2)) : $0 }
    if let tags = request.fields[.ifNoneMatch] {
      if let opaque, tags.contains(opaque) { plan.status = 304 }
    } else if resource.hasDates, let since = request.fields[.ifModifiedSince].flatMap({ HTTPDate($0) }),
      Self.change(of: mark) <= Double(since.secondsSince1970)
    {
      plan.status = 304
    }
    if plan.status == 304 { return .notModified }
    var content = resource.body(of: mark)
    if request.method == .get, resource.takesRanges, let text = request.fields[.range],
      let range = Self.range(text, resource.length),
      request.fields[.ifRange].map({ $0 == tag && resource.tag == .strong }) ?? true
    {
      content = Array(content[range])
      plan.status = 206
      plan.fields[HTTPField.Name("Content-Range")!] = Self.contentRange(range, resource.length)
    }
    if resource.declaresLength { plan.fields[.contentLength] = "\(content.count)" }
    if request.method == .head { return .head }
    plan.content = content
    return .content
  }

  // MARK: Texts

  /// When a version was made.
  static func change(of mark: HistoryResource.Mark) -> Double { start - 400 + 10 * Double(mark.version) }

  static func text(_ seconds: Double) -> String? {
    HTTPDate(Date(timeIntervalSince1970: seconds))?.description
  }

  /// The bytes of `bytes=a-b`, `bytes=a-` or `bytes=-n`; nil if there are none.
  static func range(_ text: String, _ total: Int) -> Range<Int>? {
    let ends = text.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2 else { return nil }
    switch (Int(ends[0]), Int(ends[1])) {
    case (let first?, let last) where first < total: return first..<(min(last ?? total - 1, total - 1) + 1)
    case (nil, let count?) where count > 0: return max(0, total - count)..<total
    default: return nil
    }
  }

  static func contentRange(_ range: Range<Int>, _ total: Int) -> String {
    "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)"
  }
}
