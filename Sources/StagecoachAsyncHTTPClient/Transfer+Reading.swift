#if AsyncHTTPClient
  import NIOCore
  import Stagecoach
  import Synchronization

  extension Transfer {
    func next() async throws -> Bytes? {
      if let ready = try take() { return ready.chunk }
      return try await withTaskCancellationHandler {
        try await withUnsafeThrowingContinuation { wait($0) }
      } onCancel: {
        fail(CancellationError())
      }
    }

    private struct Ready {
      let chunk: Bytes?
    }

    /// What the reader can have without waiting; nil if it must wait.
    private func take() throws -> Ready? {
      let (ready, room) = try state.withLock { state -> (Ready?, EventLoopPromise<Void>?) in
        try Self.take(&state)
      }
      room?.succeed()
      return ready
    }

    private static func take(_ state: inout State) throws -> (Ready?, EventLoopPromise<Void>?) {
      if let part = state.parts.popFirst() {
        guard state.parts.count < capacity / 2 else { return (Ready(chunk: part), nil) }
        defer { state.room = nil }
        return (Ready(chunk: part), state.room)
      }
      switch state.end {
      case nil: return (nil, nil)
      case .success: return (Ready(chunk: nil), nil)
      case .failure(let error): throw error
      }
    }

    private func wait(_ continuation: UnsafeContinuation<Bytes?, any Error>) {
      let result = Result { () throws -> (Ready?, EventLoopPromise<Void>?) in
        try state.withLock { state in
          let (ready, room) = try Self.take(&state)
          if ready == nil {
            state.reader = continuation
            // Under the lock, or a chunk that comes meanwhile would lift the limit before it is set.
            if let watch = state.watch { watchdog.move(watch, to: request.options.idleTimeout) }
          }
          return (ready, room)
        }
      }
      switch result {
      case .success((let ready?, let room)):
        room?.succeed()
        continuation.resume(returning: ready.chunk)
      case .success((nil, _)): break
      case .failure(let error):
        continuation.resume(throwing: error)
      }
    }
  }
#endif
