/// The differences between a decoder of glibc's `iconv` and the decoder of the same charset on the web (WHATWG
/// Encoding 8-14).
struct WebDifferences {
  /// Octets at the start of others.
  enum Sequence {
    /// Octets of one character, if the decoder has it.
    case character(length: Int)
    /// A character that the decoder lacks, or has another one for.
    case exception(Unicode.Scalar, length: Int)
    /// Octets that are no character; one U+FFFD replaces them.
    case malformed(length: Int)
    case incomplete
  }

  /// The forms of characters in several octets.
  private enum Form {
    case pairs, gb18030, eucJP, shiftJIS
  }

  /// The decoder to use.
  let decoder: String
  /// Whether the decoder composes characters, which decoding octet by octet avoids.
  let composes: Bool
  /// Whether characters have several octets, which are delimited here.
  var isMultiByte: Bool { form != nil }
  private let form: Form?
  private let isWindows: Bool
  /// Characters by octets; U+FFFD where only the decoder has one.
  private let exceptions: [UInt32: Unicode.Scalar]
  /// Whether an octet is the first one in `exceptions`.
  private let isExceptional: [Bool]
  /// Characters of the web by those of `iconv`.
  private let replaced: [Unicode.Scalar: Unicode.Scalar]
  private let shiftJIS: ShiftJIS?

  /// The differences from the decoder with a name of `iconv`.
  init(from name: String) {
    decoder = Self.decoders[name] ?? name
    composes = ["CP1255", "CP1258"].contains(name)
    form = Self.forms[name]
    isWindows = name == "CP874" || name.hasPrefix("CP125") && name.utf8.count == 6
    exceptions = Self.exceptions[name] ?? [:]
    isExceptional = Self.exceptionalLeads[name] ?? []
    replaced = Self.replaced[name] ?? [:]
    shiftJIS = name == "EUC-JP" ? ShiftJIS() : nil
  }

  /// Returns the sequence at the start of octets in a charset of several octets, of which there is at least one.
  private func sequence(at octets: UnsafeRawBufferPointer) -> Sequence {
    let lead = octets[0]
    if lead < 0x80 { return .character(length: 1) }
    guard isLead(lead) else { return exception(at: octets, length: 1) ?? single(lead) }
    guard octets.count > 1 else { return .incomplete }
    var length = 2
    switch (form, octets[1]) {
    case (.gb18030, 0x30...0x39):
      guard octets.count > 2 else { return .incomplete }
      guard 0x81...0xFE ~= octets[2] else { return .malformed(length: 1) }
      guard octets.count > 3 else { return .incomplete }
      guard 0x30...0x39 ~= octets[3] else { return .malformed(length: 1) }
      length = 4
    case (.eucJP, 0xA1...0xFE) where lead == 0x8F:
      guard octets.count > 2 else { return .incomplete }
      guard octets[2] >= 0x80 else { return .malformed(length: 2) }
      length = 3
    case (_, 0..<0x40): return .malformed(length: 1)
    default: break
    }
    return exception(at: octets, length: length) ?? .character(length: length)
  }

  /// Whether an octet starts a sequence of several.
  private func isLead(_ octet: UInt8) -> Bool {
    switch form {
    case .shiftJIS: 0x81...0x9F ~= octet || 0xE0...0xFC ~= octet
    case .eucJP: octet == 0x8E || octet == 0x8F || 0xA1...0xFE ~= octet
    default: 0x81...0xFE ~= octet
    }
  }

  /// An octet above 0x7F that starts no sequence: a katakana of Shift_JIS.
  private func single(_ octet: UInt8) -> Sequence {
    form == .shiftJIS && 0xA1...0xDF ~= octet ? .character(length: 1) : .malformed(length: 1)
  }

  private func exception(at octets: UnsafeRawBufferPointer, length: Int) -> Sequence? {
    guard !isExceptional.isEmpty, isExceptional[Int(octets[0])],
      let character = exceptions[octets.prefix(length).reduce(0) { $0 << 8 | UInt32($1) }]
    else { return nil }
    return character == "\u{FFFD}" ? malformed(octets, length: length) : .exception(character, length: length)
  }

  /// Octets that have the form of a character, but are none: an ASCII character at the end of two is no part of them.
  private func malformed(_ octets: UnsafeRawBufferPointer, length: Int) -> Sequence {
    .malformed(length: length == 2 && octets[1] < 0x80 ? 1 : length)
  }

  /// Returns the number of octets at the start, up to about a limit, of which the decoder can be given all.
  func run(of octets: UnsafeRawBufferPointer, limit: Int) -> Int {
    guard isMultiByte else { return composes ? 1 : octets.count }
    var count = 0
    while count < octets.count, count < limit {
      if octets[count] < 0x80 {
        count += 1
      } else if case .character(let length) = sequence(
        at: UnsafeRawBufferPointer(rebasing: octets[count...])
      ) {
        count += length
      } else {
        break
      }
    }
    return count
  }

  /// Returns what is at the start of octets at which `iconv` has stopped.
  func rejected(_ octets: UnsafeRawBufferPointer) -> Sequence {
    guard isMultiByte else {
      if isWindows, 0x80...0x9F ~= octets[0] { return .exception(Unicode.Scalar(octets[0]), length: 1) }
      return exception(at: octets, length: 1) ?? .malformed(length: 1)
    }
    let sequence = sequence(at: octets)
    guard case .character(let length) = sequence else { return sequence }
    if length == 2, let character = shiftJIS?.character(octets[0], octets[1]) {
      return .exception(character, length: 2)
    }
    return malformed(octets, length: length)
  }

  /// Replaces what `iconv` has written from an offset by the characters of the web.
  func correct(_ utf8: inout [UInt8], from start: Int) {
    guard !replaced.isEmpty, start < utf8.count else { return }
    let text = String(decoding: utf8[start...], as: UTF8.self).unicodeScalars.map { replaced[$0] ?? $0 }
    utf8.replaceSubrange(start..., with: String(String.UnicodeScalarView(text)).utf8)
  }

  private static let decoders = ["GBK": "GB18030", "BIG5": "BIG5-HKSCS"]

  private static let forms: [String: Form] = [
    "GBK": .gb18030, "GB18030": .gb18030, "BIG5": .pairs, "EUC-JP": .eucJP, "CP932": .shiftJIS,
    "CP949": .pairs,
  ]

  private static let exceptionalLeads = exceptions.mapValues { characters in
    var isLead = Array(repeating: false, count: 256)
    for octets in characters.keys {
      isLead[Int(octets >> (8 * ((31 - UInt32(octets.leadingZeroBitCount)) / 8)))] = true
    }
    return isLead
  }

  private static let exceptions: [String: [UInt32: Unicode.Scalar]] = [
    "CP932": table("80=80"), "CP949": table("a2e8=fffd"), "CP1255": table("ca=5ba"), "BIG5": table(big5),
    "GBK": table(gb18030), "GB18030": table(gb18030),
  ]

  private static let replaced: [String: [Unicode.Scalar: Unicode.Scalar]] = [
    "KOI8-U": ["\u{255D}": "\u{45E}", "\u{256C}": "\u{40E}"],
    "MACINTOSH": ["\u{394}": "\u{2206}", "\u{E01E}": "\u{F8FF}"],
    "MAC-CYRILLIC": ["\u{A4}": "\u{20AC}"],
    "GBK": ["\u{E5E5}": "\u{3000}"], "GB18030": ["\u{E5E5}": "\u{3000}"],
    "EUC-JP": [
      "\u{301C}": "\u{FF5E}", "\u{2016}": "\u{2225}", "\u{2212}": "\u{FF0D}", "\u{A2}": "\u{FFE0}",
      "\u{A3}": "\u{FFE1}", "\u{AC}": "\u{FFE2}",
    ],
    "BIG5": [
      "\u{2022}": "\u{2027}", "\u{FF64}": "\u{FE51}", "\u{203E}": "\u{AF}", "\u{223C}": "\u{FF5E}",
      "\u{2641}": "\u{2295}", "\u{2609}": "\u{2299}", "\u{FF0F}": "\u{2215}", "\u{FF3C}": "\u{FE68}",
      "\u{A5}": "\u{FFE5}", "\u{A2}": "\u{FFE0}", "\u{A3}": "\u{FFE1}",
    ],
  ]

  /// Reads octets and code points in hexadecimal digits.
  private static func table(_ text: String) -> [UInt32: Unicode.Scalar] {
    var table: [UInt32: Unicode.Scalar] = [:]
    for pair in text.split(separator: " ") {
      let parts = pair.split(separator: "=").map { UInt32($0, radix: 16) ?? 0 }
      table[parts[0]] = Unicode.Scalar(parts[1])
    }
    return table
  }

  private static let gb18030 = """
    80=20ac 82359037=9fb4 82359038=9fb5 82359039=9fb6 82359130=9fb7 82359131=9fb8 82359132=9fb9 82359133=9fba \
    82359134=9fbb 84318236=fe10 84318237=fe11 84318238=fe12 84318239=fe13 84318330=fe14 84318331=fe15 \
    84318332=fe16 84318333=fe17 84318334=fe18 84318335=fe19 \
    fe51=e816 fe52=e817 fe53=e818 fe6c=e831 fe76=e83b fe91=e855
    """

  private static let big5 = """
    8e69=7bb8 8e6f=7c06 8e7e=7cce 8eab=7dd2 8eb4=7e1d 8ecd=8005 8ed0=8028 8f57=83c1 8f69=84a8 8f6e=840f 8fcb=89a6 \
    8fcc=89a9 8ffe=8d77 906d=90fd 907a=92b9 90dc=975c 90f1=97ff 91bf=9f16 9244=8503 92af=5159 92b0=515b 92b1=515d \
    92b2=515e 92c8=936e 92d1=7479 9447=6d67 94ca=799b 95d9=9097 9644=975d 96ed=701e 96fc=5b28 9b76=7201 9b78=77d7 \
    9b7b=7e87 9bc6=99d6 9bde=91d4 9bec=60de 9bf6=6fb6 9c42=8f36 9c53=4fbb 9c62=71df 9c68=9104 9c6b=9df0 9c77=83cf \
    9cbc=5c10 9cbd=79e3 9cd0=5a67 9d57=8f0b 9d5a=7b51 9dc4=62d0 9ea9=6062 9eef=75f9 9efd=6c4a 9f60=9b2e 9f66=9f17 \
    9fcb=50ed 9fd8=5f0c a063=880f a077=62ce a0d5=7468 a0df=7162 a0e4=7250 a15a=2574 a1c3=ffe3 a1c5=2cd a1fe=ff0f \
    a240=ff3c a2cc=5341 a2ce=5345 a3c0=2400 a3c1=2401 a3c2=2402 a3c3=2403 a3c4=2404 a3c5=2405 a3c6=2406 a3c7=2407 \
    a3c8=2408 a3c9=2409 a3ca=240a a3cb=240b a3cc=240c a3cd=240d a3ce=240e a3cf=240f a3d0=2410 a3d1=2411 a3d2=2412 \
    a3d3=2413 a3d4=2414 a3d5=2415 a3d6=2416 a3d7=2417 a3d8=2418 a3d9=2419 a3da=241a a3db=241b a3dc=241c a3dd=241d \
    a3de=241e a3df=241f a3e0=2421 a3e1=20ac c6cf=5ef4 c6d3=65e0 c6d5=7676 c6d7=96b6 c6de=3003 c6df=4edd fa5f=5029 \
    fa66=507d fabd=5305 fac5=5344 fad5=537f fb48=5605 fbb8=5a77 fbf3=5e75 fbf9=5ed0 fc4f=5f58 fc6c=60a4 fcb9=6490 \
    fce2=6674 fcf1=675e fdb7=6c9c fdb8=6e1d fdbb=6e2f fdf1=716e fe52=732a fe6f=745c feaa=74e9 fedd=7809
    """
}
