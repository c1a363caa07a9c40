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
  private init?(_ name: String) {
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
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + bytes.count / 2)
    var offset = 0
    while offset < bytes.count {
      switch convert(UnsafeRawBufferPointer(rebasing: bytes[offset...]), into: &text) {
      case .done:
        offset = bytes.count
      case .stopped(let consumed, let isCutOff):
        offset += consumed
        if mode == .strict { return .undecodable(offset: offset) }
        if !hasShiftStates {
          _ = convert(nil, into: &text)
        }
        text.append(contentsOf: UTF8.encodedReplacementCharacter)
        // One octet is skipped, since the next may be ASCII; a cut-off sequence has nothing behind it.
        offset = isCutOff ? bytes.count : offset + 1
      }
    }
    // A decoder may hold back a character until it knows that no combining one follows.
    _ = convert(nil, into: &text)
    return .text(String(decoding: text, as: UTF8.self))
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
