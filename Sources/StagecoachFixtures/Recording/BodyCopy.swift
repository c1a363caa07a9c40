import HTTPTypes
import StagecoachCore
import Synchronization

/// A copy of a body that passes: its bytes up to a limit, and when its chunks came.
final class BodyCopy: Sendable {
  struct Contents {
    var bytes: [UInt8] = []
    var count = 0
    var chunks: [Scenario.Body.Chunk] = []
    var trailers: HTTPFields?
    var last: ContinuousClock.Instant
  }

  private let limit: Int
  private let clock: any TimeSource
  private let state: Mutex<Contents>

  init(limit: Int, clock: any TimeSource) {
    self.limit = limit
    self.clock = clock
    state = Mutex(Contents(last: clock.now))
  }

  var contents: Contents { state.withLock { $0 } }

  func restart() {
    let now = clock.now
    state.withLock { $0 = Contents(last: now) }
  }

  func append(_ chunk: Bytes) {
    let now = clock.now
    state.withLock { state in
      state.count += chunk.count
      state.chunks.append(Scenario.Body.Chunk(bytes: chunk.count, delay: max(now - state.last, .zero)))
      state.last = now
      if state.count <= limit {
        chunk.withUnsafeBytes { state.bytes += $0 }
      } else {
        state.bytes = []
      }
    }
  }

  func set(_ trailers: HTTPFields?) { state.withLock { $0.trailers = trailers } }

  /// The body for a scenario; `nil` if no chunk came.
  func body(type: String?, framing: Scenario.Body.Framing?) -> Scenario.Body? {
    let contents = contents
    guard contents.count > 0 else { return nil }
    var body = Scenario.Body(Bytes(contents.bytes), type: type)
    body.framing = framing
    if contents.count > limit {
      body.omission = Scenario.Body.Omission(bytes: contents.count, reason: "longer than \(limit) bytes")
    } else if contents.chunks.count > 1 {
      body.chunks = contents.chunks
    }
    return body
  }
}

/// Passes a body on and keeps a copy; tells once how it ended.
final class CopyingSource: BodySource {
  private let source: any BodySource
  private let copy: BodyCopy
  private let report: Mutex<(@Sendable ((any Error)?) -> Void)?>

  /// - Parameter report: Is told of the end once: `nil` if the body is complete.
  init(_ source: any BodySource, to copy: BodyCopy, report: @escaping @Sendable ((any Error)?) -> Void) {
    self.source = source
    self.copy = copy
    self.report = Mutex(report)
  }

  func next() async throws -> Bytes? {
    do {
      let chunk = try await source.next()
      if let chunk {
        copy.append(chunk)
      } else {
        copy.set(source.trailers)
        end(nil)
      }
      return chunk
    } catch {
      end(error)
      throw error
    }
  }

  var trailers: HTTPFields? { source.trailers }

  func cancel() {
    source.cancel()
    end(CancellationError())
  }

  private func end(_ error: (any Error)?) {
    report.withLock { report in
      defer { report = nil }
      return report
    }?(error)
  }
}
