/// Reads the body as lines of text, as they arrive.
///
/// The charset is the one of the request's ``RequestOptions/textCharset`` option, else UTF-8 if the body begins with
/// its byte order mark, else the one that Content-Type declares, else UTF-8. Charsets whose octets below 0x80 are not
/// always ASCII, such as UTF-16 and ISO-2022-JP, cannot be split before they are decoded and are refused;
/// ``TextResponseSerializer`` reads those.
public struct LinesResponseSerializer: ResponseSerializer {
  /// What it can read: text most of all, but anything.
  public var accepts: Acceptance
  /// Whether an ill-formed sequence fails (strict) or becomes U+FFFD (lossy).
  public var mode: Charset.Mode

  /// A serializer; strict by default.
  public init(accepting accepts: Acceptance = .text, mode: Charset.Mode = .strict) {
    self.accepts = accepts
    self.mode = mode
  }

  /// Returns at once; the sequence reads the body.
  ///
  /// - Throws: ``ExchangeError`` of kind `serialization` if the charset cannot be split into lines.
  public func serialize(_ response: Response) async throws -> TextLines {
    let override = response.request?.options.textCharset
    let charset = try splittable(override, declared: response.mediaType?.charset)
    return TextLines(
      source: ElementSource(response, stage: name),
      text: LineText(charset: charset, mode: mode, heedsMark: override == nil || charset == .utf8),
      limit: response.elementLimit
    )
  }

  private func splittable(_ override: Charset?, declared: Charset?) throws -> Charset {
    var charset = override ?? declared ?? .utf8
    if override == nil, !charset.isSupported { charset = .utf8 }
    guard charset.keepsASCII else {
      throw ExchangeError(
        .serialization,
        "text in \(charset.name) cannot be split into lines as it arrives",
        advice: "read it with .text, or set options.textCharset if the server mislabels it",
        underlying: charset.isSupported ? nil : CharsetError.unknown(charset.name)
      )
    }
    return charset
  }
}

extension ResponseSerializer where Self == LinesResponseSerializer {
  /// The lines of the body, as they arrive.
  public static var lines: LinesResponseSerializer { LinesResponseSerializer() }
}

extension Charset {
  /// Whether every octet below 0x80, wherever it stands, is what it is in ASCII as far as line ends and shift
  /// sequences go: then a body may be split at line ends before it is decoded.
  ///
  /// No charset in use has a trailing octet below 0x20, so it is enough to look for other code pages and
  /// for what shifts: `+` of UTF-7, `~` of HZ, ESC, SO and SI of ISO 2022.
  var keepsASCII: Bool {
    switch coding {
    case .utf8, .ascii, .latin1, .windows1252: return true
    case .utf16, .utf32: return false
    case .system:
      return ["\r\n\taz AZ 09", "+AGE-", "~{VPND~}", "\u{1B}$B$\"", "\u{0E}!!\u{0F}"].allSatisfy { probe in
        // Two octets of ISO 646 vary by country (Shift_JIS has a yen sign and an overline), neither of them here
        // but the tilde.
        let text = try? decode(Array(probe.utf8))
        return text == probe || text == probe.replacingTildes
      }
    }
  }
}

extension String {
  fileprivate var replacingTildes: String { String(map { $0 == "~" ? "\u{203E}" : $0 }) }
}
