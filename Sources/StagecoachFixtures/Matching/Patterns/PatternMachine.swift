/// Matches a text: all states in which a regular expression can be go through the text side by side, each at most once
/// for each character (Thompson's construction, with Pike's rule for groups).
struct PatternMachine {
  /// What matched.
  struct Match {
    /// What the first group matched.
    var group: Range<String.Index>?
  }

  /// The steps of a match, beyond ``stepsPerByte`` for each byte of the text.
  static let greatestSteps = 10_000_000
  /// What a plain expression takes, however long the text is.
  static let stepsPerByte = 16

  /// A state, and where the first group began and ended on the way to it.
  private struct Thread {
    var instruction: Int32
    var start: String.Index?
    var end: String.Index?
  }

  /// The place in a text between two characters.
  fileprivate struct Place {
    var index: String.Index
    var before: Unicode.Scalar?
    var behind: Unicode.Scalar?
    var isBeforeLastLineBreak = false
  }

  private let pattern: TextPattern
  private let instructions: [PatternProgram.Instruction]
  private let greatestSteps: Int
  /// The steps that were taken.
  private(set) var steps = 0
  /// The round in which an instruction was reached last.
  private var rounds: [Int32]
  private var round: Int32 = 0
  private var stack: [Thread] = []

  init(_ pattern: TextPattern, greatestSteps: Int = Self.greatestSteps) {
    self.pattern = pattern
    self.greatestSteps = greatestSteps
    instructions = PatternProgram(pattern.expression).instructions
    rounds = Array(repeating: 0, count: instructions.count)
  }

  /// Returns the match; `nil` if there is none.
  ///
  /// - Throws: ``TextPatternError/tooManySteps(pattern:limit:)``.
  mutating func match(_ text: String) throws(TextPatternError) -> Match? {
    let scalars = text.unicodeScalars
    let sets = pattern.expression.sets
    let limit = greatestSteps + Self.stepsPerByte * text.utf8.count
    let lastLineBreak = scalars.lastLineBreak
    var place = Place(index: scalars.startIndex, before: nil, behind: scalars.first)
    var threads: [Thread] = []
    var next: [Thread] = []
    var isFirst = true
    while true {
      place.isBeforeLastLineBreak = place.index == lastLineBreak
      // Threads that are in `next` were reached at this place already.
      if isFirst || pattern.extent == .anywhere {
        if isFirst { round += 1 }
        follow(Thread(instruction: 0), at: place, into: &next)
      }
      isFirst = false
      swap(&threads, &next)
      next.removeAll(keepingCapacity: true)
      if pattern.extent == .anywhere || place.behind == nil {
        for thread in threads {
          guard case .match = instructions[Int(thread.instruction)] else { continue }
          guard let start = thread.start, let end = thread.end else { return Match() }
          return Match(group: start..<end)
        }
      }
      guard let scalar = place.behind, !threads.isEmpty || pattern.extent == .anywhere else { return nil }
      scalars.formIndex(after: &place.index)
      place.before = scalar
      place.behind = place.index < scalars.endIndex ? scalars[place.index] : nil
      place.isBeforeLastLineBreak = place.index == lastLineBreak
      round += 1
      for thread in threads {
        guard case .set(let index) = instructions[Int(thread.instruction)] else { continue }
        steps += scalar.isASCII ? 1 : sets[Int(index)].cost
        guard sets[Int(index)].contains(scalar) else { continue }
        var thread = thread
        thread.instruction += 1
        follow(thread, at: place, into: &next)
      }
      guard steps <= limit else { throw .tooManySteps(pattern: pattern.text, limit: limit) }
    }
  }

  /// Adds the states that are reached from one without a character, in the order of preference.
  private mutating func follow(_ thread: Thread, at place: Place, into threads: inout [Thread]) {
    stack.append(thread)
    while var thread = stack.popLast() {
      let position = Int(thread.instruction)
      guard rounds[position] != round else { continue }
      rounds[position] = round
      steps += 1
      switch instructions[position] {
      case .set, .match: threads.append(thread)
      case .jump(let target):
        thread.instruction = target
        stack.append(thread)
      case .split(let first, let second):
        thread.instruction = second
        stack.append(thread)
        thread.instruction = first
        stack.append(thread)
      case .assertion(let assertion):
        guard place.meets(assertion) else { continue }
        thread.instruction += 1
        stack.append(thread)
      case .startOfGroup:
        thread.instruction += 1
        (thread.start, thread.end) = (place.index, nil)
        stack.append(thread)
      case .endOfGroup:
        thread.instruction += 1
        thread.end = place.index
        stack.append(thread)
      }
    }
  }
}

extension PatternMachine.Place {
  fileprivate func meets(_ assertion: PatternExpression.Assertion) -> Bool {
    switch assertion {
    case .textStart: before == nil
    case .textEnd: behind == nil
    case .lastLineEnd: behind == nil || isBeforeLastLineBreak
    case .lineStart: before.map { $0.isLineBreak && !isInsideLineBreak } ?? true
    case .lineEnd: behind.map { $0.isLineBreak && !isInsideLineBreak } ?? true
    case .wordBoundary: isBoundary
    case .noWordBoundary: !isBoundary
    }
  }

  private var isInsideLineBreak: Bool { before == "\r" && behind == "\n" }
  private var isBoundary: Bool { (before?.isWord ?? false) != (behind?.isWord ?? false) }
}

extension String.UnicodeScalarView {
  /// Where the line break begins that ends the text; `nil` if none does.
  fileprivate var lastLineBreak: Index? {
    guard let last, last.isLineBreak else { return nil }
    let index = self.index(before: endIndex)
    guard last == "\n", index > startIndex else { return index }
    let previous = self.index(before: index)
    return self[previous] == "\r" ? previous : index
  }
}
