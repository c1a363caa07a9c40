#if AsyncHTTPClient
  import NIOHTTP1
  import StagecoachCore

  extension HTTPResponseHead {
    /// Why it is not certain where the content ends (RFC 9112 6), which the engine's parser does not ask: it lets
    /// lengths pass that no number here holds, undoes chunks once where they are declared twice, and hands over what
    /// other codings made of the content as if it were the content.
    var framingError: ExchangeError? {
      var length: Int64?
      for (name, value) in headers where name.utf8.count == 14 && name.lowercased() == "content-length" {
        // Not all that makes a number here is one there.
        let digits = value.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard digits, let number = Int64(value), length == nil || length == number else {
          return ExchangeError(.protocolViolation, "the response has the length \(value), which is none")
        }
        length = number
      }
      let codings = headers[canonicalForm: "Transfer-Encoding"].map { $0.lowercased() }
      guard !codings.isEmpty else { return nil }
      let text = codings.joined(separator: ", ")
      guard version.major > 1 || version.minor > 0 else {
        return ExchangeError(
          .protocolViolation,
          "the response has the transfer coding \(text), and HTTP/1.0 knows none"
        )
      }
      guard codings.allSatisfy({ $0 == "chunked" || $0 == "identity" }) else {
        return ExchangeError(
          .unsupported,
          "the response has the transfer coding \(text), which is unknown here"
        )
      }
      guard codings.count == 1 else {
        return ExchangeError(.protocolViolation, "the response has the transfer coding \(text)")
      }
      return nil
    }
  }
#endif
