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
/// two implementations. ``WebDifferences`` corrects the result to that of the web.
struct SystemDecoder: ~Copyable {
  /// Names of `iconv` that mean the locale or the memory layout of this process, not a charset.
  private static let internalNames: Set<String> = ["CHAR", "WCHAR_T", "INTERNAL", "LOCALE"]

  /// The prefixes of charsets with shift states, where flushing held-back characters would reset the state.
  private static let shiftingNames = ["ISO-2022", "ISO2022", "CSISO2022", "HZ", "UTF-7"]

  private let descriptor: iconv_t
  private let hasShiftStates: Bool
  private let differences: WebDifferences

  /// Creates a decoder; `nil` if the C library does not support the charset.
  init?(_ name: String) {
    guard !Self.internalNames.contains(name), !name.hasSuffix("-INTERNAL") else { return nil }
    let differences = WebDifferences(from: name)
    guard let descriptor = iconv_open("UTF-8", differences.decoder), Int(bitPattern: descriptor) != -1 else {
      return nil
    }
    self.differences = differences
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
    let (text, count, isMalformed) = decode(bytes, mode: mode, isLast: true)
    return isMalformed ? .undecodable(offset: count) : .text(text)
  }

  /// Decodes as much as possible, in the current shift state.
  ///
  /// - Parameters:
  ///   - bytes: The rest of the previous octets, followed by new ones.
  ///   - mode: The handling of octets that are not text; in strict mode the first of them ends decoding.
  ///   - isLast: Whether these are the last octets; otherwise an incomplete character is kept.
  /// - Returns: The text, the number of octets decoded, and whether decoding ended at octets that are not text.
  func decode(
    _ bytes: UnsafeRawBufferPointer,
    mode: Charset.Mode,
    isLast: Bool
  ) -> (text: String, count: Int, isMalformed: Bool) {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + bytes.count / 2)
    var offset = 0
    // Short after an error, so that octets are not delimited again after each of many errors.
    var limit = 64
    decoding: while offset < bytes.count {
      let start = text.count
      let run = differences.run(of: UnsafeRawBufferPointer(rebasing: bytes[offset...]), limit: limit)
      var stopped: WebDifferences.Sequence?
      if run > 0 {
        switch convert(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + run]), into: &text) {
        case .done:
          offset += run
          limit = min(limit * 4, 65_536)
          if differences.composes { _ = convert(nil, into: &text) }
          differences.correct(&text, from: start)
          continue
        case .stopped(let consumed, let isIncomplete):
          offset += consumed
          if isIncomplete, !differences.isMultiByte {
            stopped = .incomplete
          } else if consumed == run {
            // Some decoders of glibc consume what they reject.
            stopped = .malformed(length: 0)
          }
          if !hasShiftStates, isLast || !isIncomplete { _ = convert(nil, into: &text) }
          differences.correct(&text, from: start)
        }
      }
      limit = 64
      let sequence = stopped ?? differences.rejected(UnsafeRawBufferPointer(rebasing: bytes[offset...]))
      switch sequence {
      case .exception(let character, let length):
        text.append(contentsOf: UTF8.encode(character) ?? UTF8.encodedReplacementCharacter)
        offset += length
        continue
      case .incomplete where !isLast: break decoding
      case .incomplete, .character, .malformed:
        if mode == .strict { return (String(decoding: text, as: UTF8.self), offset, true) }
      }
      text.append(contentsOf: UTF8.encodedReplacementCharacter)
      // An incomplete sequence is followed by nothing.
      if case .malformed(let length) = sequence { offset += length } else { offset = bytes.count }
    }
    // A decoder may hold back a character until it is clear that no combining one follows.
    if isLast { _ = convert(nil, into: &text) }
    return (String(decoding: text, as: UTF8.self), offset, false)
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
