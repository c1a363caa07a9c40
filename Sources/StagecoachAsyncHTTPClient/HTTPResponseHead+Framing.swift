#if AsyncHTTPClient
  import NIOHTTP1
  import StagecoachCore

  extension HTTPResponseHead {
    /// An error if the end of the content is ambiguous (RFC 9112 6), which the engine's parser does not check. It
    /// accepts lengths that overflow, decodes chunks once if chunked is declared twice, and delivers content with other
    /// transfer codings as if it were decoded.
    var framingError: ExchangeError? {
      var length: Int64?
      for (name, value) in headers where name.utf8.count == 14 && name.lowercased() == "content-length" {
        // Number parsing in Swift accepts more than digits.
        let digits = value.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard digits, let number = Int64(value), length == nil || length == number else {
          return ExchangeError(.protocolViolation, "malformed Content-Length: \(value)")
        }
        length = number
      }
      let codings = headers[canonicalForm: "Transfer-Encoding"].map { $0.lowercased() }
      guard !codings.isEmpty else { return nil }
      let text = codings.joined(separator: ", ")
      guard version.major > 1 || version.minor > 0 else {
        return ExchangeError(
          .protocolViolation,
          "AsyncHTTPClient cannot read an HTTP/1.0 response with Transfer-Encoding: \(text) (RFC 9112 6.1)"
        )
      }
      guard codings.allSatisfy({ $0 == "chunked" || $0 == "identity" }) else {
        return ExchangeError(
          .unsupported,
          "unsupported Transfer-Encoding: \(text), which is unknown here"
        )
      }
      guard codings.count == 1 else {
        return ExchangeError(.protocolViolation, "unsupported Transfer-Encoding: \(text)")
      }
      return nil
    }
  }
#endif
