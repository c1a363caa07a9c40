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

  /// Decoders of larger charsets, used where the system has them: what is labelled with a name has their characters
  /// too. The byte order of the first two would be that of the system.
  private static let decoders = [
    "UTF-16": "UTF-16BE", "UTF-32": "UTF-32BE", "GBK": "GB18030", "BIG5": "BIG5-HKSCS", "EUC-JP": "EUC-JP-MS",
  ]

  private let descriptor: iconv_t
  private let hasShiftStates: Bool
  /// Whether the octet 0x80 is the euro sign, as in the code page of Windows.
  private let hasEuroSign: Bool
  /// The number of octets of an ill-formed sequence that one U+FFFD replaces.
  private let unit: Int

  /// Creates a decoder; `nil` if the C library does not support the charset.
  init?(_ name: String) {
    guard !Self.internalNames.contains(name), !name.hasSuffix("-INTERNAL") else { return nil }
    var descriptor = iconv_open("UTF-8", Self.decoders[name] ?? name)
    if Int(bitPattern: descriptor) == -1 { descriptor = iconv_open("UTF-8", name) }
    guard let descriptor, Int(bitPattern: descriptor) != -1 else { return nil }
    self.descriptor = descriptor
    hasShiftStates = Self.shiftingNames.contains { name.hasPrefix($0) }
    hasEuroSign = name == "GBK" || name == "GB18030"
    unit = name.hasPrefix("UTF-16") ? 2 : name.hasPrefix("UTF-32") ? 4 : 1
  }

  deinit {
    iconv_close(descriptor)
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
    while offset < bytes.count {
      let stop = convert(UnsafeRawBufferPointer(rebasing: bytes[offset...]), into: &text)
      guard let stop else {
        offset = bytes.count
        break
      }
      offset += stop.consumed
      if stop.isIncomplete, !isLast { break }
      if !hasShiftStates { _ = convert(nil, into: &text) }
      let octet = offset < bytes.count ? bytes[offset] : nil
      if hasEuroSign, octet == 0x80 {
        text.append(contentsOf: "\u{20AC}".utf8)
        offset += 1
        continue
      }
      if mode == .strict { return (String(decoding: text, as: UTF8.self), offset, true) }
      text.append(contentsOf: UTF8.encodedReplacementCharacter)
      // Some decoders of glibc consume what they reject: the ASCII octet behind it is not part of it.
      let isConsumed = stop.consumed > 0 && unit == 1 && !hasShiftStates && octet.map { $0 < 0x80 } ?? true
      // An incomplete sequence is followed by nothing.
      offset = stop.isIncomplete ? bytes.count : min(offset + (isConsumed ? 0 : unit), bytes.count)
    }
    // A decoder may hold back a character until it is clear that no combining one follows.
    if isLast { _ = convert(nil, into: &text) }
    return (String(decoding: text, as: UTF8.self), offset, false)
  }

  /// Converts as much as possible, appending to `text`; `nil` makes `iconv` write what it holds back.
  ///
  /// - Returns: The number of octets before the ones that are ill-formed or incomplete; `nil` if all were converted.
  private func convert(
    _ bytes: UnsafeRawBufferPointer?,
    into text: inout [UInt8]
  ) -> (consumed: Int, isIncomplete: Bool)? {
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
        if result != -1 { return nil }
        // Room for thousands of characters that still does not suffice would never do.
        if code == E2BIG, written > 0 { continue }
        return ((bytes?.count ?? 0) - inputLeft, code == EINVAL)
      }
    }
  }
}
