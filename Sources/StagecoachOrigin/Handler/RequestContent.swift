#if Tool
  import HTTPTypes
  import StagecoachCore
  import Synchronization

  /// The content of a request between the connection that reads it and the closure that answers: one chunk at a time.
  final class RequestContent: BodySource {
    private struct State {
      var chunk: Bytes?
      var reader: CheckedContinuation<Bytes?, any Error>?
      var writer: CheckedContinuation<Void, Never>?
      var end: Result<HTTPFields?, any Error>?
      /// Nobody reads any more: what comes is dropped.
      var isDropped = false
      /// Called before the first chunk is read.
      var onRead: (@Sendable () -> Void)?
    }

    private let state: Mutex<State>

    /// - Parameter onRead: What is called once, before the first chunk is read.
    init(onRead: @escaping @Sendable () -> Void) {
      state = Mutex(State(onRead: onRead))
    }

    // MARK: The connection

    /// Hands a chunk over, and waits until it is taken.
    func write(_ chunk: Bytes) async {
      await withCheckedContinuation { continuation in
        let (reader, isTaken) = state.withLock { state -> (CheckedContinuation<Bytes?, any Error>?, Bool) in
          if state.isDropped { return (nil, true) }
          if let reader = state.reader {
            state.reader = nil
            return (reader, true)
          }
          (state.chunk, state.writer) = (chunk, continuation)
          return (nil, false)
        }
        reader?.resume(returning: chunk)
        if isTaken { continuation.resume() }
      }
    }

    /// Whether the content ended without being whole.
    var hasFailed: Bool {
      state.withLock { state in
        if case .failure? = state.end { true } else { false }
      }
    }

    /// The answer to content that cannot be used; `nil` unless ``refuse(_:)`` was called.
    var refusal: Refusal? {
      state.withLock { state in
        guard case .failure(let error)? = state.end else { return nil }
        return (error as? ExchangeError)?.underlying as? Refusal
      }
    }

    /// Ends the content, whose reader throws: it cannot be used.
    func refuse(_ refusal: Refusal) {
      end(.failure(ExchangeError(.requestBody, refusal.reason, underlying: refusal)))
    }

    func end(_ result: Result<HTTPFields?, any Error>) {
      let reader = state.withLock { state in
        state.end = state.end ?? result
        defer { state.reader = nil }
        return state.reader
      }
      reader?.resume(with: result.map { _ in nil })
    }

    // MARK: The reader

    func next() async throws -> Bytes? {
      let onRead = state.withLock { state in
        defer { state.onRead = nil }
        return state.onRead
      }
      onRead?()
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          let (taken, writer) = state.withLock {
            state -> (Result<Bytes?, any Error>?, CheckedContinuation<Void, Never>?) in
            if state.isDropped { return (.failure(CancellationError()), nil) }
            if let chunk = state.chunk {
              defer { (state.chunk, state.writer) = (nil, nil) }
              return (.success(chunk), state.writer)
            }
            if let end = state.end { return (end.map { _ in nil }, nil) }
            state.reader = continuation
            return (nil, nil)
          }
          writer?.resume()
          if let taken { continuation.resume(with: taken) }
        }
      } onCancel: {
        cancel()
      }
    }

    var trailers: HTTPFields? {
      state.withLock { state in
        guard case .success(let trailers)? = state.end else { return nil }
        return trailers
      }
    }

    func cancel() {
      let (reader, writer) = state.withLock { state in
        state.isDropped = true
        defer { (state.reader, state.writer, state.chunk) = (nil, nil, nil) }
        return (state.reader, state.writer)
      }
      reader?.resume(throwing: CancellationError())
      writer?.resume()
    }
  }
#endif
