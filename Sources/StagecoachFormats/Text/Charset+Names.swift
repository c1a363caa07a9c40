extension Charset {
  /// UTF-8 (RFC 3629).
  public static let utf8 = Charset(name: "UTF-8", coding: .utf8)
  /// UTF-16 with a byte order mark, otherwise big-endian (RFC 2781).
  public static let utf16 = Charset(name: "UTF-16", coding: .utf16(nil))
  /// UTF-16, big-endian.
  public static let utf16BE = Charset(name: "UTF-16BE", coding: .utf16(.bigEndian))
  /// UTF-16, little-endian.
  public static let utf16LE = Charset(name: "UTF-16LE", coding: .utf16(.littleEndian))
  /// UTF-32 with a byte order mark, otherwise big-endian.
  public static let utf32 = Charset(name: "UTF-32", coding: .utf32(nil))
  /// UTF-32, big-endian.
  public static let utf32BE = Charset(name: "UTF-32BE", coding: .utf32(.bigEndian))
  /// UTF-32, little-endian.
  public static let utf32LE = Charset(name: "UTF-32LE", coding: .utf32(.littleEndian))
  /// US-ASCII: octets up to 0x7F.
  public static let usASCII = Charset(name: "US-ASCII", coding: .ascii)
  /// ISO-8859-1, Latin-1: every octet is the character with the same number.
  public static let isoLatin1 = Charset(name: "ISO-8859-1", coding: .latin1)
  /// windows-1252, Latin-1 with printable characters in 0x80-0x9F.
  public static let windows1252 = Charset(name: "windows-1252", coding: .windows1252)

  /// Charsets by label in lower case.
  static let aliases: [String: Charset] = {
    var aliases: [String: Charset] = [:]
    for (charset, labels) in builtIn + system {
      aliases[charset.name.lowercased()] = charset
      for label in labels.split(separator: " ") {
        aliases[String(label)] = charset
      }
    }
    for number in 1250...1258 where number != 1252 {
      let charset = Charset(name: "windows-\(number)", coding: .system("CP\(number)"))
      for label in ["windows-\(number)", "cp\(number)", "x-cp\(number)"] {
        aliases[label] = charset
      }
    }
    return aliases
  }()

  private static let builtIn: [(Charset, String)] = [
    (.utf8, "utf8 csutf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8 cp65001"),
    (.utf16, "utf16 csutf16 ucs-2 ucs2 iso-10646-ucs-2 csunicode unicode unicodefeff"),
    (.utf16BE, "utf16be csutf16be ucs-2be unicodebig"),
    (.utf16LE, "utf16le csutf16le ucs-2le unicodelittle unicodefffe"),
    (.utf32, "utf32 csutf32 ucs-4 ucs4 iso-10646-ucs-4 csucs4"),
    (.utf32BE, "utf32be csutf32be ucs-4be"),
    (.utf32LE, "utf32le csutf32le ucs-4le"),
    (
      .usASCII,
      "ascii us csascii ansi_x3.4-1968 ansi_x3.4-1986 iso-ir-6 iso_646.irv:1991 iso646-us cp367 ibm367"
    ),
    (
      .isoLatin1,
      "latin1 latin-1 l1 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 iso-ir-100 cp819 ibm819 csisolatin1"
    ),
    (.windows1252, "cp1252 x-cp1252 cswindows1252"),
  ]

  /// Charsets whose `iconv` name differs from their label, with the superset that is meant on the web.
  private static let system: [(Charset, String)] = [
    (
      Charset(name: "GBK", coding: .system("GBK")),
      "cp936 ms936 windows-936 csgbk x-gbk gb2312 csgb2312 gb_2312 gb_2312-80 chinese csiso58gb231280 euc-cn "
        + "iso-ir-58"
    ),
    (Charset(name: "GB18030", coding: .system("GB18030")), "csgb18030"),
    (Charset(name: "Big5", coding: .system("BIG5")), "big-5 csbig5 cn-big5 x-x-big5"),
    (
      Charset(name: "Shift_JIS", coding: .system("CP932")),
      "shift-jis shiftjis sjis x-sjis ms_kanji csshiftjis"
    ),
    (Charset(name: "windows-31J", coding: .system("CP932")), "cp932 ms932 cswindows31j"),
    (Charset(name: "EUC-JP", coding: .system("EUC-JP")), "eucjp x-euc-jp cseucpkdfmtjapanese"),
    (
      Charset(name: "EUC-KR", coding: .system("CP949")),
      "euckr cseuckr cp949 windows-949 ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 korean csksc56011987 "
        + "iso-ir-149"
    ),
    (Charset(name: "KOI8-R", coding: .system("KOI8-R")), "koi8 koi8r koi koi8_r cskoi8r"),
    (Charset(name: "KOI8-U", coding: .system("KOI8-U")), "koi8u koi8-ru cskoi8u"),
    (Charset(name: "ISO-8859-8-I", coding: .system("ISO-8859-8")), "csiso88598i logical"),
    (Charset(name: "windows-874", coding: .system("CP874")), "cp874 cswindows874 dos-874"),
    (Charset(name: "macintosh", coding: .system("MACINTOSH")), "mac x-mac-roman csmacintosh"),
  ]
}
