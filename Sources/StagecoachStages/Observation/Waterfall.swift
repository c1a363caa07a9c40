public import HTTPTypes
public import StagecoachCore

/// The timing of an exchange: for each attempt its phases, from waiting for a slot to the end of the body.
///
/// Printed, it is a chart:
///
/// ```text
/// GET http://example.com/ · 200 OK · 182 ms
///   dns      ███                                        12 ms
///   connect     ██                                      9 ms
///   tls           █████                                 25 ms
///   head               ██████████████████████           101 ms
///   body                                     ████████   35 ms
/// ```
///
/// It is created from the events of the exchange, which ``WaterfallMonitor`` collects. A phase that was not reached,
/// or that the transport does not report, is missing.
public struct Waterfall: Sendable, CustomStringConvertible {
  /// The kind of a phase.
  @nonexhaustive
  public enum Activity: String, Sendable, Hashable, CaseIterable {
    /// Waiting for a slot (`ConcurrencyLimit`), or for a connection.
    case queued
    /// Name resolution.
    case dns
    /// Connecting.
    case connect
    /// The TLS handshake.
    case tls
    /// Sending the request.
    case send
    /// Waiting for the head of the response.
    case head
    /// Reading the body.
    case body
  }

  /// A phase of an attempt.
  public struct Phase: Sendable, Hashable {
    /// The kind of the phase.
    public let activity: Activity
    /// The start, relative to the start of the exchange.
    public let start: Duration
    /// The duration.
    public let duration: Duration

    /// The end, relative to the start of the exchange.
    public var end: Duration { start + duration }
  }

  /// One request on the wire.
  public struct Attempt: Sendable, Hashable {
    /// The number of redirects before the attempt.
    public let hop: Int
    /// The number of the attempt within its hop.
    public let number: Int
    /// The status of the response, or the kind of the failure.
    public internal(set) var outcome: String
    /// The phases, in order.
    public internal(set) var phases: [Phase]
  }

  /// The head of the first request of the exchange, without secrets.
  public let request: HTTPRequest?
  /// The attempts, in order.
  public let attempts: [Attempt]
  /// The time from the start of the exchange to its last event.
  public let total: Duration

  /// Creates the waterfall of an exchange.
  ///
  /// - Parameter events: The events of one exchange, in any order.
  public init(_ events: [Event]) {
    let events = events.sorted { $0.sequence < $1.sequence }
    let start = events.first?.time
    var attempts: [AttemptRecord] = []
    for event in events {
      guard let start else { break }
      let key = (event.hop, event.attempt)
      if case .stageEntered = event.kind, attempts.last?.isOver(for: key) ?? true {
        attempts.append(AttemptRecord(hop: event.hop, number: event.attempt))
      }
      // An abandoned attempt may still report its body while the next attempt is in progress.
      let index = attempts.lastIndex { $0.takes(event.kind) && ($0.attempt.hop, $0.attempt.number) == key }
      if let index { attempts[index].note(event.kind, at: event.time - start) }
    }
    request =
      events.lazy.compactMap { event in
        if case .exchangeStarted(let head) = event.kind { head } else { nil }
      }.first
    self.attempts = attempts.map(\.attempt)
    total = start.flatMap { start in events.last.map { $0.time - start } } ?? .zero
  }

  /// The chart, 40 columns wide.
  public var description: String { chart(columns: 40) }

  /// Returns the chart, with bars of this many columns.
  public func chart(columns: Int) -> String {
    let columns = max(1, columns)
    let url = request.map { "\($0.method.rawValue) \(Redaction.url(of: $0))" } ?? "exchange"
    let outcome = attempts.last.map { " · \($0.outcome)" } ?? ""
    var lines = ["\(url)\(outcome) · \(Format.duration(total))"]
    for attempt in attempts {
      if attempts.count > 1 {
        let hop = attempt.hop > 0 ? "redirect \(attempt.hop), " : ""
        lines.append(" \(hop)attempt \(attempt.number) · \(attempt.outcome)")
      }
      lines += attempt.phases.map { line($0, columns) }
    }
    return lines.map(Format.oneLine).joined(separator: "\n")
  }

  private func line(_ phase: Phase, _ columns: Int) -> String {
    let scale = total > .zero ? Double(columns) / (total / .seconds(1)) : 0
    func column(_ duration: Duration) -> Int {
      min(columns, max(0, Int((duration / .seconds(1) * scale).rounded())))
    }
    let first = min(column(phase.start), columns - 1)
    let length = max(1, column(phase.end) - first)
    let bar = String(repeating: " ", count: first) + String(repeating: "█", count: length)
    let name = phase.activity.rawValue
    let gap = String(repeating: " ", count: 9 - name.count)
    let rest = String(repeating: " ", count: max(0, columns - first - length))
    return "  \(name)\(gap)\(bar)\(rest)  \(Format.duration(phase.duration))"
  }
}

/// An attempt while its events are read.
private struct AttemptRecord {
  var attempt: Waterfall.Attempt
  private var queued: Duration?
  /// The time when the innermost stage, the transport, was entered.
  private var entered = Duration.zero
  private var connected: Duration?
  private var sent: Duration?
  private var head: Duration?
  private var hasEnded = false

  init(hop: Int, number: Int) {
    attempt = Waterfall.Attempt(hop: hop, number: number, outcome: "no response", phases: [])
  }

  /// Whether what is entered now belongs to another attempt.
  func isOver(for key: (Int, Int)) -> Bool {
    head != nil || (attempt.hop, attempt.number) != key
  }

  func takes(_ kind: Event.Kind) -> Bool {
    switch kind {
    case .responseFinished, .responseBodyFailed: head != nil && !hasEnded
    default: true
    }
  }

  mutating func note(_ kind: Event.Kind, at time: Duration) {
    switch kind {
    case .stageEntered: entered = time
    case .connection(.queued): queued = time
    case .connection(.dequeued(let wait)): add(.queued, from: queued ?? (time - wait), to: time)
    case .stage(let event):
      if let wait = event.waited { add(.queued, from: time - wait, to: time) }
    case .connection(.acquired(let connection)):
      note(connection, at: time)
      connected = time
    case .requestSent:
      add(.send, from: connected ?? entered, to: time)
      sent = time
    case .responseHeadReceived(let head):
      add(.head, from: sent ?? connected ?? entered, to: time)
      self.head = time
      attempt.outcome = Format.status(head.status)
    case .responseFinished, .responseBodyFailed:
      add(.body, from: head ?? entered, to: time)
      hasEnded = true
    // A stage has answered by itself, as a cache does.
    case .stageReturned(_, let status)
    where head == nil && connected == nil && sent == nil && attempt.outcome == "no response":
      attempt.outcome = Format.status(status)
    case .stageFailed(_, let error) where head == nil && attempt.outcome == "no response":
      attempt.outcome = (error as? ExchangeError)?.kind.description ?? "cancelled"
    default: break
    }
  }

  /// Adds the phases of connecting, one after the other, up to the time when the connection was established.
  private mutating func note(_ connection: ConnectionInfo, at time: Duration) {
    let parts: [(Waterfall.Activity, Duration?)] = [
      (.dns, connection.nameResolution), (.connect, connection.connecting), (.tls, connection.tlsHandshake),
    ]
    var start = time - parts.reduce(.zero) { $0 + ($1.1 ?? .zero) }
    for (activity, duration) in parts {
      guard let duration else { continue }
      add(activity, from: max(entered, start), to: max(entered, start + duration))
      start += duration
    }
  }

  private mutating func add(_ activity: Waterfall.Activity, from start: Duration, to end: Duration) {
    let start = min(start, end)
    attempt.phases.append(Waterfall.Phase(activity: activity, start: start, duration: end - start))
  }
}
