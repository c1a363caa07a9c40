import HTTPTypes
import Stagecoach

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Any octets are a date, a Retry-After or neither; what is read is written in the one form that is sent,
/// which reads the same, and asks for a delay within bounds.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let octets = UnsafeBufferPointer(start: start, count: count)
  let text = String(decoding: octets, as: UTF8.self)
  // The first octets are the present as well: years of two digits depend on it.
  let seconds = octets.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
  let now = Date(timeIntervalSince1970: Double(seconds % 300_000_000_000))
  if let date = HTTPDate(secondsSince1970: seconds) { check(date, now) }
  if let date = HTTPDate(now) { check(date, now) }
  if let date = HTTPDate(text, now: now) { check(date, now) }
  if let value = RetryAfter(text, now: now) {
    precondition(RetryAfter(value.description, now: now) == value, "\(value) was not read")
    check(value.delay(from: now))
  }
  var fields = HTTPFields()
  for line in octets.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).prefix(4) {
    fields.append(HTTPField(name: .retryAfter, lenientValue: line))
    fields.append(HTTPField(name: .date, lenientValue: line.reversed()))
  }
  if let delay = fields.retryAfter(now: now) { check(delay) }
  return 0
}

private func check(_ date: HTTPDate, _ now: Date) {
  let written = date.description
  precondition(written.utf8.count == 29, "written as \(written)")
  precondition(HTTPDate(written, now: now) == date, "\(written) was not read")
  precondition(HTTPDate(date.date) == date, "\(written) is not its date")
}

private func check(_ delay: Duration) {
  precondition(delay >= .zero && delay <= .seconds(100 * 365 * 86_400), "a delay of \(delay)")
}
