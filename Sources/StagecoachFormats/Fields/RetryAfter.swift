public import HTTPTypes

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A parsed Retry-After value (RFC 9110 10.2.3).
public enum RetryAfter: Sendable, Hashable, CustomStringConvertible {
  /// A delay in seconds.
  case seconds(Int64)
  /// A date on the server's clock.
  case date(HTTPDate)

  /// The maximum delay: a hundred years.
  package static let longest: Int64 = 100 * 365 * 86_400

  /// Parses a value: digits, or a date in any of the HTTP formats; `nil` if it is malformed.
  ///
  /// A delay of more than a hundred years is read as a hundred years.
  ///
  /// - Parameters:
  ///   - text: The field value.
  ///   - now: The current date, for two-digit years.
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

  /// Returns the delay from a date; zero if it has passed.
  ///
  /// - now: The date on the same clock as ``date(_:)``: from the `Date` field of the response, or the local date.
  public func delay(from now: Date) -> Duration {
    switch self {
    case .seconds(let seconds): return .seconds(min(max(0, seconds), Self.longest))
    case .date(let date):
      let seconds = Double(date.secondsSince1970) - now.timeIntervalSince1970
      return seconds > 0 ? .milliseconds((min(seconds, Double(Self.longest)) * 1000).rounded(.up)) : .zero
    }
  }

  /// The field value.
  public var description: String {
    switch self {
    case .seconds(let seconds): "\(seconds)"
    case .date(let date): "\(date)"
    }
  }
}

extension HTTPFields {
  /// Returns the longest delay of the `Retry-After` fields of a response; `nil` if they are absent or malformed.
  ///
  /// A date is measured from the `Date` field of the same response, if it has one, so that differences between the
  /// clocks do not matter.
  ///
  /// - Parameter now: The local date.
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
