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
    "ISO-2022-JP": "ISO-2022-JP-3",
  ]

  private static let rejected: [String: [[UInt8]: Unicode.Scalar]] = [
    "GBK": [[0x80]: "\u{20AC}"], "GB18030": [[0x80]: "\u{20AC}"],
    "BIG5": [
      [0xA1, 0xC3]: "\u{FFE3}", [0xA1, 0xFE]: "\u{FF0F}", [0xA2, 0x40]: "\u{FF3C}", [0xA3, 0xE1]: "\u{20AC}",
    ],
  ]

  /// The characters of Windows in rows 13 and 89 to 92 of JIS X 0208, which decoders of ISO-2022-JP reject and CP932
  /// has: two rows for each first octet.
  private static let rowsOfWindows: [[UInt8]: Unicode.Scalar] = {
    guard let decoder = SystemDecoder("CP932") else { return [:] }
    var characters: [[UInt8]: Unicode.Scalar] = [:]
    for row in [0x2D, 0x79, 0x7A, 0x7B, 0x7C] as [UInt8] {
      for cell in UInt8(0x21)...0x7E {
        let trail = row.isMultiple(of: 2) ? cell + 0x7E : cell + (cell < 0x60 ? 0x1F : 0x20)
        let octets = [(row - 0x21) / 2 + (row < 0x5F ? 0x81 : 0xC1), trail]
        let result = octets.withUnsafeBytes { decoder.decode($0, mode: .strict, isLast: true) }
        if !result.isMalformed { characters[[row, cell]] = result.text.unicodeScalars.first }
      }
    }
    return characters
  }()

  private let descriptor: iconv_t
  private let hasShiftStates: Bool
  /// Characters of the web that this decoder rejects.
  private let rejected: [[UInt8]: Unicode.Scalar]
  /// Whether the octets 0x80-0x9F without a character are the control characters with the same number, as on the web.
  private let hasControls: Bool
  /// Whether this is CP949. Its decoder in glibc consumes the octets A2 E8 when it rejects them, and rejects C9 and FE
  /// before it sees the octet that belongs to them.
  private let isCP949: Bool
  /// The smallest number of octets of a character.
  private let unit: Int

  /// Creates a decoder; `nil` if the C library does not support the charset.
  init?(_ name: String) {
    guard !Self.internalNames.contains(name), !name.hasSuffix("-INTERNAL") else { return nil }
    var descriptor = iconv_open("UTF-8", Self.decoders[name] ?? name)
    if Int(bitPattern: descriptor) == -1 { descriptor = iconv_open("UTF-8", name) }
    guard let descriptor, Int(bitPattern: descriptor) != -1 else { return nil }
    self.descriptor = descriptor
    hasShiftStates = Self.shiftingNames.contains { name.hasPrefix($0) }
    rejected = name == "ISO-2022-JP" ? Self.rowsOfWindows : Self.rejected[name] ?? [:]
    hasControls = name == "CP874" || name.hasPrefix("CP125")
    isCP949 = name == "CP949"
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
      let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
      let isConsumed =
        isCP949 && stop.consumed > 1 && bytes[..<offset].suffix(2).elementsEqual([0xA2, 0xE8])
      let isIncomplete = stop.isIncomplete || rest.count == 1 && !isConsumed && isRejectedLead(rest[0])
      if isIncomplete, !isLast { break }
      if !hasShiftStates { _ = convert(nil, into: &text) }
      if let (character, length) = exception(at: rest) {
        text.append(contentsOf: UTF8.encode(character) ?? UTF8.encodedReplacementCharacter)
        offset += length
        continue
      }
      if mode == .strict { return (String(decoding: text, as: UTF8.self), offset, true) }
      text.append(contentsOf: UTF8.encodedReplacementCharacter)
      if !isConsumed { offset += lengthOfRejected(rest, isIncomplete: isIncomplete) }
    }
    // A decoder may hold back a character until it is clear that no combining one follows.
    if isLast { _ = convert(nil, into: &text) }
    return (String(decoding: text, as: UTF8.self), offset, false)
  }

  private func exception(at octets: UnsafeRawBufferPointer) -> (Unicode.Scalar, length: Int)? {
    guard let first = octets.first else { return nil }
    if hasControls, 0x80...0x9F ~= first { return (Unicode.Scalar(first), 1) }
    if rejected.isEmpty { return nil }
    return rejected[[first]].map { ($0, 1) } ?? rejected[Array(octets.prefix(2))].map { ($0, 2) }
  }

  private func isRejectedLead(_ octet: UInt8) -> Bool { isCP949 && (octet == 0xC9 || octet == 0xFE) }

  /// The number of octets that one U+FFFD replaces: those of one character, but none that may be ASCII, since it could
  /// end an attribute or a tag.
  private func lengthOfRejected(_ octets: UnsafeRawBufferPointer, isIncomplete: Bool) -> Int {
    guard unit == 1, !octets.isEmpty else { return isIncomplete ? octets.count : min(unit, octets.count) }
    // Where two octets of seven bits are a character, they are not ASCII.
    let others: ClosedRange<UInt8> = hasShiftStates ? 0x21...0x7E : 0x80...0xFF
    var length = 1
    guard others ~= octets[0] else { return length }
    while length < octets.count, others ~= octets[length] {
      var ignored: [UInt8] = []
      let start = UnsafeRawBufferPointer(rebasing: octets[..<length])
      let isLead = length == 1 && isRejectedLead(octets[0])
      guard isLead || convert(start, into: &ignored)?.isIncomplete == true else { break }
      length += 1
    }
    return length
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
