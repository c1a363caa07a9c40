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
    try state.withLock { try take(&$0, orKeep: nil) }
  }

  private func take(_ state: inout State, orKeep reader: BodyInbox.Reader?) throws -> BodyInbox.Taken? {
    let taken = try state.inbox.take(orKeep: reader)
    if taken?.resumesEngine == true, let task = state.task { flow.goOn(task) }
    return taken
  }

  private func wait(_ reader: BodyInbox.Reader) {
    let result = Result {
      try state.withLock { state in
        let taken = try take(&state, orKeep: reader)
        if taken == nil, let watch = state.watch {
          watchdog.move(watch, to: request.options.idleTimeout)
        }
        return taken
      }
    }
    switch result {
    case .success(let taken?): reader.resume(returning: taken.chunk)
    case .success(nil): break
    case .failure(let error): reader.resume(throwing: error)
    }
  }
}
