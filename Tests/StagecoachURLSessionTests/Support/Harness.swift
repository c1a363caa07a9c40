import HTTPTypes
import Stagecoach
import StagecoachConformance
import StagecoachURLSession
import Testing

extension WireServer {
  /// A server that answers every request with the same bytes.
  convenience init(answering answer: String, closes: Bool = false) throws {
    try self.init { wire in
      repeat {
        _ = try wire.readRequest()
        try wire.send(answer)
      } while !closes
    }
  }

  /// A request to it whose head is complete, as a transport needs it.
  func request(
    _ path: String = "/",
    _ method: HTTPRequest.Method = .get,
    fields: HTTPFields = [:],
    body: Request.Body = .empty
  ) -> Request {
    let head = HTTPRequest(
      method: method,
      scheme: "http",
      authority: authority,
      path: path,
      headerFields: fields
    )
    return Request(head: head, body: body)
  }

  static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
}

extension Transport {
  /// Sends a request, and returns the response with all its body as text.
  func answer(_ request: Request) async throws -> (head: HTTPResponse, text: String) {
    let response = try await send(request)
    return (response.head, String(decoding: try await response.body.collect(upTo: 16 << 20)))
  }
}

/// The error of ours that an operation throws.
func failure(
  sourceLocation: SourceLocation = #_sourceLocation,
  of operation: () async throws -> Void
) async -> ExchangeError? {
  let error = await #expect(throws: ExchangeError.self, sourceLocation: sourceLocation) {
    try await operation()
  }
  return error
}

/// Runs an operation that must not take longer than a minute, whatever the engine does.
func withinAMinute<Value: Sendable>(_ operation: @escaping @Sendable () async throws -> Value) async throws
  -> Value
{
  try await withThrowingTaskGroup(of: Value?.self) { group in
    group.addTask { try await operation() }
    group.addTask {
      try await Task.sleep(for: .seconds(60))
      return nil
    }
    defer { group.cancelAll() }
    return try #require(try await group.next() ?? nil)
  }
}
