import HTTPTypes
import StagecoachCore

/// The result of an exchange for a client.
struct Observation: Sendable {
  /// The response; nil if sending failed.
  private(set) var response: Response?
  /// The body, as far as it was read.
  private(set) var body: [UInt8] = []
  /// The trailer fields.
  private(set) var trailers: HTTPFields?
  /// The error of sending or reading.
  private(set) var error: (any Error)?

  /// Sends a request and reads all of the body.
  init(of request: @autoclosure () throws -> Request, over transport: any Transport, _ trial: Trial)
    async throws
  {
    do {
      let response = try await trial.send(try request(), over: transport)
      self.response = response
      try require(response.source == .network, "the response is said to come from \(response.source)")
      for try await chunk in response.body {
        // A reader of chunks takes an empty one for nothing, or for the end.
        try require(!chunk.isEmpty, "a chunk of the body is empty")
        body += chunk.array
      }
      trailers = response.body.trailers
      if let length = response.body.length, length != body.count {
        throw CheckFailure("a body of \(body.count) bytes has the length \(length)")
      }
    } catch let failure as CheckFailure {
      throw failure
    } catch is CancellationError {
      throw CheckFailure("the call was cancelled unexpectedly")
    } catch {
      self.error = error
    }
  }
}

extension Observation: CustomStringConvertible {
  /// The status, the size of the body and the error.
  var description: String {
    var text = response.map { "\($0.status.code), \(body.count) bytes" } ?? "no response"
    if let error = error as? ExchangeError {
      text += ", \(error.kind): \(error.message)"
    } else if let error {
      text += ", \(error)"
    }
    return text
  }
}
