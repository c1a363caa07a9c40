/// Reads the body as text.
///
/// The charset is the one of the request's ``RequestOptions/textCharset`` option, else that of a byte order mark, else
/// the one Content-Type declares, else UTF-8.
public struct TextResponseSerializer: ResponseSerializer {
  /// What it can read: text most of all, but anything.
  public var accepts: Acceptance
  /// Whether an ill-formed sequence fails (strict) or becomes U+FFFD (lossy).
  public var mode: Charset.Mode

  /// A serializer; strict by default.
  public init(
    accepting accepts: Acceptance = .text,
    mode: Charset.Mode = .strict
  ) {
    self.accepts = accepts
    self.mode = mode
  }

  /// Collects the body within the request's body limit and decodes it.
  ///
  /// - Throws: ``ExchangeError`` of kind `serialization` that names the charset.
  public func serialize(_ response: Response) async throws -> String {
    let bytes = try await response.collectBody()
    do throws(CharsetError) {
      return try bytes.withUnsafeBytes { buffer throws(CharsetError) in
        try Charset.decodeText(
          buffer,
          contentType: response.mediaType,
          override: response.request?.options.textCharset,
          mode: mode
        ).text
      }
    } catch {
      var failure = ExchangeError(
        .serialization,
        "the body is not text: \(error)",
        advice: "set options.textCharset, or read it with mode: .lossy",
        underlying: error
      )
      failure.bodyPrefix = bytes
      throw failure
    }
  }
}

extension RequestOptions {
  static let textCharset = RequestOption<Charset?>("textCharset", default: nil)

  /// The charset to read text in, whatever the response declares; nil leaves it to the response.
  public var textCharset: Charset? {
    get { self[Self.textCharset] }
    set { self[Self.textCharset] = newValue }
  }
}

extension Acceptance {
  /// Text most of all, but anything.
  public static let text = Acceptance(mediaTypes: [.anyText, .any])
}

extension ResponseSerializer where Self == TextResponseSerializer {
  /// The body as text.
  public static var text: TextResponseSerializer { TextResponseSerializer() }
}
