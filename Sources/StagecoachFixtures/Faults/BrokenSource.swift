import HTTPTypes
import StagecoachCore
import Synchronization

/// A body that breaks off, or goes on no more, after some bytes.
final class BrokenSource: BodySource {
  private let source: BodyReader
  private let fault: Fault
  private let pause: Duration?
  private let time: any TimeSource
  private let left: Mutex<Int>
  private let wait = Pause()

  init(_ body: Response.Body, _ fault: Fault, after count: Int, _ pause: Duration?, _ time: any TimeSource) {
    source = BodyReader(body)
    self.fault = fault
    self.pause = pause
    self.time = time
    left = Mutex(max(0, count))
  }

  func next() async throws -> Bytes? {
    guard left.withLock({ $0 }) > 0 else { throw try await failure() }
    guard let chunk = try await source.next() else {
      // The body is shorter: the fault comes before its end.
      throw try await failure()
    }
    return left.withLock { left in
      let passed = chunk.prefix(left)
      left -= passed.count
      return passed
    }
  }

  private func failure() async throws -> ExchangeError {
    source.cancel()
    switch fault {
    case .stall:
      try await wait.sleep(until: time.now + (pause ?? .seconds(1 << 40)), on: time)
      return .timeout(.idle, after: pause ?? .zero)
    case .truncate:
      return ExchangeError(
        .incompleteBody,
        "the connection was closed before the body was complete (injected fault)"
      )
    default:
      return ExchangeError(
        .connectionReset,
        "the peer reset the connection before the body was complete (injected fault)"
      )
    }
  }

  func cancel() {
    wait.end()
    source.cancel()
  }
}

/// A body whose end comes late.
final class LateEndSource: BodySource {
  private let source: BodyReader
  private let delay: Duration
  private let time: any TimeSource
  private let wait = Pause()

  init(_ body: Response.Body, _ delay: Duration, _ time: any TimeSource) {
    source = BodyReader(body)
    self.delay = delay
    self.time = time
  }

  func next() async throws -> Bytes? {
    if let chunk = try await source.next() { return chunk }
    try await wait.sleep(until: time.now + delay, on: time)
    return nil
  }

  var trailers: HTTPFields? { source.trailers }

  func cancel() {
    wait.end()
    source.cancel()
  }
}
