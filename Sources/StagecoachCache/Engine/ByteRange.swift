import HTTPTypes
import StagecoachCore

/// A single range of bytes in a request (RFC 9110 14.1.2).
enum ByteRange: Hashable {
  case from(Int64, through: Int64?)
  case suffix(Int64)

  enum Resolution: Hashable {
    case range(Range<Int64>)
    case unsatisfiable
  }

  /// Reads Range of a request; nil if it is absent or contradicts itself, or has another unit, several ranges or a malformed
  /// one, so that it may be ignored.
  init?(_ fields: HTTPFields) {
    guard let field = fields.onlyField(.range) else { return nil }
    let range: ByteRange? = field.withUnsafeBytesOfValue { octets in
      guard let separator = octets.firstIndex(of: UInt8(ascii: "=")),
        octets[..<separator].elementsEqual("bytes".utf8, by: { $0.lowercasedInField == $1 })
      else { return nil }
      let elements = octets[(separator + 1)...].split(separator: UInt8(ascii: ",")).map(\.trimmed)
        .filter { !$0.isEmpty }
      return elements.count == 1 ? ByteRange(element: elements[0]) : nil
    }
    guard let range else { return nil }
    self = range
  }

  private init?(element: Slice<UnsafeBufferPointer<UInt8>>) {
    guard let hyphen = element.firstIndex(of: UInt8(ascii: "-")) else { return nil }
    let first = element[..<hyphen]
    let last = element[(hyphen + 1)...]
    if first.isEmpty {
      guard let length = last.byteCount else { return nil }
      self = .suffix(length)
      return
    }
    guard let start = first.byteCount else { return nil }
    if last.isEmpty {
      self = .from(start, through: nil)
      return
    }
    guard let end = last.byteCount, end >= start else { return nil }
    self = .from(start, through: end)
  }

  /// The bytes of a representation that the range means.
  func resolved(total: Int64) -> Resolution {
    switch self {
    case .from(let start, let end):
      guard start < total else { return .unsatisfiable }
      // Subtracting first, since the end may be the largest number.
      return .range(start..<(min(end ?? total - 1, total - 1) + 1))
    case .suffix(let length):
      guard length > 0, total > 0 else { return .unsatisfiable }
      return .range((total - min(length, total))..<total)
    }
  }
}

extension HTTPFields {
  /// Content-Range of a 206; nil if it is absent, contradicts itself, is malformed, or has no total length.
  var contentRange: (bytes: Range<Int64>, total: Int64)? {
    guard let range = onlyField(.contentRange).flatMap({ ContentRange($0.value) }), let bytes = range.bytes,
      let total = range.total
    else { return nil }
    return (bytes, total)
  }
}

extension Collection<UInt8> {
  /// A number of bytes, at most `Int64.max`; nil if there is anything but digits.
  var byteCount: Int64? {
    guard !isEmpty else { return nil }
    var count: Int64 = 0
    for octet in self {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(octet) else { return nil }
      let (tens, isTooLarge) = count.multipliedReportingOverflow(by: 10)
      let (sum, overflows) = tens.addingReportingOverflow(Int64(octet - UInt8(ascii: "0")))
      count = isTooLarge || overflows ? .max : sum
    }
    return count
  }
}
