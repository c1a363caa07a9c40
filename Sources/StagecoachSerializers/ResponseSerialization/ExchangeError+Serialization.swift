import HTTPTypes
import StagecoachCore

extension Response {
  /// Returns the value for an empty body: `nil`, if the type is optional.
  ///
  /// - Parameters:
  ///   - type: The requested type.
  ///   - format: The expected format, for the error.
  /// - Throws: ``ExchangeError`` of kind `serialization` if the type is not optional.
  func nothing<Value>(as type: Value.Type, insteadOf format: String) throws -> Value {
    if let optional = type as? any ExpressibleByNilLiteral.Type,
      let none = optional.init(nilLiteral: ()) as? Value
    {
      return none
    }
    throw ExchangeError.emptyBody(of: self, wanted: format)
  }
}

extension ExchangeError {
  static func emptyBody(of response: Response, wanted: String) -> ExchangeError {
    ExchangeError(
      .serialization,
      "the body is empty (expected \(wanted))",
      advice: response.hasNoContent
        ? "a \(response.status.code) or an answer to HEAD has no content: decode an optional type"
        : "decode an optional type if an empty response is allowed"
    )
  }

  static func decoding(_ error: DecodingError, as type: Any.Type, body: Bytes) -> ExchangeError {
    var failure = ExchangeError(.serialization, "the body \(error.refusal(of: "\(type)"))", underlying: error)
    failure.bodyPrefix = body
    return failure
  }
}
