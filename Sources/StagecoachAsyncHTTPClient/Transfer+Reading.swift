#if AsyncHTTPClient
  import NIOCore
  import StagecoachCore
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

    /// Wakes the reader, if there is something for it.
    func serve() {
      let (served, watch, room) = state.withLock {
        state -> (BodyInbox.Served?, Watchdog.Watch?, EventLoopPromise<Void>?) in
        state.isServing = false
        guard let served = state.inbox.serve() else { return (nil, nil, nil) }
        guard served.resumesEngine else { return (served, state.watch, nil) }
        defer { state.room = nil }
        return (served, state.watch, state.room)
      }
      if let watch { watchdog.move(watch, to: nil) }
      room?.succeed()
      served?.resume()
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
