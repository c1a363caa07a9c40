internal import CLibXML2

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension String {
  /// Creates a copy of a string of libxml2; empty if it is `nil`.
  init(libxml text: UnsafePointer<xmlChar>?) {
    guard let text else {
      self = ""
      return
    }
    self.init(cString: text)
  }

  /// A copy of a message of libxml2, without the newline that ends it.
  init(libxmlMessage message: UnsafePointer<CChar>?) {
    self = message.map { String(cString: $0) } ?? "not well formed"
    while last?.isWhitespace == true { removeLast() }
  }

  /// Whether the string has the same bytes as a string of libxml2. A string that holds a zero byte
  /// equals none.
  func equals(libxml text: UnsafePointer<xmlChar>) -> Bool {
    var copy = self
    return copy.withUTF8 { bytes in
      bytes.count == strlen(text) && memcmp(bytes.baseAddress ?? UnsafePointer(text), text, bytes.count) == 0
    }
  }
}

/// Returns the number of bytes of a string of libxml2; 0 if it is `nil`.
func length(_ text: UnsafePointer<xmlChar>?) -> Int {
  text.map { Int(strlen($0)) } ?? 0
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether there is such a byte.
  @inline(__always)
  func holds(_ byte: UInt8) -> Bool {
    guard let baseAddress, count > 0 else { return false }
    return memchr(baseAddress, Int32(byte), count) != nil
  }

  /// Whether these are the bytes of a literal.
  @inline(__always)
  func equals(_ literal: StaticString) -> Bool {
    guard let baseAddress, count == literal.utf8CodeUnitCount else { return false }
    return memcmp(baseAddress, literal.utf8Start, count) == 0
  }

  /// The characters with a line feed for each end of a line (XML 1.0, section 2.11).
  ///
  /// - Parameter afterReturn: Whether a carriage return came before, for which there is a line feed already.
  func lineFeeds(afterReturn: Bool) -> [UInt8] {
    var lines: [UInt8] = []
    lines.reserveCapacity(count)
    var followsReturn = afterReturn
    for byte in self {
      let isReturn = byte == UInt8(ascii: "\r")
      if !(followsReturn && byte == UInt8(ascii: "\n")) { lines.append(isReturn ? UInt8(ascii: "\n") : byte) }
      followsReturn = isReturn
    }
    return lines
  }

  /// Whether a character takes more bytes than it needs, in what is UTF-8 otherwise (RFC 3629 3).
  var holdsOverlongForms: Bool {
    for (index, byte) in enumerated() where byte >= 0xc0 {
      if byte <= 0xc1 { return true }
      let next = index + 1 < count ? self[index + 1] : 0xff
      if byte == 0xe0 && next < 0xa0 || byte == 0xf0 && next < 0x90 { return true }
    }
    return false
  }
}
