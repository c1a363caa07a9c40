import Synchronization

/// One call from its start to the end of its response body: identity, observers, clock and timings,
/// shared by all its hops and attempts.
public final class Exchange: Sendable {
  /// Identifies an exchange within the process.
  public struct ID: Sendable, Hashable, CustomStringConvertible {
    /// A running number.
    public let number: Int
    /// The number after a `#`.
    public var description: String { "#\(number)" }
  }

  /// A moment whose time is kept.
  enum Mark: Int {
    case requestSent, headReceived, bodyEnd
  }

  private static let counter = Atomic<Int>(0)

  /// The identity.
  public let id: ID
  /// The clock of the client.
  public let time: any TimeSource
  /// The source of chance of the client.
  public let random: any RandomSource
  /// Runs work that outlives the call, until the client is shut down; nil without a client.
  public let background: BackgroundScope?
  /// When the call began.
  public let start: ContinuousClock.Instant

  @usableFromInline let monitors: [any EventMonitor]
  private let sequence = Atomic<Int>(0)
  private let attemptCount = Atomic<Int>(0)
  private let requestSent = Atomic<Int64>(-1)
  private let headReceived = Atomic<Int64>(-1)
  private let bodyEnd = Atomic<Int64>(-1)
  /// By origin, since an operation keeps its key from hop to hop.
  let idempotencyKeys = Mutex<[OriginKey: String]>([:])
  /// The site of the first hop, once a stage for cookies has asked.
  private let firstParty = Mutex<String?>(nil)
  private let binding = Mutex(CredentialBinding.unbound)
  private let repeated = Mutex<RepeatedAttempt?>(nil)

  init(
    time: any TimeSource = SystemTime(),
    random: any RandomSource = SystemRandom(),
    monitors: [any EventMonitor] = [],
    background: BackgroundScope? = nil
  ) {
    id = ID(number: Self.counter.add(1, ordering: .relaxed).newValue)
    self.time = time
    self.random = random
    self.monitors = monitors
    self.background = background
    start = time.now
  }

  /// Whether anybody observes the exchange.
  @inlinable
  public var isObserved: Bool { !monitors.isEmpty }

  /// The time since the call began.
  public var elapsed: Duration { time.now - start }

  /// How many times a transport was asked.
  public var attempts: Int { attemptCount.load(ordering: .relaxed) }

  /// Whom the credential of the request belongs to.
  private enum CredentialBinding {
    case unbound
    case bound(ServerName)
    /// The request has been elsewhere than at the server it is bound to, if it was bound: what comes back from there
    /// may be what that made of it.
    case left(ServerName?)
  }

  /// Whether a site is that of the first hop.
  func isFirstParty(_ site: String, atHop hop: Int32) -> Bool {
    firstParty.withLock { first in
      if hop == 0 { first = site }
      return first == site
    }
  }

  /// Binds the credential of the request to the server of hop 0, and tells whether a hop is still there.
  ///
  /// A hop 0 that follows others is the request of the caller once more, which a stage above redirects repeats.
  func bindsCredential(to server: ServerName, atHop hop: Int32) -> Bool {
    binding.withLock { binding in
      switch binding {
      case .unbound where hop == 0:
        binding = .bound(server)
        return true
      case .bound(let bound) where bound == server: return true
      case .left(let bound) where hop == 0 && bound == server:
        binding = .bound(server)
        return true
      case .bound(let bound):
        binding = .left(bound)
        return false
      case .unbound:
        binding = .left(nil)
        return false
      case .left: return false
      }
    }
  }

  /// What the last attempt that was repeated had ended with.
  var repeatedAttempt: RepeatedAttempt? { repeated.withLock { $0 } }

  func noteRepeated(_ attempt: RepeatedAttempt) {
    repeated.withLock { $0 = attempt }
  }

  func countAttempt() {
    attemptCount.add(1, ordering: .relaxed)
  }

  @usableFromInline
  func deliver(_ kind: Event.Kind, hop: Int32, attempt: Int32) {
    let event = Event(
      exchange: id,
      hop: Int(hop),
      attempt: Int(attempt),
      sequence: sequence.add(1, ordering: .relaxed).oldValue,
      time: time.now,
      kind: kind
    )
    for monitor in monitors { monitor.receive(event) }
  }

  /// Marks are kept in units of 2^28 attoseconds: got by a shift where nanoseconds would take divisions of 128 bits, and
  /// fine enough to tell each of them. They last for 78 years.
  private static let unit = 28

  func mark(_ mark: Mark) {
    let offset = Int64(clamping: elapsed.attoseconds >> Self.unit)
    switch mark {
    case .requestSent: requestSent.store(offset, ordering: .relaxed)
    case .headReceived: headReceived.store(offset, ordering: .relaxed)
    case .bodyEnd: bodyEnd.store(offset, ordering: .relaxed)
    }
  }

  /// Notes that a transport has written the request completely.
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

/// When the phases of an exchange ended, each measured from its start; nil where the transport cannot
/// tell or the phase was not reached.
public struct Timings: Sendable, Hashable {
  /// The request of the last attempt was written.
  public var requestSent: Duration?
  /// The head of the last response came.
  public var headReceived: Duration?
  /// The last response body ended.
  public var bodyEnd: Duration?
  /// The time that had passed when the timings were taken.
  public var total: Duration
}
