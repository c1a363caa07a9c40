public import StagecoachCore

/// A serializer that reads the body as text.
///
/// The charset is that of the request's ``RequestOptions/textCharset`` option, otherwise that of a byte order mark,
/// otherwise the declared one, otherwise UTF-8.
public struct TextResponseSerializer: ResponseSerializer {
  /// The accepted content: preferably text, but any.
  public var accepts: Acceptance
  /// Whether an ill-formed sequence is an error (strict) or becomes U+FFFD (lossy).
  public var mode: Charset.Mode

  /// Creates a serializer; strict by default.
  public init(
    accepting accepts: Acceptance = .text,
    mode: Charset.Mode = .strict
  ) {
    self.accepts = accepts
    self.mode = mode
  }

  /// Collects the body, up to the request's body limit, and decodes it.
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
        "the body is not valid text: \(error)",
        advice: "set options.textCharset, or read it with mode: .lossy",
        underlying: error
      )
      failure.bodyPrefix = bytes
      throw failure
    }
  }
}

extension RequestOptions {
  static let textCharset = RequestOption<Charset?>("textCharset", default: nil, distinguishes: false)

  /// The charset of the response text, whatever the response declares; `nil` to use the declared one.
  public var textCharset: Charset? {
    get { self[Self.textCharset] }
    set { self[Self.textCharset] = newValue }
  }
}

extension Acceptance {
  /// Preferably text, but any type.
  public static let text = Acceptance(mediaTypes: [.anyText, .any])
}

extension ResponseSerializer where Self == TextResponseSerializer {
  /// A serializer for the body as text.
  public static var text: TextResponseSerializer { TextResponseSerializer() }
}
