import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An expression for a date relative to now, such as `today + 2 weeks`, `tomorrow`, `+1 month - 1 day @ noon`.
struct DateExpression {
  private enum Term {
    case day(Int)
    /// A second of the day.
    case time(Int64)
    case offset(Int64, Unit)
  }

  private enum Unit: String {
    case year, month, week, day, hour, minute, second, millisecond
  }

  private let terms: [Term]

  /// Parses an expression.
  ///
  /// - Throws: ``GeneratorError`` if it is malformed.
  init(_ text: String) throws(GeneratorError) {
    var words = Self.words(of: text)
    var terms: [Term] = []
    while !words.isEmpty {
      switch words.removeFirst() {
      case "now", "today", "@": break
      case "yesterday": terms.append(.day(-1))
      case "tomorrow": terms.append(.day(1))
      case "midnight": terms.append(.time(0))
      case "noon": terms.append(.time(43_200))
      case "+": terms.append(try Self.offset(1, &words, text))
      case "-": terms.append(try Self.offset(-1, &words, text))
      case "next": terms.append(try Self.unit(1, &words, text))
      case "last": terms.append(try Self.unit(-1, &words, text))
      default: throw .invalidDateExpression(text)
      }
    }
    self.terms = terms
  }

  /// The words, signs and numbers of an expression.
  private static func words(of text: String) -> [String] {
    var words: [String] = []
    var isOpen = false
    for character in text.lowercased() {
      let isPart = character.isLetter || character.isNumber
      if !isPart {
        if !character.isWhitespace { words.append(String(character)) }
      } else if isOpen, words.last?.last?.isNumber == character.isNumber {
        words[words.count - 1].append(character)
      } else {
        words.append(String(character))
      }
      isOpen = isPart
    }
    return words
  }

  private static func offset(
    _ sign: Int64,
    _ words: inout [String],
    _ text: String
  ) throws(GeneratorError) -> Term {
    guard let number = words.first.flatMap({ Int64($0) }), number <= 1_000_000_000 else {
      throw .invalidDateExpression(text)
    }
    words.removeFirst()
    return try unit(sign * number, &words, text)
  }

  private static func unit(
    _ number: Int64,
    _ words: inout [String],
    _ text: String
  ) throws(GeneratorError) -> Term {
    guard let word = words.first else { throw .invalidDateExpression(text) }
    words.removeFirst()
    guard
      let unit = Unit(rawValue: word) ?? (word.hasSuffix("s") ? Unit(rawValue: String(word.dropLast())) : nil)
    else { throw .invalidDateExpression(text) }
    return .offset(number, unit)
  }

  /// Returns the date of the expression, in UTC.
  func date(from now: Date) -> Date {
    terms.reduce(now) { date, term in
      switch term {
      case .day(let days): return date.addingTimeInterval(Double(days) * 86_400)
      case .time(let second):
        let day = (date.timeIntervalSince1970 / 86_400).rounded(.down)
        return Date(timeIntervalSince1970: day * 86_400 + Double(second))
      case .offset(let number, let unit): return Self.date(date, adding: number, unit)
      }
    }
  }

  private static func date(_ date: Date, adding number: Int64, _ unit: Unit) -> Date {
    switch unit {
    case .year: months(date, adding: number * 12)
    case .month: months(date, adding: number)
    case .week: date.addingTimeInterval(Double(number) * 604_800)
    case .day: date.addingTimeInterval(Double(number) * 86_400)
    case .hour: date.addingTimeInterval(Double(number) * 3_600)
    case .minute: date.addingTimeInterval(Double(number) * 60)
    case .second: date.addingTimeInterval(Double(number))
    case .millisecond: date.addingTimeInterval(Double(number) / 1_000)
    }
  }

  /// Adds months; the day is the last of the month if the month is shorter.
  private static func months(_ date: Date, adding months: Int64) -> Date {
    let days = (date.timeIntervalSince1970 / 86_400).rounded(.down)
    guard let daysSince1970 = Int64(exactly: days), daysSince1970.magnitude < 1_000_000_000_000 else {
      return date
    }
    let civil = CivilCalendar.date(daysSince1970: daysSince1970)
    let (years, month) = CivilCalendar.floorDivision(civil.year * 12 + civil.month - 1 + months, 12)
    let day = min(civil.day, CivilCalendar.length(ofMonth: month + 1, years))
    let shift = CivilCalendar.days(years, month + 1, day) - daysSince1970
    return date.addingTimeInterval(Double(shift) * 86_400)
  }
}
