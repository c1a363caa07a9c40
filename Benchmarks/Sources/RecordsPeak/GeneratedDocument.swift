import GeneratedRows
import Stagecoach
import Synchronization

/// A document that is made while it is read.
final class GeneratedDocument: BodySource {
  private let size: Int
  private let state = Mutex((written: 0, rows: 0, isDone: false))

  init(size: Int) { self.size = size }

  func next() async throws -> Bytes? {
    state.withLock { state in
      guard !state.isDone else { return nil }
      var text = state.rows == 0 ? "<rows>" : ""
      while text.utf8.count < 64 * 1024, state.written + text.utf8.count < size {
        text += GeneratedRows.xml(state.rows)
        state.rows += 1
      }
      state.written += text.utf8.count
      if state.written >= size {
        text += "</rows>"
        state.isDone = true
      }
      return Bytes(text)
    }
  }

  func cancel() { state.withLock { $0.isDone = true } }
}
