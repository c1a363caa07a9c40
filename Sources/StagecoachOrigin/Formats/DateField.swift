#if Tool
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif
  import Synchronization

  /// The value of the Date field (RFC 9110 6.6.1), made anew once a second.
  final class DateField: Sendable {
    private let cache = Mutex((second: Int.min, text: ""))

    var now: String {
      let second = Int(time(nil))
      return cache.withLock { cache in
        if cache.second != second { cache = (second, Self.text(second)) }
        return cache.text
      }
    }

    /// The IMF-fixdate (RFC 9110 5.6.7) of a number of seconds since 1970, which was a Thursday.
    static func text(_ second: Int) -> String {
      let days = Int((Double(second) / 86_400).rounded(.down))
      let time = second - days * 86_400
      let (year, month, day) = civil(days)
      let weekday = weekdays[((days + 4) % 7 + 7) % 7]
      let clock = [time / 3600, time / 60 % 60, time % 60].map(twoDigits).joined(separator: ":")
      return "\(weekday), \(twoDigits(day)) \(months[month - 1]) \(year) \(clock) GMT"
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }

    /// Year, month and day of a number of days since 1970, in years that begin in March, so that the leap
    /// day comes last.
    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
      let shifted = days + 719_468
      let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
      let dayOfEra = shifted - era * 146_097
      let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
      let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
      let marchMonth = (5 * dayOfYear + 2) / 153
      let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
      let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
      return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
  }
#endif
