public import StagecoachCore

/// A serializer that reads the body as lines of text, as they arrive.
///
/// The charset is that of the request's ``RequestOptions/textCharset`` option, otherwise UTF-8 if the body starts with
/// its byte order mark, otherwise the declared one, otherwise UTF-8. Charsets whose octets below 0x80 are not always
/// ASCII, such as UTF-16 and ISO-2022-JP, cannot be split before decoding and are refused; use
/// ``TextResponseSerializer`` for them.
public struct LinesResponseSerializer: ResponseSerializer {
  /// The accepted content: preferably text, but any.
  public var accepts: Acceptance
  /// Whether an ill-formed sequence is an error (strict) or becomes U+FFFD (lossy).
  public var mode: Charset.Mode

  /// Creates a serializer; strict by default.
  public init(accepting accepts: Acceptance = .text, mode: Charset.Mode = .strict) {
    self.accepts = accepts
    self.mode = mode
  }

  /// Returns immediately; the sequence reads the body.
  ///
  /// - Throws: ``ExchangeError`` of kind `serialization` if the charset cannot be split into lines.
  public func serialize(_ response: Response) async throws -> BodyElements<String> {
    let override = response.request?.options.textCharset
    let charset = try splittable(override, declared: response.mediaType?.charset)
    let text = LineText(charset: charset, mode: mode, heedsMark: override == nil || charset == .utf8)
    let limit = response.elementLimit
    return BodyElements(ElementSource(response, stage: name)) { PieceDecoder(.lineEnd, limit: limit, text) }
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
  /// A serializer for the lines of the body, as they arrive.
  public static var lines: LinesResponseSerializer { LinesResponseSerializer() }
}

extension Charset {
  /// Whether every octet below 0x80 has its ASCII meaning, as far as line ends and shift sequences are concerned, so
  /// that a body can be split at line ends before decoding.
  ///
  /// No charset in use has a trailing octet below 0x20, so it is sufficient to check for other code pages and shift
  /// sequences: `+` of UTF-7, `~` of HZ, ESC, SO and SI of ISO 2022.
  var keepsASCII: Bool {
    switch coding {
    case .utf8, .latin1, .windows1252: return true
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
