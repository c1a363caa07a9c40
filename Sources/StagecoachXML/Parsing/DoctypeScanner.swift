/// Finds the document type declaration in the bytes before the root element.
///
/// libxml2 parses a declaration as soon as it seems complete, and older versions treat each `>` as its end, and each
/// `]>` as the end of its subset, even in comments, processing instructions and literals. So the declaration must be
/// passed as a whole. In an encoding that does not contain ASCII, none is found.
struct DoctypeScanner {
  private enum State {
    /// Between the markup of the prolog.
    case between
    case open, declaration, hyphen
    case instruction, comment
    /// In the declaration, outside of its subset.
    case head
    /// In the subset, between declarations, and behind the bracket that ends it.
    case subset, end
    case subsetOpen, subsetDeclaration, subsetHyphen
    case subsetInstruction, subsetComment, inner
    /// Behind the declaration, or where no declaration can come.
    case finished
  }

  private var state = State.between
  /// The quotation mark that ends the present literal; 0 outside of literals.
  private var quote: UInt8 = 0
  /// The hyphens or the question mark before, which may end a comment or an instruction.
  private var closing = 0
  /// The number of bytes of an ASCII character, and the position of its value among them.
  private let width: Int
  private let offset: Int
  private var phase = 0
  private var unit: UInt8 = 0
  /// The number of characters of the declaration so far; of its subset, if that has started.
  private(set) var count = 0

  /// A scanner for a document.
  ///
  /// - Parameters:
  ///   - encoding: What is known of its encoding.
  ///   - start: Its first bytes, without a mark.
  init(_ encoding: DocumentEncoding, start: some Collection<UInt8>) {
    var name = ""
    if case .known(let known, _) = encoding { name = known.uppercased() }
    let zeros = start.prefix(4).map { $0 == 0 }
    switch (name, zeros) {
    case ("UTF-32LE", _), ("UCS-4LE", _), (_, [false, true, true, true]): (width, offset) = (4, 0)
    case ("UTF-32BE", _), (_, [true, true, true, false]): (width, offset) = (4, 3)
    case ("UTF-16LE", _), (_, [false, true, false, true]): (width, offset) = (2, 0)
    case ("UTF-16BE", _), (_, [true, false, true, false]): (width, offset) = (2, 1)
    default: (width, offset) = (1, 0)
    }
  }

  /// Whether no declaration will come any more.
  var isFinished: Bool { state == .finished }

  /// Whether a declaration has begun.
  var isInside: Bool {
    switch state {
    case .between, .open, .declaration, .hyphen, .instruction, .comment, .finished: false
    default: true
    }
  }

  /// Text of ASCII in the encoding of the document.
  func encoded(_ text: StaticString) -> [UInt8] {
    UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount).flatMap { character in
      (0..<width).map { $0 == offset ? character : 0 }
    }
  }

  /// Goes through bytes up to where a declaration begins or ends.
  ///
  /// - Returns: How many bytes that are.
  mutating func scan(_ bytes: some Collection<UInt8>) -> Int {
    let wasInside = isInside
    var scanned = 0
    for byte in bytes {
      scanned += 1
      if phase == offset { unit = byte } else if byte != 0 { unit = 0xFF }
      phase += 1
      guard phase == width else { continue }
      phase = 0
      take(unit)
      if isFinished || isInside != wasInside { break }
    }
    return scanned
  }

  private mutating func take(_ character: UInt8) {
    if isInside { count += 1 }
    switch state {
    case .finished: break
    case .between:
      if character == UInt8(ascii: "<") {
        state = .open
      } else if !ScalarText.isSpace(character) {
        // A byte order mark does not belong to the document; in UTF-8 it has three bytes.
        state = [0xEF, 0xBB, 0xBF, 0xFF].contains(character) ? .between : .finished
      }
    case .open: begin(character, .instruction, .declaration, else: .finished)
    case .declaration:
      switch character {
      case UInt8(ascii: "-"): state = .hyphen
      case UInt8(ascii: "D"): state = .head
      default: state = .finished
      }
    case .hyphen: beginComment(character, .comment, else: .finished)
    case .instruction: close(character, UInt8(ascii: "?"), 1, to: .between)
    case .comment: close(character, UInt8(ascii: "-"), 2, to: .between)
    case .head: head(character)
    case .subset:
      switch character {
      case UInt8(ascii: "<"): state = .subsetOpen
      case UInt8(ascii: "]"): state = .end
      default: break
      }
    case .end:
      if !ScalarText.isSpace(character) { state = .finished }
    case .subsetOpen: begin(character, .subsetInstruction, .subsetDeclaration, else: .finished)
    case .subsetDeclaration:
      if character == UInt8(ascii: "-") {
        state = .subsetHyphen
      } else {
        state = .inner
        inner(character)
      }
    case .subsetHyphen: beginComment(character, .subsetComment, else: .inner)
    case .subsetInstruction: close(character, UInt8(ascii: "?"), 1, to: .subset)
    case .subsetComment: close(character, UInt8(ascii: "-"), 2, to: .subset)
    case .inner: inner(character)
    }
  }

  private mutating func begin(
    _ character: UInt8,
    _ instruction: State,
    _ declaration: State,
    else other: State
  ) {
    switch character {
    case UInt8(ascii: "?"): (state, closing) = (instruction, 0)
    case UInt8(ascii: "!"): state = declaration
    default: state = other
    }
  }

  private mutating func beginComment(_ character: UInt8, _ comment: State, else other: State) {
    (state, closing) = (character == UInt8(ascii: "-") ? comment : other, 0)
  }

  /// Searches the end of a comment or an instruction: this many marks and `>`.
  private mutating func close(_ character: UInt8, _ mark: UInt8, _ needed: Int, to next: State) {
    if character == mark {
      closing += 1
    } else if character == UInt8(ascii: ">"), closing >= needed {
      state = next
    } else {
      closing = 0
    }
  }

  /// Whether a character belongs to a literal.
  private mutating func isQuoted(_ character: UInt8) -> Bool {
    if quote != 0 {
      if character == quote { quote = 0 }
      return true
    }
    guard character == UInt8(ascii: "\"") || character == UInt8(ascii: "'") else { return false }
    quote = character
    return true
  }

  private mutating func head(_ character: UInt8) {
    guard !isQuoted(character) else { return }
    switch character {
    case UInt8(ascii: "["): (state, count) = (.subset, 1)
    case UInt8(ascii: ">"), UInt8(ascii: "<"): state = .finished
    default: break
    }
  }

  private mutating func inner(_ character: UInt8) {
    guard !isQuoted(character) else { return }
    switch character {
    case UInt8(ascii: ">"): state = .subset
    case UInt8(ascii: "<"): state = .finished
    default: break
    }
  }
}
