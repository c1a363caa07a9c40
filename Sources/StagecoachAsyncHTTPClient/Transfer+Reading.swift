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

    /// What the reader can have without waiting; nil if it must wait.
    private func take() throws -> BodyInbox.Taken? {
      let (taken, room) = try state.withLock { try Self.take(&$0, orKeep: nil) }
      room?.succeed()
      return taken
    }

    private static func take(
      _ state: inout State,
      orKeep reader: BodyInbox.Reader?
    ) throws -> (BodyInbox.Taken?, room: EventLoopPromise<Void>?) {
      let taken = try state.inbox.take(orKeep: reader)
      guard taken?.resumesEngine == true else { return (taken, nil) }
      defer { state.room = nil }
      return (taken, state.room)
    }

    private func wait(_ reader: BodyInbox.Reader) {
      let result = Result {
        try state.withLock { state in
          let (taken, room) = try Self.take(&state, orKeep: reader)
          // Under the lock, or a chunk that comes meanwhile would lift the limit before it is set.
          if taken == nil, let watch = state.watch {
            watchdog.move(watch, to: request.options.idleTimeout)
          }
          return (taken, room)
        }
      }
      switch result {
      case .success((let taken, let room)):
        room?.succeed()
        if let taken { reader.resume(returning: taken.chunk) }
      case .failure(let error): reader.resume(throwing: error)
      }
    }
  }
#endif
