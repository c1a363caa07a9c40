import StagecoachCore

/// The chunks of a shared body that are in memory, and the positions of its readers.
struct SharedBodyState {
  /// The position of a reader.
  enum Position: Sendable {
    /// The number of chunks that it has read, all later ones being kept.
    case kept(Int)
    /// The number of bytes that it has read, of which the next are on the tape alone.
    case taped(Int64)
  }

  var iterator: Response.Body.AsyncIterator
  /// The chunks that not every reader has read, oldest first, after those that were removed.
  private var chunks: [Bytes] = []
  private var forgotten = 0
  /// The number of chunks before those that are kept.
  private(set) var passed = 0
  /// The number of bytes before those that are kept.
  private(set) var firstKept: Int64 = 0
  /// The size of the chunks that are kept.
  private var kept = 0
  /// The number of bytes that are on the tape, from the first one on.
  private(set) var taped: Int64 = 0
  /// Whether all bytes so far are on the tape.
  private(set) var isTaped: Bool
  /// Whether the body is known to be no longer than what is kept.
  private let fits: Bool
  private(set) var readers: [Int: Position] = [:]
  private var nextReader = 0
  /// The reader that came before the others, which is never cut loose for them.
  private var leader = 0
  /// Whether a reader that has begun can go on with a request of its own. Only asked once there are two readers.
  private var hasStrongValidator = true
  var end: Result<Void, any Error>?
  var isPulling = false
  /// The readers that wait for the pull.
  var waiting: [Int: Waiter<Void>] = [:]

  init(iterator: Response.Body.AsyncIterator, isTaped: Bool, fits: Bool) {
    self.iterator = iterator
    self.isTaped = isTaped
    self.fits = fits
  }

  /// The number of chunks received.
  var count: Int { passed + chunks.count - forgotten }

  /// The chunk of a number, which is kept.
  subscript(_ number: Int) -> Bytes { chunks[forgotten + number - passed] }

  mutating func append(_ chunk: Bytes, isTaped: Bool) {
    if isTaped { taped += Int64(chunk.count) } else { self.isTaped = false }
    guard !readers.isEmpty else { return }
    chunks.append(chunk)
    kept += Self.cost(of: chunk)
  }

  /// Adds a reader, which starts with the first byte.
  ///
  /// - Parameter hasStrongValidator: Whether a strong validator shows that another response has the same content.
  /// - Returns: The number of the reader; `nil` if the first byte is gone, or the body has ended or was cancelled.
  mutating func join(hasStrongValidator: @autoclosure () -> Bool) -> Int? {
    // Without readers the body was cancelled, unless they are still to come.
    guard end == nil, nextReader == 0 || !readers.isEmpty, passed == 0 || isTaped else { return nil }
    if nextReader == 1 { self.hasStrongValidator = hasStrongValidator() }
    readers[nextReader] = passed == 0 ? .kept(0) : .taped(0)
    defer { nextReader += 1 }
    return nextReader
  }

  mutating func remove(_ reader: Int) {
    guard readers.removeValue(forKey: reader) != nil else { return }
    if reader == leader { leader = readers.keys.min() ?? nextReader }
  }

  /// Removes a reader that can get no more from here.
  mutating func cutLoose(_ reader: Int) -> SharedBody.Step {
    remove(reader)
    trim()
    return .cutLoose
  }

  /// Moves a kept reader behind the next chunk, and returns it.
  mutating func take(_ number: Int, for reader: Int) -> Bytes {
    let chunk = self[number]
    readers[reader] = .kept(number + 1)
    if number == passed { trim() }
    return chunk
  }

  /// What a reader without a byte can do. Without a strong validator a reader that has begun cannot be cut loose, so
  /// that only the leader begins before the body is complete.
  enum Beginning {
    /// The reader may begin.
    case free
    /// The body must be complete first. Reading it loses nothing for the others.
    case gathers
    /// The reader needs a request of its own.
    case impossible
  }

  /// - Parameter limit: The number of bytes that are kept in memory for slower readers.
  func beginning(of reader: Int, limit: Int) -> Beginning {
    guard !hasStrongValidator else { return .free }
    switch readers[reader] {
    case .kept(0), .taped(0): break
    default: return .free
    }
    guard firstKept <= taped else { return .impossible }
    if end != nil || reader == leader { return .free }
    return isTaped || fits && kept < limit ? .gathers : .impossible
  }

  /// Whether a reader has read, or gathered, all there is.
  func needsMore(_ reader: Int, limit: Int) -> Bool {
    guard end == nil, let position = readers[reader] else { return false }
    if case .kept(count) = position { return true }
    return beginning(of: reader, limit: limit) == .gathers
  }

  /// Moves a reader on that has read bytes of the tape.
  mutating func advance(_ reader: Int, by bytes: Int) {
    if case .taped(let offset) = readers[reader] { readers[reader] = .taped(offset + Int64(bytes)) }
  }

  /// Lets a reader that has caught up go on with what is in memory.
  mutating func approach(_ reader: Int) {
    if case .taped(firstKept) = readers[reader] { readers[reader] = .kept(passed) }
  }

  /// Forgets what every reader has read, or finds on the tape.
  mutating func trim() {
    var least = count
    var needsTape = false
    for position in readers.values {
      switch position {
      case .kept(let number): least = min(least, number)
      case .taped: needsTape = true
      }
    }
    while passed < least, !needsTape || isFirstOnTape { forgetFirst() }
    guard forgotten * 2 > chunks.count else { return }
    chunks.removeFirst(forgotten)
    forgotten = 0
  }

  private var isFirstOnTape: Bool { firstKept + Int64(chunks[forgotten].count) <= taped }

  private mutating func forgetFirst() {
    kept -= Self.cost(of: chunks[forgotten])
    firstKept += Int64(chunks[forgotten].count)
    chunks[forgotten] = Bytes()
    forgotten += 1
    passed += 1
  }

  /// A server may send single bytes, each of which takes more room than it holds.
  private static func cost(of chunk: Bytes) -> Int { chunk.count + 64 }

  /// Lets the slowest readers go until what is kept is below the limit: to the tape if it holds the chunk that they
  /// need, otherwise for good. Whoever waits has read all there is.
  mutating func makeRoom(below limit: Int) {
    while kept >= limit, passed < count {
      let isOnTape = isFirstOnTape
      for case (let reader, .kept(passed)) in readers {
        if isOnTape { readers[reader] = .taped(firstKept) } else { remove(reader) }
      }
      forgetFirst()
      trim()
    }
  }
}
