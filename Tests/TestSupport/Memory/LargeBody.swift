package import StagecoachCore

extension Response.Body {
  /// A streamed body of 64 KiB in four chunks that belong to nobody else, so that it is missed where it is left.
  package static func large() -> Response.Body {
    Response.Body(source: ScriptedSource(chunks: largeChunks()), length: 64 << 10)
  }

  /// A body that never comes to its end, after its first chunk of 16 KiB.
  package static func endless() -> Response.Body {
    let (chunks, continuation) = AsyncStream.makeStream(of: Bytes.self)
    continuation.yield(largeChunks()[0])
    return Response.Body(chunks)
  }

  /// A body that fails in the middle.
  package static func cut() -> Response.Body {
    let failure = ExchangeError(.incompleteBody, "cut off")
    return Response.Body(
      source: ScriptedSource(largeChunks().prefix(2).map { .chunk($0) } + [.fail(failure)])
    )
  }

  private static func largeChunks() -> [Bytes] {
    (0..<4).map { Bytes([UInt8](repeating: UInt8($0), count: 16 << 10)) }
  }
}

extension Client {
  /// Sends a request and reads the response to its end.
  package func read(_ request: Request) async throws {
    let response = try await send(request)
    for try await _ in response.body {}
  }
}

/// Does something that is expected to fail.
package func failing(_ work: () async throws -> Void) async throws {
  struct Succeeded: Error {}
  do {
    try await work()
  } catch {
    return
  }
  throw Succeeded()
}

/// Starts something, and cancels it once a signal was given.
package func cancelling(
  _ work: @escaping @Sendable (_ started: Signal) async throws -> Void
) async throws {
  let started = Signal()
  let task = Task { try await work(started) }
  await started.wait()
  task.cancel()
  try await failing { try await task.value }
}

/// Waits, without a timer, until the task is cancelled.
package func hang() async throws {
  let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
  for await _ in stream {}
  continuation.finish()
  throw CancellationError()
}
