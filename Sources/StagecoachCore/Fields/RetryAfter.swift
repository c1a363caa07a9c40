public import HTTPTypes

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// When a server asks to be asked again: the value of `Retry-After` (RFC 9110 10.2.3).
public enum RetryAfter: Sendable, Hashable, CustomStringConvertible {
  /// After so many seconds.
  case seconds(Int64)
  /// At a date of the server's clock.
  case date(HTTPDate)

  /// The longest delay that is told apart from longer ones: a hundred years.
  static let longest: Int64 = 100 * 365 * 86_400

  /// Reads a value: digits alone, or a date in any form of RFC 9110 5.6.7; nil for anything else.
  ///
  /// More seconds than a hundred years have are a hundred years.
  ///
  /// - Parameters:
  ///   - text: The value of one field.
  ///   - now: What a year of two digits is near to.
  public init?(_ text: String, now: Date = Date()) {
    let digits = text.utf8.drop { $0.isBlankInField }
    var seconds: Int64 = 0
    var rest = digits
    while let digit = rest.first, digit.isDigitOfURI {
      seconds = min(seconds * 10 + Int64(digit - UInt8(ascii: "0")), Self.longest)
      rest = rest.dropFirst()
    }
    if rest.count < digits.count {
      guard rest.allSatisfy(\.isBlankInField) else { return nil }
      self = .seconds(seconds)
    } else if let date = HTTPDate(text, now: now) {
      self = .date(date)
    } else {
      return nil
    }
  }

  /// How long that is from a date; zero if it is past.
  ///
  /// - Parameter now: The date of the same clock that ``date(_:)`` is of: what the `Date` field of the response
  ///   says, or ours.
  public func delay(from now: Date) -> Duration {
    switch self {
    case .seconds(let seconds): return .seconds(min(max(0, seconds), Self.longest))
    case .date(let date):
      let seconds = Double(date.secondsSince1970) - now.timeIntervalSince1970
      return seconds > 0 ? .milliseconds((min(seconds, Double(Self.longest)) * 1000).rounded(.up)) : .zero
    }
  }

  /// The value as it is sent.
  public var description: String {
    switch self {
    case .seconds(let seconds): "\(seconds)"
    case .date(let date): "\(date)"
    }
  }
}

extension HTTPFields {
  /// The longest delay that the `Retry-After` fields of a response ask for; nil if none of them is readable.
  ///
  /// A date is measured from the `Date` of the same response where it has one, so that it does not matter
  /// whether the two clocks agree.
  ///
  /// - Parameter now: The date of our clock.
  public func retryAfter(now: Date) -> Duration? {
    var longest: Duration?
    for index in startIndex..<endIndex where self[index].name == .retryAfter {
      guard let value = RetryAfter(self[index].value, now: now) else { continue }
      let sent = first(of: .date).flatMap { HTTPDate($0, now: now) }?.date
      longest = Swift.max(longest ?? .zero, value.delay(from: sent ?? now))
    }
    return longest
  }
}
