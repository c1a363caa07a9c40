#if Tool
  import HTTPTypes
  import Stagecoach

  /// Requests that end at the intermediary whose turn Max-Forwards says it is (RFC 9110 7.6.2).
  enum FinalRecipient {
    private static let maxForwards = HTTPField.Name("Max-Forwards")!

    /// Answers a request that must not be passed on; `nil` if it may.
    static func answer(_ request: Request) -> Response? {
      guard count(of: request) == 0 else { return nil }
      guard request.method == .trace else { return Response(.ok, fields: [.contentLength: "0"]) }
      // Without secrets (RFC 9110 9.3.8).
      let head = Redaction.head(of: request)
      let lines =
        ["TRACE \(head.path ?? "/") HTTP/1.1", "Host: \(head.authority ?? "")"]
        + head.headerFields.map { "\($0.name.rawName): \($0.value)" }
      let text = lines.map { $0 + "\r\n" }.joined() + "\r\n"
      return Response(.ok, fields: [.contentType: "message/http"], body: .bytes(Bytes(text)))
    }

    static func countDown(_ request: inout Request) {
      guard let count = count(of: request), count > 0 else { return }
      request.fields[maxForwards] = "\(count - 1)"
    }

    /// The number of further recipients; `nil` if it does not matter for the method, or is none.
    private static func count(of request: Request) -> Int? {
      guard request.method == .options || request.method == .trace,
        let value = request.fields[maxForwards], value.utf8.allSatisfy({ 0x30...0x39 ~= $0 })
      else { return nil }
      return Int(value)
    }
  }
#endif
