internal import HTTPTypes
package import StagecoachCore

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The binary form of a head in stores outside the process: a version byte, then
///
/// - the status code, and the reason phrase
/// - the times of the request and the response, in seconds since 2001 as IEEE 754 doubles, little-endian
/// - 1, the start and the total of the part, or 0
/// - 1 and the end of use, or 0; not in version 1
/// - the number of fields, and the name and the value of each, in order
/// - the number of nominated fields, and of each the name, and 1 and the value, or 0
///
/// Numbers are in LEB128, and text and octets follow their length. Case, order and repetition of fields survive.
extension CachedResponse {
  /// The maximum size of the binary form, in bytes.
  package static let maxEncodedSize = 1 << 20
  /// The maximum number of fields, and of nominated fields.
  package static let maxEncodedFields = 4096

  private static let version: UInt8 = 2
  /// The times that are read, in seconds from 2001: arithmetic on them cannot overflow an integer.
  private static let times = -1e11...1e11

  /// The binary form.
  ///
  /// - Throws: ``CacheCodingError`` if it would exceed a limit, so that it could not be read again.
  package var encoded: Bytes {
    get throws(CacheCodingError) {
      guard head.headerFields.count <= Self.maxEncodedFields, vary.count <= Self.maxEncodedFields else {
        throw .tooManyFields(max(head.headerFields.count, vary.count))
      }
      var output = CodingWriter()
      output.byte(Self.version)
      output.number(UInt64(head.status.code))
      output.text(head.status.reasonPhrase)
      try Self.add(requestTime, to: &output)
      try Self.add(responseTime, to: &output)
      output.byte(part == nil ? 0 : 1)
      if let part {
        guard let start = UInt64(exactly: part.start), part.start <= part.total else {
          throw .invalid("part")
        }
        output.number(start)
        output.number(UInt64(part.total))
      }
      output.byte(endOfUse == nil ? 0 : 1)
      if let time = endOfUse { try Self.add(time, to: &output) }
      output.number(UInt64(head.headerFields.count))
      for field in head.headerFields {
        output.text(field.name.rawName)
        field.withUnsafeBytesOfValue { output.octets($0) }
      }
      output.number(UInt64(vary.count))
      for field in vary {
        output.text(field.name)
        output.byte(field.value == nil ? 0 : 1)
        if let value = field.value { output.text(value) }
      }
      guard output.bytes.count <= Self.maxEncodedSize else { throw .tooLarge(output.bytes.count) }
      return Bytes(output.bytes)
    }
  }

  /// Reads the binary form.
  ///
  /// - Throws: ``CacheCodingError`` if the bytes are anything else, or exceed a limit.
  package init(decoding bytes: Bytes) throws(CacheCodingError) {
    guard bytes.count <= Self.maxEncodedSize else { throw .tooLarge(bytes.count) }
    self = try bytes.withUnsafeBytes { (buffer) throws(CacheCodingError) in
      try Self(CodingReader(buffer))
    }
  }

  private init(_ reader: CodingReader) throws(CacheCodingError) {
    var input = reader
    let version = try input.byte()
    guard (1...Self.version).contains(version) else { throw .unknownVersion(version) }
    let code = try input.number()
    guard (100...999).contains(code) else { throw .invalid("status code") }
    head = HTTPResponse(status: .init(code: Int(code), reasonPhrase: try input.text()))
    requestTime = try Self.time(&input)
    responseTime = try Self.time(&input)
    if try input.flag() {
      guard let start = Int64(exactly: try input.number()), let total = Int64(exactly: try input.number()),
        start <= total
      else { throw .invalid("part") }
      part = Part(start: start, total: total)
    }
    if version > 1, try input.flag() { endOfUse = try Self.time(&input) }
    for _ in 0..<(try Self.count(&input)) {
      guard let name = HTTPField.Name(try input.text()) else { throw .invalid("field name") }
      head.headerFields.append(HTTPField(name: name, lenientValue: try input.octets()))
    }
    vary = []
    for _ in 0..<(try Self.count(&input)) {
      let name = try input.text()
      vary.append(Nominated(name: name, value: try input.flag() ? try input.text() : nil))
    }
    guard input.isAtEnd else { throw .invalid("end") }
  }

  private static func add(_ time: Date, to output: inout CodingWriter) throws(CacheCodingError) {
    guard times.contains(time.timeIntervalSinceReferenceDate) else { throw .invalid("time") }
    output.double(time.timeIntervalSinceReferenceDate)
  }

  private static func time(_ input: inout CodingReader) throws(CacheCodingError) -> Date {
    let seconds = try input.double()
    // NaN is in no range.
    guard times.contains(seconds) else { throw .invalid("time") }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  private static func count(_ input: inout CodingReader) throws(CacheCodingError) -> Int {
    let count = try input.number()
    guard count <= maxEncodedFields else { throw .tooManyFields(Int(clamping: count)) }
    return Int(count)
  }
}
