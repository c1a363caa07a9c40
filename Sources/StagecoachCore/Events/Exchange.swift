import Synchronization

/// The state of one call, from its start to the end of its response body: identity, observers, clock and timings. All
/// hops and attempts of the call share it.
public final class Exchange: Sendable {
  /// The identifier of an exchange, unique within the process.
  public struct ID: Sendable, Hashable, CustomStringConvertible {
    /// The sequential number.
    public let number: Int
    /// The number after a `#`.
    public var description: String { "#\(number)" }
  }

  /// A moment whose time is recorded.
  enum Mark: Int {
    case requestSent, headReceived, bodyEnd
  }

  private static let counter = Atomic<Int>(0)

  /// The identifier of the exchange.
  public let id: ID
  /// The clock of the client.
  public let clock: any TimeSource
  /// The source of randomness of the client.
  public let randomNumberGenerator: any RandomSource
  /// The scope for background work that outlives the call, until the client is shut down; `nil` without a client.
  public let background: BackgroundScope?
  /// The instant when the call started.
  public let start: ContinuousClock.Instant

  @usableFromInline let monitors: [any EventMonitor]
  private let sequence = Atomic<Int>(0)
  private let attemptCount = Atomic<Int>(0)
  private let requestSent = Atomic<Int64>(-1)
  private let headReceived = Atomic<Int64>(-1)
  private let bodyEnd = Atomic<Int64>(-1)
  /// The states of stages, each stored with its constant, so that the identity of the constant stays unique.
  private let states = Mutex<[ObjectIdentifier: (key: any AnyObject & Sendable, value: any Sendable)]>([:])

  package init(
    clock: any TimeSource = SystemTime(),
    randomNumberGenerator: any RandomSource = SystemRandom(),
    monitors: [any EventMonitor] = [],
    options: RequestOptions = RequestOptions(),
    background: BackgroundScope? = nil
  ) {
    let id = ID(number: Self.counter.add(1, ordering: .relaxed).newValue)
    self.id = id
    self.clock = clock
    self.randomNumberGenerator = randomNumberGenerator
    self.monitors = monitors.map { $0.observer(of: id, options: options) }
    self.background = background
    start = clock.now
  }

  /// Whether the exchange has observers.
  @inlinable
  public var isObserved: Bool { !monitors.isEmpty }

  /// The time since the call started.
  public var elapsed: Duration { clock.now - start }

  /// The number of attempts sent to a transport.
  public var attempts: Int { attemptCount.load(ordering: .relaxed) }

  /// Reads or changes the state of a stage in this exchange, under a lock. The closure must return quickly and must
  /// not access another state.
  public func withState<Value: Sendable, Result>(
    _ state: ExchangeState<Value>,
    _ body: (inout Value) throws -> Result
  ) rethrows -> Result {
    try states.withLock { states in
      var value = states[ObjectIdentifier(state)].flatMap { $0.value as? Value } ?? state.initialValue
      defer { states[ObjectIdentifier(state)] = (state, value) }
      return try body(&value)
    }
  }

  /// The outcome of the previous attempt, set by a stage that sends a request again; shown if the exchange times out.
  package static let answerBefore = ExchangeState<(outcome: String, error: ExchangeError?)?>(nil)

  func countAttempt() {
    attemptCount.add(1, ordering: .relaxed)
  }

  @usableFromInline
  func deliver(_ kind: Event.Kind, hop: Int32, attempt: Int32) {
    let now = clock.now
    let event = Event(
      exchange: id,
      hop: Int(hop),
      attempt: Int(attempt),
      sequence: sequence.add(1, ordering: .relaxed).oldValue,
      time: now,
      elapsed: now - start,
      kind: kind
    )
    for monitor in monitors { monitor.receive(event) }
  }

  /// Marks are stored in units of 2^28 attoseconds (about 0.27 ns): a shift computes them, where nanoseconds would
  /// need 128-bit divisions. They last for 78 years.
  private static let unit = 28

  func mark(_ mark: Mark) {
    let offset = Int64(clamping: elapsed.attoseconds >> Self.unit)
    switch mark {
    case .requestSent: requestSent.store(offset, ordering: .relaxed)
    case .headReceived: headReceived.store(offset, ordering: .relaxed)
    case .bodyEnd: bodyEnd.store(offset, ordering: .relaxed)
    }
  }

  /// Records that a transport has sent the request completely.
  package func markRequestSent() { mark(.requestSent) }

  /// The timings so far.
  public var timings: Timings {
    func duration(_ atomic: borrowing Atomic<Int64>) -> Duration? {
      let offset = atomic.load(ordering: .relaxed)
      let nanosecond: Int128 = 1_000_000_000
      let nanoseconds = (Int128(offset) << Self.unit + nanosecond / 2) / nanosecond
      return offset < 0 ? nil : .nanoseconds(Int64(nanoseconds))
    }
    return Timings(
      requestSent: duration(requestSent),
      headReceived: duration(headReceived),
      bodyEnd: duration(bodyEnd),
      total: elapsed
    )
  }
}

/// The times when the phases of an exchange ended, relative to its start; `nil` if the phase was not reached or the
/// transport does not report it.
public struct Timings: Sendable, Hashable {
  /// When the request of the last attempt was sent.
  public var requestSent: Duration?
  /// When the head of the last response arrived.
  public var headReceived: Duration?
  /// When the last response body ended.
  public var bodyEnd: Duration?
  /// The elapsed time when the timings were taken.
  public var total: Duration
}
