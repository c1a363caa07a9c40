#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension DateReader {
  /// Reads all octets as a date of ISO 8601, of an internet message or of HTTP, and returns seconds and nanoseconds
  /// since 1970; `nil` if they are none of them.
  package mutating func anyDate() -> (seconds: Int64, nanoseconds: Int64)? {
    if let date = isoDate(.any) { return date }
    position = 0
    if let seconds = internetMessageDate() { return (seconds, 0) }
    position = 0
    return httpDate(now: Date()).map { ($0, 0) }
  }
}
