internal import StagecoachCore

extension Response {
  /// Hands the body to a parser, chunk by chunk as it arrives, within the request's body limit.
  ///
  /// - Parameter language: What the body should be, for errors.
  /// - Throws: What the parser throws as an `ExchangeError` with the start of the body, of kind `limit` or
  ///   `serialization`; the transfer is then cancelled.
  func parseBody<Output>(
    as language: String = "XML",
    append: (UnsafeRawBufferPointer) throws(XML.ParseError) -> Void,
    finish: () throws(XML.ParseError) -> Output
  ) async throws -> Output {
    let limit = request?.options.bodyLimit ?? RequestOptions.bodyLimit.defaultValue
    var prefix: [UInt8] = []
    var count = 0
    do {
      for try await chunk in body {
        count += chunk.count
        guard count <= limit else { throw ExchangeError.documentTooLarge(limit) }
        chunk.prefix(max(0, 4096 - prefix.count)).withUnsafeBytes { prefix.append(contentsOf: $0) }
        try chunk.withUnsafeBytes { bytes throws(XML.ParseError) in try append(bytes) }
      }
      return try finish()
    } catch var error as ExchangeError {
      body.cancel()
      if error.bodyPrefix.isEmpty { error.bodyPrefix = Bytes(prefix) }
      throw error
    } catch let error as XML.ParseError {
      body.cancel()
      throw ExchangeError(error, language: language, prefix: Bytes(prefix))
    }
  }
}

extension ExchangeError {
  fileprivate static func documentTooLarge(_ limit: Int) -> ExchangeError {
    ExchangeError.limit(
      .body,
      "the document is larger than \(limit) bytes",
      advice: "raise options.bodyLimit",
      limit: (RequestOptions.bodyLimit.name, "\(limit) bytes")
    )
  }

  /// Creates the error for a body that could not be parsed.
  init(_ error: XML.ParseError, language: String = "XML", prefix: Bytes = Bytes()) {
    if case .limit(let name, let value) = error.reason {
      self = .limit(
        .structure,
        "\(error)",
        limit: ("XML.Limits.\(name)", "\(value)"),
        underlying: error
      )
    } else {
      self.init(.serialization, "the body is not valid \(language): \(error)", underlying: error)
    }
    bodyPrefix = prefix
  }
}
