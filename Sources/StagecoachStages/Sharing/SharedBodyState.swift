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
  var readers: [Int: Position] = [:]
  var nextReader = 0
  var end: Result<Void, any Error>?
  var isPulling = false
  /// The readers that wait for the pull.
  var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]

  init(iterator: Response.Body.AsyncIterator, isTaped: Bool) {
    self.iterator = iterator
    self.isTaped = isTaped
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

  /// Moves a reader on that has read bytes of the tape.
  mutating func advance(_ reader: Int, by bytes: Int) {
    if case .taped(let offset) = readers[reader] { readers[reader] = .taped(offset + Int64(bytes)) }
  }

  /// Lets a reader that has caught up go on with what is in memory.
  mutating func approach(_ reader: Int) {
    if case .taped(firstKept) = readers[reader] { readers[reader] = .kept(passed) }
  }

  /// Forgets what every reader has read.
  mutating func trim() {
    var least = count
    for case .kept(let number) in readers.values { least = min(least, number) }
    while passed < least { forgetFirst() }
    guard forgotten * 2 > chunks.count else { return }
    chunks.removeFirst(forgotten)
    forgotten = 0
  }

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
      let isOnTape = firstKept + Int64(self[passed].count) <= taped
      for case (let reader, .kept(passed)) in readers {
        readers[reader] = isOnTape ? .taped(firstKept) : nil
      }
      forgetFirst()
      trim()
    }
  }
}
