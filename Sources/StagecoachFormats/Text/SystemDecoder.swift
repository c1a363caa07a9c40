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

  /// The prefixes of charsets with shift states, where flushing held-back characters would reset the state.
  private static let shiftingNames = ["ISO-2022", "ISO2022", "CSISO2022", "HZ", "UTF-7"]

  private let descriptor: iconv_t
  private let hasShiftStates: Bool

  /// Creates a decoder; `nil` if the C library does not support the charset.
  fileprivate init?(_ name: String) {
    guard !Self.internalNames.contains(name), !name.hasSuffix("-INTERNAL") else { return nil }
    guard let descriptor = iconv_open("UTF-8", name), Int(bitPattern: descriptor) != -1 else { return nil }
    self.descriptor = descriptor
    hasShiftStates = Self.shiftingNames.contains { name.hasPrefix($0) }
  }

  deinit {
    iconv_close(descriptor)
  }

  /// Returns whether the C library supports the charset, whose name only contains the characters of a ``Charset``
  /// name.
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

  /// Decodes as much as possible, in the current shift state.
  ///
  /// - Parameters:
  ///   - bytes: The rest of the previous octets, followed by new ones.
  ///   - mode: The handling of octets that are not text; in strict mode the first of them ends decoding.
  ///   - isLast: Whether these are the last octets; otherwise an incomplete character is kept.
  /// - Returns: The text, and the number of octets decoded.
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
        // One octet is skipped, because the next may be ASCII; an incomplete sequence is followed by nothing.
        offset = isCutOff ? bytes.count : offset + 1
      }
    }
    // A decoder may hold back a character until it is clear that no combining one follows.
    if isLast { _ = convert(nil, into: &text) }
    return (String(decoding: text, as: UTF8.self), offset)
  }

  private enum Progress {
    case done
    /// The octets after the consumed ones are ill-formed, or incomplete.
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

/// Decodes octets in pieces, in a charset of the C library. Ill-formed sequences become U+FFFD.
///
/// The text does not depend on how the octets are split: the shift state at the end of a piece is kept for the next
/// one. A decoder serves one text.
package final class PiecewiseDecoder {
  private let decoder: SystemDecoder

  /// Creates a decoder; `nil` for a built-in charset, or one that the C library does not support.
  package init?(_ charset: Charset) {
    guard case .system(let name) = charset.coding, let decoder = SystemDecoder(name) else { return nil }
    self.decoder = decoder
  }

  /// Decodes the complete characters.
  ///
  /// - Parameters:
  ///   - bytes: The rest of the previous piece, followed by the next one.
  ///   - isLast: Whether it is the last piece, of which no rest remains.
  /// - Returns: The text, and the number of octets that were decoded.
  package func decode(_ bytes: UnsafeRawBufferPointer, isLast: Bool) -> (text: String, count: Int) {
    decoder.decode(bytes, mode: .lossy, isLast: isLast)
  }
}
