/// Finds the document type declaration in the text before the root element.
///
/// libxml2 parses a declaration as soon as it seems complete, and older versions treat each `>` as its end, and each
/// `]>` as the end of its subset, even in comments, processing instructions and literals; and it takes quadratic time
/// and much of the stack for a large subset. So the declaration is passed as a whole, and only if it is small enough.
struct DoctypeScanner {
  private enum Part {
    case prolog
    /// In the declaration: before its subset, in that, and behind the bracket that ends it.
    case head, subset, end
    /// Behind the declaration, or where no declaration can come.
    case finished
  }

  /// The number of bytes that the declaration may have in addition to its subset.
  private static let headSize = 8 << 10

  private var part = Part.prolog
  /// The characters that end the comment, instruction or literal here, one byte each; 0 outside of these.
  private var terminator: UInt32 = 0
  /// The last characters outside of these, or in the one here.
  private var last: UInt32 = 0
  /// The number of bytes of the subset so far; negative before it.
  private(set) var count = 0

  /// Whether no declaration will come any more.
  var isFinished: Bool { part == .finished }

  /// Whether a declaration has begun.
  var isInside: Bool { part != .prolog && part != .finished }

  /// Goes through bytes up to where a declaration begins or ends.
  ///
  /// - Returns: How many bytes that are.
  mutating func scan(_ bytes: some Collection<UInt8>) -> Int {
    let wasInside = isInside
    var scanned = 0
    for byte in bytes {
      scanned += 1
      take(byte)
      if isInside { count += 1 }
      if isFinished || isInside != wasInside { break }
    }
    return scanned
  }

  private mutating func take(_ character: UInt8) {
    last = last << 8 | UInt32(character)
    if terminator != 0 {
      let mask: UInt32 = terminator > 0xFFFF ? 0xFF_FFFF : terminator > 0xFF ? 0xFFFF : 0xFF
      if last & mask == terminator { (terminator, last) = (0, 0) }
    } else if last == 0x3C21_2D2D {  // <!--
      (terminator, last) = (0x2D2D3E, 0)
    } else if last & 0xFFFF == 0x3C3F {  // <?
      (terminator, last) = (0x3F3E, 0)
    } else {
      advance(over: character)
    }
  }

  /// Takes a character of the markup itself. What is malformed is left to libxml2, wherever it ends here.
  private mutating func advance(over character: UInt8) {
    switch (part, character) {
    case (.prolog, UInt8(ascii: "D")) where last & 0xFFFFFF == 0x3C2144:  // <!D
      (part, count) = (.head, -Self.headSize)
    // A byte order mark does not belong to the document.
    case (.prolog, UInt8(ascii: "<")), (.prolog, UInt8(ascii: "!")), (.prolog, UInt8(ascii: "-")),
      (.prolog, 0x80...):
      break
    case (.prolog, _), (.end, _): if !ScalarText.isSpace(character) { part = .finished }
    case (.head, UInt8(ascii: "[")): (part, count) = (.subset, 0)
    case (.head, UInt8(ascii: ">")), (.head, UInt8(ascii: "<")): part = .finished
    case (.subset, UInt8(ascii: "]")): part = .end
    case (_, UInt8(ascii: "\"")), (_, UInt8(ascii: "'")): terminator = UInt32(character)
    case (.head, _), (.subset, _), (.finished, _): break
    }
  }
}
