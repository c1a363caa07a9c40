extension Charset {
  /// UTF-8 (RFC 3629).
  public static let utf8 = Charset(name: "UTF-8", coding: .utf8)
  /// UTF-16 with a byte order mark, otherwise big-endian (RFC 2781). The label `utf-16` means ``utf16LE``.
  public static let utf16 = Charset(system: "UTF-16")
  /// UTF-16, big-endian.
  public static let utf16BE = Charset(system: "UTF-16BE")
  /// UTF-16, little-endian.
  public static let utf16LE = Charset(system: "UTF-16LE")
  /// UTF-32 with a byte order mark, otherwise big-endian.
  public static let utf32 = Charset(system: "UTF-32")
  /// UTF-32, big-endian.
  public static let utf32BE = Charset(system: "UTF-32BE")
  /// UTF-32, little-endian.
  public static let utf32LE = Charset(system: "UTF-32LE")
  /// US-ASCII: octets up to 0x7F. The label `us-ascii` means ``windows1252``.
  public static let usASCII = Charset(system: "US-ASCII")
  /// ISO-8859-1, Latin-1: every octet is the character with the same number. The label `iso-8859-1` means
  /// ``windows1252``.
  public static let isoLatin1 = Charset(name: "ISO-8859-1", coding: .latin1)
  /// windows-1252, Latin-1 with printable characters in 0x80-0x9F.
  public static let windows1252 = Charset(name: "windows-1252", coding: .windows1252)

  private init(system name: String) { self.init(name: name, coding: .system(name)) }

  /// The charset that a label means on the web; `nil` if the label is not in the table (WHATWG Encoding 4.2).
  package static func onTheWeb(_ label: String) -> Charset? {
    webLabels[label.trimmingASCIISpace.lowercased()]
  }

  /// Returns the charset of a label, without whitespace around it: as on the web, otherwise by its other names.
  static func labelled(_ label: String) -> Charset? { onTheWeb(label) ?? otherLabels[label.lowercased()] }

  private static let webLabels: [String: Charset] = {
    let builtIn: [Charset] = [.utf8, .utf16BE, .utf16LE, .windows1252]
    var charsets: [String: Charset] = [:]
    for line in webTable.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      let names = parts[0].split(separator: "=").map(String.init)
      let system = Charset(name: names[0], coding: .system(names[names.count - 1]))
      let charset = builtIn.first { $0.name == names[0] } ?? system
      for label in [names[0].lowercased()] + parts.dropFirst().joined().split(separator: " ").map(String.init)
      {
        charsets[label] = charset
      }
    }
    return charsets
  }()

  /// Labels that are not in the table of the web, in lower case.
  private static let otherLabels: [String: Charset] = {
    let charsets: [(Charset, String)] = [
      (.utf8, "csutf8 cp65001"),
      (.utf16BE, "utf16be csutf16be ucs-2be unicodebig"),
      (.utf16LE, "utf16 utf16le csutf16 csutf16le ucs2 ucs-2le unicodelittle"),
      (.utf32, "utf-32 utf32 csutf32 ucs-4 ucs4 iso-10646-ucs-4 csucs4"),
      (.utf32BE, "utf-32be utf32be csutf32be ucs-4be"),
      (.utf32LE, "utf-32le utf32le csutf32le ucs-4le"),
      (.windows1252, "latin-1 us csascii ansi_x3.4-1986 iso_646.irv:1991 iso646-us cp367 ibm367"),
    ]
    return Dictionary(
      uniqueKeysWithValues: charsets.flatMap { charset, labels in
        labels.split(separator: " ").map { (String($0), charset) }
      }
    )
  }()

  /// The table of WHATWG Encoding 4.2: a name, the name in `iconv` if that is another one, and the other labels;
  /// without the charset that only browsers have. No system has `REPLACEMENT`: text in these charsets can hide ASCII,
  /// such as a tag, from whoever checks it, and browsers show none of it.
  private static let webTable = """
    UTF-8: unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf8 x-unicode20utf8
    IBM866: 866 cp866 csibm866
    ISO-8859-2: csisolatin2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2
    ISO-8859-3: csisolatin3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3
    ISO-8859-4: csisolatin4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4
    ISO-8859-5: csisolatincyrillic cyrillic iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988
    ISO-8859-6: arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6-e iso-8859-6-i \
      iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987
    ISO-8859-7: csisolatingreek ecma-118 elot_928 greek greek8 iso-ir-126 iso8859-7 iso88597 iso_8859-7 \
      iso_8859-7:1987 sun_eu_greek
    ISO-8859-8: csiso88598e csisolatinhebrew hebrew iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 \
      iso_8859-8:1988 visual
    ISO-8859-8-I=ISO-8859-8: csiso88598i logical
    ISO-8859-10: csisolatin6 iso-ir-157 iso8859-10 iso885910 l6 latin6
    ISO-8859-13: iso8859-13 iso885913
    ISO-8859-14: iso8859-14 iso885914
    ISO-8859-15: csisolatin9 iso8859-15 iso885915 iso_8859-15 l9
    ISO-8859-16:
    KOI8-R: cskoi8r koi koi8 koi8_r
    KOI8-U: koi8-ru
    macintosh=MACINTOSH: csmacintosh mac x-mac-roman
    windows-874=CP874: dos-874 iso-8859-11 iso8859-11 iso885911 tis-620
    windows-1250=CP1250: cp1250 x-cp1250
    windows-1251=CP1251: cp1251 x-cp1251
    windows-1252: ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 \
      iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii x-cp1252
    windows-1253=CP1253: cp1253 x-cp1253
    windows-1254=CP1254: cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 \
      l5 latin5 x-cp1254
    windows-1255=CP1255: cp1255 x-cp1255
    windows-1256=CP1256: cp1256 x-cp1256
    windows-1257=CP1257: cp1257 x-cp1257
    windows-1258=CP1258: cp1258 x-cp1258
    x-mac-cyrillic=MAC-CYRILLIC: x-mac-ukrainian
    GBK: chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 iso-ir-58 x-gbk
    gb18030=GB18030:
    Big5=BIG5: big5-hkscs cn-big5 csbig5 x-x-big5
    EUC-JP: cseucpkdfmtjapanese x-euc-jp
    ISO-2022-JP: csiso2022jp
    Shift_JIS=CP932: csshiftjis ms932 ms_kanji shift-jis sjis windows-31j x-sjis
    EUC-KR=CP949: cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 \
      windows-949
    ISO-2022-KR=REPLACEMENT: csiso2022kr
    ISO-2022-CN=REPLACEMENT:
    ISO-2022-CN-EXT=REPLACEMENT:
    HZ-GB-2312=REPLACEMENT:
    replacement=REPLACEMENT:
    UTF-16BE: unicodefffe
    UTF-16LE: csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16
    """
}

extension String {
  /// The text without ASCII whitespace at both ends (WHATWG Infra 4.6).
  var trimmingASCIISpace: String {
    let isSpace: (Unicode.Scalar) -> Bool = { [0x09, 0x0A, 0x0C, 0x0D, 0x20].contains($0.value) }
    var rest = unicodeScalars.drop(while: isSpace)
    while let last = rest.last, isSpace(last) { rest.removeLast() }
    return String(String.UnicodeScalarView(rest))
  }
}
