#if Tool
  import Stagecoach
  import StagecoachXML

  /// Reads a body as text, even if it is not text in its charset, and says so on standard error.
  struct FetchTextSerializer: ResponseSerializer {
    var accepts = Acceptance.text

    var name: String { TextResponseSerializer().name }

    func serialize(_ response: Response) async throws -> String {
      let bytes = try await response.collectBody()
      let (text, remark) = try bytes.withUnsafeBytes { try Self.read($0, of: response.mediaType) }
      if let remark { StandardError.write("stagecoach: \(remark)\n") }
      return text
    }

    private static func read(_ bytes: UnsafeRawBufferPointer, of type: MediaType?) throws -> (
      text: String, remark: String?
    ) {
      if let text = try? Charset.decodeText(bytes, contentType: type).text { return (text, nil) }
      let declared = Charset.detectBOM(bytes)?.charset ?? type?.charset.flatMap { $0.isSupported ? $0 : nil }
      let charset = declared ?? Self.charset(in: bytes, of: type) ?? .windows1252
      let text = try Charset.decodeText(bytes, contentType: type, override: charset, mode: .lossy).text
      return (
        text,
        declared == nil
          ? "the text is not UTF-8 and its charset is not declared in the response: read as \(charset.name)"
          : "the text is not valid \(charset.name): malformed sequences are shown as U+FFFD"
      )
    }

    /// The charset that HTML or XML declares in its first bytes.
    private static func charset(in bytes: UnsafeRawBufferPointer, of type: MediaType?) -> Charset? {
      guard let type else { return nil }
      if type.essence == .html { return .declared(inHTML: bytes) }
      return type.subtype == "xml" || type.subtype.hasSuffix("+xml") ? .declared(inXML: bytes) : nil
    }
  }
#endif
