/// The elements of HTML that have rules of their own.
enum HTMLElements {
  /// The elements without content and end tag: those of HTML 13.1.2, and obsolete ones that parsers treat the same
  /// (HTML 13.3).
  static let void: Set<String> = [
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input", "keygen",
    "link", "meta", "param", "source", "track", "wbr",
  ]

  /// The elements whose text is written without escaping (HTML 13.3).
  static let raw: Set<String> = [
    "style", "script", "xmp", "iframe", "noembed", "noframes", "plaintext",
  ]
}
