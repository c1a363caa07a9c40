import StagecoachCore

/// The failures that tools write beside HAR: the format itself has none.
enum HARFailure {
  /// The text of an entry; `nil` if it has none. Chrome writes a member of the response, Playwright another one.
  ///
  /// - Parameter afterHead: Whether there is a response. Chrome calls one with a status of an error and no content a
  ///   failure too, although it is complete.
  static func text(in entry: ManifestNode, afterHead: Bool = false) -> String? {
    let response = entry.value["response"]
    let places = [response?["_error"], response?["_failureText"], entry.value["_error"]]
    let text = places.lazy.compactMap { $0?.stringValue }.first { !$0.isEmpty }
    return afterHead && text?.hasSuffix("ERR_HTTP_RESPONSE_CODE_FAILURE") == true ? nil : text
  }

  /// The words of an error of Chrome (`net::ERR_...`), Firefox (`NS_ERROR_...`) or Safari, in the order in which they
  /// decide: `CONNECTION_TIMED_OUT` is a timeout.
  private static let kinds: [(words: [String], kind: Scenario.Outcome.Kind)] = [
    (["TIMED_OUT", "TIMEOUT", "TIMED OUT"], .timeout),
    (["NAME_NOT_RESOLVED", "NAME_RESOLUTION", "UNKNOWN_HOST", "ERR_DNS", "CANNOT FIND HOST"], .dns),
    (["CERT", "SSL", "TLS", "SEC_ERROR"], .tls),
    (["REFUSED"], .refused),
    (
      ["INCOMPLETE_CHUNKED", "CONTENT_LENGTH_MISMATCH", "PARTIAL_TRANSFER", "NET_PARTIAL", "TRUNCATED"],
      .truncated
    ),
    (
      [
        "CONNECTION_RESET", "NET_RESET", "CONNECTION_CLOSED", "CONNECTION_ABORTED", "EMPTY_RESPONSE", "RESET",
      ], .reset
    ),
    (["BLOCKED", "ERR_ABORTED", "BINDING_ABORTED", "CANCEL"], .cancelled),
    (
      ["PROTOCOL", "INVALID_RESPONSE", "INVALID_HTTP", "INVALID_CHUNKED", "HEADERS", "QUIC", "HTTP2"],
      .protocol
    ),
  ]

  static func outcome(of text: String?) -> Scenario.Outcome {
    guard let text else {
      return Scenario.Outcome(.unreachable, detail: "the HAR file has no response and names no reason")
    }
    // Our own files name the kind itself.
    if let kind = Scenario.Outcome.Kind(rawValue: text), kind != .complete { return Scenario.Outcome(kind) }
    let name = text.uppercased()
    let kind = kinds.first { $0.words.contains { name.contains($0) } }?.kind ?? .unreachable
    return Scenario.Outcome(kind, detail: Format.oneLine(String(text.prefix(200))))
  }
}
