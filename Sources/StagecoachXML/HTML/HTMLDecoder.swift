internal import StagecoachCore

/// Turns the bytes of a document into the UTF-8 that libxml2 gets: decoded lossily, since nothing ends the
/// parse of HTML; line ends are line feeds, form feeds spaces, and what XML has no place for is U+FFFD.
struct HTMLDecoder {
  /// The charset; `nil` until it is determined by the first character that is not ASCII.
  private(set) var charset: Charset?
  private var decoder: PiecewiseDecoder?
  /// The start of a character that is not complete.
  private var pending: [UInt8] = []
  private var endsWithReturn = false

  init(charset: Charset?) {
    self.charset = charset
    decoder = charset.flatMap { PiecewiseDecoder($0, mode: .lossy) }
  }

  /// Appends what the next bytes mean.
  mutating func decode(_ bytes: UnsafeRawBufferPointer, isLast: Bool = false, into output: inout [UInt8]) {
    guard !pending.isEmpty else {
      let count = decodeWhole(bytes, isLast: isLast, into: &output)
      pending.append(contentsOf: bytes.dropFirst(count))
      return
    }
    var joined = pending
    pending = []
    joined.append(contentsOf: bytes)
    let count = joined.withUnsafeBytes { decodeWhole($0, isLast: isLast, into: &output) }
    joined.removeFirst(count)
    pending = joined
  }

  /// Decodes the characters that are complete, and returns how many bytes they take.
  private mutating func decodeWhole(
    _ bytes: UnsafeRawBufferPointer,
    isLast: Bool,
    into output: inout [UInt8]
  ) -> Int {
    guard let decoder else {
      let start = bytes.firstIndex { $0 >= 0x80 } ?? bytes.count
      write(
        UnsafeRawBufferPointer(rebasing: bytes[..<start]).assumingMemoryBound(to: UInt8.self),
        into: &output
      )
      guard start < bytes.count else { return start }
      let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
      guard let charset = Self.guess(rest, isLast: isLast) else { return start }
      self.charset = charset
      self.decoder = PiecewiseDecoder(charset, mode: .lossy)
      return start + decodeWhole(rest, isLast: isLast, into: &output)
    }
    var (text, count, _) = decoder.decode(bytes, isLast: isLast)
    text.withUTF8 { write($0, into: &output) }
    return count
  }

  /// UTF-8 if what begins here is a character in it, else windows-1252; nil if there are too few bytes.
  private static func guess(_ bytes: UnsafeRawBufferPointer, isLast: Bool) -> Charset? {
    let length =
      switch bytes[0] {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 0
      }
    let start = bytes.prefix(length)
    guard length > 0, start.dropFirst().allSatisfy({ $0 & 0xC0 == 0x80 }) else { return .windows1252 }
    guard bytes.count >= length else { return isLast ? .windows1252 : nil }
    return String(validating: start, as: UTF8.self) == nil ? .windows1252 : .utf8
  }

  /// Appends text in UTF-8, with what XML has no place for replaced.
  private mutating func write(_ text: UnsafeBufferPointer<UInt8>, into output: inout [UInt8]) {
    var start = 0
    for (index, byte) in text.enumerated() {
      // A line feed behind a carriage return is that one's.
      let isSecond = byte == 0x0A && endsWithReturn
      endsWithReturn = byte == 0x0D
      guard isSecond || byte < 0x20 && byte != 0x09 && byte != 0x0A || byte == 0xEF else { continue }
      var length = 1
      if byte == 0xEF {
        // U+FFFE and U+FFFF.
        guard index + 2 < text.count, text[index + 1] == 0xBF, text[index + 2] >= 0xBE else { continue }
        length = 3
      }
      output.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
      start = index + length
      switch byte {
      case 0x0A: break
      case 0x0C: output.append(0x20)
      case 0x0D: output.append(0x0A)
      default: output.append(contentsOf: [0xEF, 0xBF, 0xBD])
      }
    }
    output.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
  }
}
