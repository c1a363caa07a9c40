import HTTPTypes
import StagecoachCore

/// The reply of a provider, collected, with the times of its parts since the request was sent.
struct LiveReply: Sendable {
  var head: HTTPResponse
  /// The content without codings.
  var body = Bytes()
  var timing: VerificationReport.Timing
  /// Why the content is not complete.
  var failure: String?

  /// The most pieces of content whose time is kept.
  private static let maxChunks = 1000
  static let bodyLimit = 64 << 20

  /// Sends a request and collects its reply. Redirects are not followed.
  ///
  /// - Throws: What the transport throws, and `ExchangeError` of kind `timeout` if no complete reply came in time.
  init(to request: Request, over transport: any Transport, within timeout: Duration) async throws {
    let clock = SystemTime()
    let start = clock.now
    self = try await withDeadline(start + timeout, on: clock) {
      try await Self.collect(request, Pipeline(over: transport) {}, start)
    } orThrow: {
      ExchangeError(.timeout(.total), "no complete reply came within \(Format.duration(timeout))")
    }
  }

  private init(_ response: Response, at time: Duration) {
    head = response.head
    timing = VerificationReport.Timing(head: time, end: time)
  }

  private static func collect(
    _ request: Request,
    _ pipeline: Pipeline,
    _ start: ContinuousClock.Instant
  ) async throws -> LiveReply {
    let response = try await pipeline.send(request)
    var reply = LiveReply(response, at: ContinuousClock.now - start)
    var collected: [UInt8] = []
    do {
      for try await chunk in response.body {
        if reply.timing.chunks.count < maxChunks {
          reply.timing.chunks.append(.init(time: ContinuousClock.now - start, bytes: chunk.count))
        }
        guard collected.count + chunk.count <= bodyLimit else {
          reply.failure = "the content is larger than \(bodyLimit >> 20) MiB"
          response.body.cancel()
          break
        }
        chunk.withUnsafeBytes { collected += $0 }
      }
    } catch {
      if error is CancellationError, Task.isCancelled { throw error }
      let text = (error as? ExchangeError)?.message ?? Format.describe(error)
      reply.failure = "the content is not complete: \(text)"
    }
    reply.timing.end = ContinuousClock.now - start
    // A reply to HEAD names a coding that it does not have.
    guard !collected.isEmpty else { return reply }
    let decoded = await CodedBody.decoded(
      Scenario.Body(Bytes(collected)),
      response.fields,
      isComplete: reply.failure == nil
    )
    reply.body = decoded.bytes
    if let omission = decoded.omission {
      reply.failure = reply.failure ?? "the content is \(omission.reason)"
    }
    return reply
  }
}
