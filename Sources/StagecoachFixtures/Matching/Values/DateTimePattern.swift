/// A pattern for dates and times in the notation of Java, such as `yyyy-MM-dd'T'HH:mm:ss.SSSXXX`.
///
/// Names of months and days are English. Matching is strict: `MM` is two digits, and the date has to exist.
package struct DateTimePattern: Sendable, Hashable, CustomStringConvertible {
  /// The pattern as written.
  package let text: String
  let elements: [Element]

  /// Parses a pattern.
  ///
  /// - Throws: ``DateTimePatternError`` if the pattern contains an unknown letter or an open quote.
  package init(_ text: String) throws(DateTimePatternError) {
    self.text = text
    elements = try Element.list(of: text)
  }

  private init(known text: String) {
    self.text = text
    elements = (try? Element.list(of: text)) ?? []
  }

  /// `yyyy-MM-dd`
  package static let date = DateTimePattern(known: "yyyy-MM-dd")
  /// `HH:mm:ss`
  package static let time = DateTimePattern(known: "HH:mm:ss")
  /// `yyyy-MM-dd'T'HH:mm:ssXXX`
  package static let dateTime = DateTimePattern(known: "yyyy-MM-dd'T'HH:mm:ssXXX")

  /// The pattern as written.
  package var description: String { text }
}

/// An error of a date pattern.
package enum DateTimePatternError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The letter is not defined.
  case unknownLetter(Character, pattern: String)
  /// A quote is not closed.
  case openQuote(pattern: String)
  /// The pattern is longer than the limit.
  case tooLong(limit: Int)

  /// A description of the error.
  package var description: String {
    switch self {
    case .unknownLetter(let letter, let pattern):
      "unknown letter '\(letter)' in the date pattern \"\(pattern)\""
    case .openQuote(let pattern): "a quote is not closed in the date pattern \"\(pattern)\""
    case .tooLong(let limit): "the date pattern is longer than \(limit) characters"
    }
  }
}

extension DateTimePattern {
  /// A part of a pattern.
  enum Element: Sendable, Hashable {
    case literal(String)
    /// A letter and the number of times that it is repeated.
    case field(Field, Int)
  }

  /// The meaning of a letter of a pattern.
  enum Field: Sendable, Hashable {
    case era, year, weekYear, quarter, month, week, weekOfMonth, day, dayOfYear, weekdayName, weekdayNumber
    case dayPeriod, hour, hourFrom1, halfHour, halfHourFrom1, minute, second, fraction, millisecondOfDay,
      nanosecond
    case nanosecondOfDay, zoneName, offset, isoOffset, isoOffsetOrZ

    init?(_ letter: Character) {
      switch letter {
      case "G": self = .era
      case "y", "u": self = .year
      case "Y": self = .weekYear
      case "Q", "q": self = .quarter
      case "M", "L": self = .month
      case "w": self = .week
      case "W", "F": self = .weekOfMonth
      case "d": self = .day
      case "D": self = .dayOfYear
      case "E": self = .weekdayName
      case "e", "c": self = .weekdayNumber
      case "a": self = .dayPeriod
      case "H": self = .hour
      case "k": self = .hourFrom1
      case "K": self = .halfHour
      case "h": self = .halfHourFrom1
      case "m": self = .minute
      case "s": self = .second
      case "S": self = .fraction
      case "A": self = .millisecondOfDay
      case "n": self = .nanosecond
      case "N": self = .nanosecondOfDay
      case "z", "V", "v", "O": self = .zoneName
      case "Z": self = .offset
      case "x": self = .isoOffset
      case "X": self = .isoOffsetOrZ
      default: return nil
      }
    }
  }
}

extension DateTimePattern.Element {
  private static let greatestLength = 256

  fileprivate static func list(of text: String) throws(DateTimePatternError) -> [Self] {
    guard text.unicodeScalars.count <= greatestLength else { throw .tooLong(limit: greatestLength) }
    var list: [Self] = []
    var rest = text[...]
    while let letter = rest.first {
      let run = rest.prefix { $0 == letter }
      if letter == "'" {
        append(try quoted(&rest, of: text), to: &list)
      } else if letter.isASCII && letter.isLetter {
        guard let field = DateTimePattern.Field(letter) else { throw .unknownLetter(letter, pattern: text) }
        list.append(.field(field, run.count))
        rest.removeFirst(run.count)
      } else {
        append(String(letter), to: &list)
        rest.removeFirst()
      }
    }
    return list
  }

  /// Reads quoted text. A doubled quote is a quote, inside of quoted text and elsewhere.
  private static func quoted(
    _ rest: inout Substring,
    of text: String
  ) throws(DateTimePatternError) -> String {
    rest.removeFirst()
    if rest.first == "'" {
      rest.removeFirst()
      return "'"
    }
    var literal = ""
    while let character = rest.popFirst() {
      if character != "'" {
        literal.append(character)
      } else if rest.first == "'" {
        literal.append("'")
        rest.removeFirst()
      } else {
        return literal
      }
    }
    throw .openQuote(pattern: text)
  }

  private static func append(_ literal: String, to list: inout [Self]) {
    if case .literal(let before)? = list.last {
      list[list.count - 1] = .literal(before + literal)
    } else {
      list.append(.literal(literal))
    }
  }
}
