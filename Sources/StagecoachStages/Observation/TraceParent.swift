public import StagecoachCore

/// The value of a `traceparent` field: a trace and a span (W3C Trace Context 3.2).
///
/// ```swift
/// let parent = TraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
/// parent?.isSampled  // true
/// ```
public struct TraceParent: Sendable, Hashable, LosslessStringConvertible {
  /// The ID of the trace: 32 lower-case hexadecimal digits, not all zero.
  public let traceID: String
  /// The ID of the sending span: 16 lower-case hexadecimal digits, not all zero.
  public let spanID: String
  /// Whether the trace is sampled, as far as the sender knows.
  public let isSampled: Bool

  /// Parses a field value; `nil` if it is malformed.
  ///
  /// A version above 00 may have further parts, which are ignored (3.2.4).
  public init?(_ description: String) {
    let octets = Array(description.utf8)
    guard octets.count >= 55, octets[2] == Self.hyphen, octets[35] == Self.hyphen, octets[52] == Self.hyphen,
      Self.isHex(octets[0..<2]), Self.isHex(octets[3..<35]), Self.isHex(octets[36..<52]),
      Self.isHex(octets[53..<55])
    else { return nil }
    let version = String(decoding: octets[0..<2], as: UTF8.self)
    guard version != "ff", octets.count == 55 || version != "00" && octets[55] == Self.hyphen else {
      return nil
    }
    guard Self.isNotZero(octets[3..<35]), Self.isNotZero(octets[36..<52]) else { return nil }
    traceID = String(decoding: octets[3..<35], as: UTF8.self)
    spanID = String(decoding: octets[36..<52], as: UTF8.self)
    isSampled = Self.digit(octets[54]) & 1 == 1
  }

  /// Creates the first span of a new trace.
  public init(isSampled: Bool, random: any RandomSource) {
    traceID = (random.next().bigEndianBytes + Self.nonZero(random).bigEndianBytes).hexadecimal
    spanID = Self.nonZero(random).bigEndianBytes.hexadecimal
    self.isSampled = isSampled
  }

  private init(traceID: String, spanID: String, isSampled: Bool) {
    self.traceID = traceID
    self.spanID = spanID
    self.isSampled = isSampled
  }

  /// Returns a new span of the same trace.
  public func child(random: any RandomSource) -> TraceParent {
    TraceParent(
      traceID: traceID,
      spanID: Self.nonZero(random).bigEndianBytes.hexadecimal,
      isSampled: isSampled
    )
  }

  /// The field value, in version 00.
  public var description: String { "00-\(traceID)-\(spanID)-0\(isSampled ? 1 : 0)" }

  private static let hyphen = UInt8(ascii: "-")

  /// Upper case is not allowed (3.2.2).
  private static func isHex(_ octets: ArraySlice<UInt8>) -> Bool {
    octets.allSatisfy { octet in
      switch octet {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
      default: false
      }
    }
  }

  private static func isNotZero(_ octets: ArraySlice<UInt8>) -> Bool {
    octets.contains { $0 != UInt8(ascii: "0") }
  }

  private static func digit(_ octet: UInt8) -> UInt8 {
    octet <= UInt8(ascii: "9") ? octet & 0x0f : octet - UInt8(ascii: "a") + 10
  }

  private static func nonZero(_ random: any RandomSource) -> UInt64 {
    // Zero once in 2^64, and every time for a source that is no source.
    let bits = random.next()
    return bits == 0 ? 1 : bits
  }
}
