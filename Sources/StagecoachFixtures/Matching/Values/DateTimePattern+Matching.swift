import StagecoachCore

extension DateTimePattern {
  static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November",
    "December",
  ]
  static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

  /// Returns whether a text is a date or time of this pattern.
  package func matches(_ text: String) -> Bool {
    var reader = DateTimeReader(text)
    for (index, element) in elements.enumerated() {
      // A run of numbers without a separator between them: each has the width of its pattern.
      let isAdjacent = elements.dropFirst(index + 1).first.map(\.startsWithDigit) ?? false
      guard reader.read(element, isAdjacent: isAdjacent) else { return false }
    }
    return reader.isAtEnd && reader.isConsistent
  }
}

extension DateTimePattern.Element {
  fileprivate var startsWithDigit: Bool {
    switch self {
    case .literal(let text): text.first.map { ("0"..."9").contains($0) } ?? false
    case .field(.month, let count): count <= 2
    case .field(let field, _):
      switch field {
      case .era, .weekdayName, .dayPeriod, .zoneName, .offset, .isoOffset, .isoOffsetOrZ: false
      default: true
      }
    }
  }
}

/// Reads a date by the elements of a pattern.
private struct DateTimeReader {
  private var rest: Substring
  private var year: Int?
  private var month: Int?
  private var day: Int?
  private var weekday: Int?

  init(_ text: String) {
    rest = text[...]
  }

  var isAtEnd: Bool { rest.isEmpty }

  /// Whether the date exists, and has the day of the week.
  var isConsistent: Bool {
    guard let month, let day else { return true }
    // Without a year, the 29th of February may exist.
    let year = Int64(self.year ?? 2000)
    guard day <= CivilCalendar.length(ofMonth: Int64(month), year) else { return false }
    guard let weekday, self.year != nil else { return true }
    let days = CivilCalendar.days(year, Int64(month), Int64(day))
    return CivilCalendar.floorDivision(days + 4, 7).remainder == weekday
  }

  mutating func read(_ element: DateTimePattern.Element, isAdjacent: Bool) -> Bool {
    switch element {
    case .literal(let text):
      guard rest.hasPrefix(text) else { return false }
      rest = rest.dropFirst(text.count)
      return true
    case .field(let field, let count):
      return read(field, count, isAdjacent: isAdjacent)
    }
  }

  private mutating func read(_ field: DateTimePattern.Field, _ count: Int, isAdjacent: Bool) -> Bool {
    switch field {
    case .era: return take(["Anno Domini", "Before Christ", "AD", "BC"]) != nil
    case .year: return readYear(count, isAdjacent)
    case .weekYear: return number(count, upTo: count <= 2 ? 2 : 9, isAdjacent, in: 0...999_999_999) != nil
    case .quarter: return number(count, upTo: 2, isAdjacent, in: 1...4) != nil
    case .month: return readMonth(count, isAdjacent)
    case .week: return number(count, upTo: 2, isAdjacent, in: 1...53) != nil
    case .weekOfMonth: return number(count, upTo: 2, isAdjacent, in: 0...6) != nil
    case .day:
      day = number(count, upTo: 2, isAdjacent, in: 1...31)
      return day != nil
    case .dayOfYear: return number(count, upTo: 3, isAdjacent, in: 1...366) != nil
    case .weekdayName:
      weekday = name(of: DateTimePattern.weekdays, isLong: count == 4)
      return weekday != nil
    case .weekdayNumber: return number(count, upTo: 2, isAdjacent, in: 1...7) != nil
    case .dayPeriod: return take(["AM", "PM"]) != nil
    case .hour: return number(count, upTo: 2, isAdjacent, in: 0...23) != nil
    case .hourFrom1: return number(count, upTo: 2, isAdjacent, in: 1...24) != nil
    case .halfHour: return number(count, upTo: 2, isAdjacent, in: 0...11) != nil
    case .halfHourFrom1: return number(count, upTo: 2, isAdjacent, in: 1...12) != nil
    case .minute: return number(count, upTo: 2, isAdjacent, in: 0...59) != nil
    case .second: return number(count, upTo: 2, isAdjacent, in: 0...60) != nil
    case .fraction: return number(count, upTo: count, true, in: 0...Int.max) != nil
    case .millisecondOfDay: return number(count, upTo: 8, isAdjacent, in: 0...86_399_999) != nil
    case .nanosecond: return number(count, upTo: 9, isAdjacent, in: 0...999_999_999) != nil
    case .nanosecondOfDay: return number(count, upTo: 14, isAdjacent, in: 0...86_399_999_999_999) != nil
    case .zoneName: return readZoneName()
    case .offset:
      if count == 4, !take("GMT") { return false }
      if count == 5, take("Z") { return true }
      return readOffset(hasColon: count >= 4)
    case .isoOffset, .isoOffsetOrZ:
      if field == .isoOffsetOrZ, take("Z") { return true }
      return count == 1 ? readShortOffset() : readOffset(hasColon: count == 3 || count == 5)
    }
  }

  private mutating func readYear(_ count: Int, _ isAdjacent: Bool) -> Bool {
    guard count != 2 else {
      year = number(2, upTo: 2, true, in: 0...99).map { 2000 + $0 }
      return year != nil
    }
    year = number(count, upTo: count == 4 ? 4 : 9, isAdjacent && count > 1, in: 0...999_999_999)
    return year != nil
  }

  private mutating func readMonth(_ count: Int, _ isAdjacent: Bool) -> Bool {
    if count <= 2 {
      month = number(count, upTo: 2, isAdjacent, in: 1...12)
    } else {
      month = name(of: DateTimePattern.months, isLong: count == 4).map { $0 + 1 }
    }
    return month != nil
  }

  /// Reads a number of at least `count` digits and at most `most`; of exactly `count` if another number follows.
  private mutating func number(
    _ count: Int,
    upTo most: Int,
    _ isAdjacent: Bool,
    in range: ClosedRange<Int>
  ) -> Int? {
    let most = isAdjacent && count > 1 ? count : max(count, most)
    let digits = rest.prefix(most).prefix { ("0"..."9").contains($0) && $0.isASCII }
    guard digits.count >= count, let value = Int(digits.prefix(18)), range.contains(value) else { return nil }
    rest.removeFirst(digits.count)
    return value
  }

  private mutating func name(of names: [String], isLong: Bool) -> Int? {
    names.firstIndex { name in take(isLong ? name : String(name.prefix(3))) }
  }

  private mutating func take(_ texts: [String]) -> String? {
    texts.first { take($0) }
  }

  /// Takes a text in any case.
  private mutating func take(_ text: String) -> Bool {
    let start = rest.prefix(text.count)
    guard start.count == text.count, start.lowercased() == text.lowercased() else { return false }
    rest.removeFirst(text.count)
    return true
  }

  /// `CET`, `GMT+01:00`, `Europe/Berlin` or `Pacific Standard Time`.
  private mutating func readZoneName() -> Bool {
    let name = rest.prefix { $0.isASCII && ($0.isLetter || "/_ ".contains($0)) }
    guard name.first?.isLetter == true, name.last != " " else { return false }
    rest.removeFirst(name.count)
    guard rest.first == "+" || rest.first == "-" else { return true }
    let before = rest
    if readOffset(hasColon: true) { return true }
    rest = before
    return readShortOffset()
  }

  /// Reads `+01:00` or `+0100`, up to 18 hours.
  private mutating func readOffset(hasColon: Bool) -> Bool {
    guard take("+") || take("-") else { return false }
    guard let hours = number(2, upTo: 2, true, in: 0...18), !hasColon || take(":"),
      let minutes = number(2, upTo: 2, true, in: 0...59)
    else { return false }
    return hours < 18 || minutes == 0
  }

  /// Reads `+01`, and minutes if there are any.
  private mutating func readShortOffset() -> Bool {
    guard take("+") || take("-"), number(2, upTo: 2, true, in: 0...18) != nil else { return false }
    _ = number(2, upTo: 2, true, in: 0...59)
    return true
  }
}
