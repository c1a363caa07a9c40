#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The charsets of the C library, by POSIX `iconv`.
///
/// Replacing what cannot be decoded is done here: neither `//IGNORE` nor `//TRANSLIT` means the same in
/// two implementations.
struct SystemDecoder: ~Copyable {
  /// Names of `iconv` that mean the locale or the memory layout of this process, not a charset.
  private static let internalNames: Set<String> = ["CHAR", "WCHAR_T", "INTERNAL", "LOCALE"]

  /// How the names of charsets with shift states start: writing what is held back would reset the state.
  private static let shiftingNames = ["ISO-2022", "ISO2022", "CSISO2022", "HZ", "UTF-7"]

  private let descriptor: iconv_t
  private let hasShiftStates: Bool

  /// Nil if the C library does not know the name.
  fileprivate init?(_ name: String) {
    guard !Self.internalNames.contains(name), !name.hasSuffix("-INTERNAL") else { return nil }
    guard let descriptor = iconv_open("UTF-8", name), Int(bitPattern: descriptor) != -1 else { return nil }
    self.descriptor = descriptor
    hasShiftStates = Self.shiftingNames.contains { name.hasPrefix($0) }
  }

  deinit {
    iconv_close(descriptor)
  }

  /// Whether the C library knows the name, which holds nothing but what a ``Charset`` name may.
  static func isKnown(_ name: String) -> Bool {
    SystemDecoder(name) != nil
  }

  static func decode(_ bytes: UnsafeRawBufferPointer, from name: String, mode: Charset.Mode) -> DecodingResult
  {
    guard let decoder = SystemDecoder(name) else { return .unknown }
    return decoder.decode(bytes, mode: mode)
  }

  private func decode(_ bytes: UnsafeRawBufferPointer, mode: Charset.Mode) -> DecodingResult {
    let (text, count) = decode(bytes, mode: mode, isLast: true)
    return count == bytes.count ? .text(text) : .undecodable(offset: count)
  }

  /// Decodes as much as can be, in the state that the octets before have left.
  ///
  /// - Parameters:
  ///   - bytes: The octets; what was left of those before comes first.
  ///   - mode: What becomes of octets that are not text; in strict mode the first of them ends it.
  ///   - isLast: Whether no more octets come; a character that is cut off is left if they do.
  /// - Returns: The text, and how many octets it was made of.
  fileprivate func decode(
    _ bytes: UnsafeRawBufferPointer,
    mode: Charset.Mode,
    isLast: Bool
  ) -> (text: String, count: Int) {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + bytes.count / 2)
    var offset = 0
    while offset < bytes.count {
      switch convert(UnsafeRawBufferPointer(rebasing: bytes[offset...]), into: &text) {
      case .done:
        offset = bytes.count
      case .stopped(let consumed, let isCutOff):
        offset += consumed
        if mode == .strict || isCutOff && !isLast {
          return (String(decoding: text, as: UTF8.self), offset)
        }
        if !hasShiftStates {
          _ = convert(nil, into: &text)
        }
        text.append(contentsOf: UTF8.encodedReplacementCharacter)
        // One octet is skipped, since the next may be ASCII; a cut-off sequence has nothing behind it.
        offset = isCutOff ? bytes.count : offset + 1
      }
    }
    // A decoder may hold back a character until it knows that no combining one follows.
    if isLast { _ = convert(nil, into: &text) }
    return (String(decoding: text, as: UTF8.self), offset)
  }

  private enum Progress {
    case done
    /// What follows the consumed octets is wrong, or cut off by their end.
    case stopped(consumed: Int, isCutOff: Bool)
  }

  /// Converts as much as can be, appending to `text`; nil makes `iconv` write what it holds back.
  private func convert(_ bytes: UnsafeRawBufferPointer?, into text: inout [UInt8]) -> Progress {
    // `iconv` takes a mutable pointer for the sake of C, and does not write through it.
    let start = bytes?.baseAddress.map {
      UnsafeMutablePointer(mutating: $0.assumingMemoryBound(to: CChar.self))
    }
    var input = start
    var inputLeft = bytes?.count ?? 0
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
      while true {
        var output = buffer.baseAddress
        var outputLeft = buffer.count
        let result =
          start == nil
          ? iconv(descriptor, nil, nil, &output, &outputLeft)
          : iconv(descriptor, &input, &inputLeft, &output, &outputLeft)
        let code = errno
        let written = buffer.count - outputLeft
        text.append(contentsOf: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<written]))
        if result != -1 { return .done }
        // Room for thousands of characters that still does not suffice would never do.
        if code == E2BIG, written > 0 { continue }
        return .stopped(consumed: (bytes?.count ?? 0) - inputLeft, isCutOff: code == EINVAL)
      }
    }
  }
}

/// Decodes octets piece by piece, in a charset of the C library. What is not text becomes U+FFFD.
///
/// However the octets are cut the text is the same: the shift state at the end of a piece is that of the next one. It
/// serves one text.
package final class PiecewiseDecoder {
  private let decoder: SystemDecoder

  /// A decoder; nil for a charset that is built in, or that the C library does not know.
  package init?(_ charset: Charset) {
    guard case .system(let name) = charset.coding, let decoder = SystemDecoder(name) else { return nil }
    self.decoder = decoder
  }

  /// Decodes the characters that are complete.
  ///
  /// - Parameters:
  ///   - bytes: What was left of the piece before, and the next one.
  ///   - isLast: Whether it is the last piece, of which nothing is left.
  /// - Returns: The text, and how many octets it was made of.
  package func decode(_ bytes: UnsafeRawBufferPointer, isLast: Bool) -> (text: String, count: Int) {
    decoder.decode(bytes, mode: .lossy, isLast: isLast)
  }
}
