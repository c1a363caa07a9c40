#if AsyncHTTPClient
  import NIOCore
  import StagecoachCore
  import StagecoachTransportKit
  import Synchronization

  extension Transfer {
    func resumeReceiving() {
      let room = state.withLock { state in
        defer { state.room = nil }
        return state.room
      }
      room?.succeed()
    }

    /// Resumes the reader, if data is available.
    func serve() {
      let served = state.withLock { state in
        state.isServing = false
        return state.transfer.serve()
      }
      if served?.resumesEngine == true { resumeReceiving() }
      served?.resume()
    }
  }
#endif
