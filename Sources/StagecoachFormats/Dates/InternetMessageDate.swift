extension DateReader {
  /// Reads all octets as a date of an internet message, such as `Sat, 28 Feb 2026 12:30:00 +0100 (CET)`, and returns
  /// seconds since 1970; `nil` if they are not one (RFC 5322 3.3).
  ///
  /// The obsolete forms are read too (4.3): comments and white space anywhere, years of two or three digits, named
  /// zones. The day of the week is not checked, and the second 60 is read as the following second.
  package mutating func internetMessageDate() -> Int64? {
    guard skipComments(), skipWeekday(), let day = number(1...2), skipComments(),
      let month = CivilCalendar.month(named: word().utf8), skipComments(), let year = messageYear(),
      skipComments(), let time = messageTime(), let offset = messageZone(), skipComments(), isAtEnd
    else { return nil }
    return CivilCalendar.seconds(year, month, day, time: time - offset)
  }

  /// Skips white space and comments, which may be nested; returns whether all of them end.
  private mutating func skipComments() -> Bool {
    var depth = 0
    while position < octets.count {
      switch octets[position] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): break
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")") where depth > 0: depth -= 1
      case UInt8(ascii: "\\") where depth > 0: position += 1
      default: guard depth > 0 else { return true }
      }
      position += 1
    }
    position = min(position, octets.count)
    return depth == 0
  }

  /// Skips the day of the week and the comma behind it, if they are there.
  private mutating func skipWeekday() -> Bool {
    let start = position
    if position < octets.count, octets[position].isDigitOfURI { return true }
    while position < octets.count, octets[position] != UInt8(ascii: ",") { position += 1 }
    return position - start >= 3 && take(UInt8(ascii: ",")) && skipComments()
  }

  /// Years of two digits are 1950 to 2049, of three digits 1900 and later.
  private mutating func messageYear() -> Int64? {
    let start = position
    guard let year = number(2...8) else { return nil }
    switch position - start {
    case 2: return year < 50 ? year + 2000 : year + 1900
    case 3: return year + 1900
    default: return year
    }
  }

  /// Reads hours, minutes and optional seconds, as seconds.
  private mutating func messageTime() -> Int64? {
    guard let hour = number(1...2), skipComments(), take(UInt8(ascii: ":")), skipComments(),
      let minute = number(1...2), skipComments()
    else { return nil }
    var second: Int64? = 0
    if take(UInt8(ascii: ":")) {
      guard skipComments() else { return nil }
      second = number(1...2)
      guard skipComments() else { return nil }
    }
    guard let second, hour < 24, minute < 60, second <= 60 else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  /// Reads a zone as seconds. Names whose meaning is unknown are UTC, and so are the letters of military zones, which
  /// were used with either sign (RFC 5322 4.3).
  private mutating func messageZone() -> Int64? {
    let name = word()
    if name.isEmpty { return offset(hours: 0...99) }
    return name == "j" || name.utf8.count > 5 ? nil : (Self.zones[name] ?? 0) * 3600
  }

  /// The zones of RFC 5322, and some that feeds use.
  private static let zones: [String: Int64] = [
    "edt": -4, "est": -5, "cdt": -5, "cst": -6, "mdt": -6, "mst": -7, "pdt": -7, "pst": -8,
    "adt": -3, "ast": -4, "at": -4, "et": -5, "ct": -6, "mt": -7, "pt": -8,
    "met": 1, "mest": 2, "cet": 1, "cest": 2,
  ]
}
