import StagecoachCore

/// Reads the transfer codings of a response, for engines that decode `chunked` alone.
public enum TransferCodings {
  /// Returns whether content is chunked; `identity` says nothing (RFC 9112 7).
  ///
  /// - Parameters:
  ///   - values: The values of the Transfer-Encoding fields.
  ///   - engine: The name of the transport, for the error.
  /// - Throws: `ExchangeError` of kind `unsupported` for other codings.
  public static func isChunked(_ values: [String], engine: String) throws -> Bool {
    let codings = values.flatMap { $0.split(separator: ",") }
      .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
      .filter { $0 != "identity" }
    guard !codings.isEmpty else { return false }
    guard codings == ["chunked"] else {
      var error = ExchangeError(
        .unsupported,
        "\(engine) cannot decode Transfer-Encoding: \(codings.joined(separator: ", ")), but only chunked",
        advice: "ask the server's operator for chunked only, or use another transport"
      )
      error.requestMayHaveBeenSent = true
      throw error
    }
    return true
  }
}
