/// Finds the end of a start tag and the attributes in it, by the rules of HTML (13.2.5.6 and the states after
/// it), in bytes that may arrive in pieces. All offsets are counted from the `<`.
struct HTMLTagScanner {
  /// An attribute as written; the value without its quotes.
  struct Attribute {
    var name: Range<Int>
    var value: Range<Int>?
  }

  private enum State {
    case tagName, beforeName, name, afterName, beforeValue, unquoted, afterQuoted
    case quoted(UInt8)
  }

  private(set) var attributes: [Attribute] = []
  /// The end of the name of the element.
  private(set) var nameEnd = 1
  /// Whether the tag ends with `/>`.
  private(set) var isSelfClosing = false
  private var state = State.tagName
  private var offset = 1

  /// Scans on from where it stopped.
  ///
  /// - Parameters:
  ///   - bytes: What there is from the `<` on.
  ///   - limit: How many attributes are enough: with more, it stops.
  /// - Returns: The length of the tag; nil if it is not complete.
  mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>, limit: Int = .max) -> Int? {
    while offset < bytes.count, attributes.count <= limit {
      let byte = bytes[offset]
      let isEnd = advance(over: byte, after: bytes[offset - 1])
      offset += 1
      if isEnd { return offset }
    }
    return nil
  }

  /// Takes one more byte; whether the tag ends with it.
  private mutating func advance(over byte: UInt8, after previous: UInt8) -> Bool {
    switch state {
    case .quoted(let quote):
      if byte == quote { endValue(.afterQuoted) }
    case .unquoted:
      if byte == UInt8(ascii: ">") {
        endValue(.beforeName)
        return true
      }
      if byte.isHTMLSpace { endValue(.beforeName) }
    case .tagName:
      if byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") || byte.isHTMLSpace {
        nameEnd = offset
        return endName(byte, after: previous)
      }
    case .beforeName, .afterQuoted:
      return endName(byte, after: previous)
    case .name:
      if byte == UInt8(ascii: "=") {
        endAttributeName()
        state = .beforeValue
      } else if byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") {
        endAttributeName()
        return endName(byte, after: previous)
      } else if byte.isHTMLSpace {
        endAttributeName()
        state = .afterName
      }
    case .afterName:
      if byte == UInt8(ascii: "=") {
        state = .beforeValue
      } else if !byte.isHTMLSpace {
        return endName(byte, after: previous)
      }
    case .beforeValue:
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        beginValue(at: offset + 1, .quoted(byte))
      } else if byte == UInt8(ascii: ">") {
        return true
      } else if !byte.isHTMLSpace {
        beginValue(at: offset, .unquoted)
      }
    }
    return false
  }

  /// Between attributes.
  private mutating func endName(_ byte: UInt8, after previous: UInt8) -> Bool {
    if byte == UInt8(ascii: ">") {
      isSelfClosing = previous == UInt8(ascii: "/")
      return true
    }
    if byte == UInt8(ascii: "/") || byte.isHTMLSpace {
      state = .beforeName
    } else {
      attributes.append(Attribute(name: offset..<offset))
      state = .name
    }
    return false
  }

  private mutating func endAttributeName() {
    let last = attributes.count - 1
    attributes[last].name = attributes[last].name.lowerBound..<offset
  }

  private mutating func beginValue(at start: Int, _ state: State) {
    attributes[attributes.count - 1].value = start..<start
    self.state = state
  }

  private mutating func endValue(_ state: State) {
    let last = attributes.count - 1
    if let start = attributes[last].value?.lowerBound { attributes[last].value = start..<offset }
    self.state = state
  }
}

extension UInt8 {
  /// Whether it is white space of HTML; a carriage return counts, since not every reader normalizes first.
  var isHTMLSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) && self != 0x0B }

  var isASCIILetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }

  var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  /// The lower case of a capital of ASCII, anything else as it is.
  var asciiLowercased: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }
}
