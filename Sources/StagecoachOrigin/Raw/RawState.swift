#if Tool
  import NIOCore
  import Synchronization

  /// What the connections of one raw origin share.
  final class RawState: Sendable {
    private struct State {
      var connections: [RawConnection] = []
      var channels: [Int: any Channel] = [:]
      var isStopped = false
    }

    private let scripts: [RawScript]
    private let repeats: Bool
    private let state = Mutex(State())
    let ended = Mailbox<RawConnection>(limit: 1000)
    /// The connections that stand at a command step.
    let waiting = Mailbox<Command>(limit: 1000)

    /// What lets a connection go on.
    struct Command: Sendable {
      let index: Int
      let proceed: @Sendable () -> Void
    }

    static let recordLimit = 1 << 20

    /// - Parameter repeats: Whether the one script serves every connection.
    init(scripts: [RawScript], repeats: Bool) {
      self.scripts = scripts
      self.repeats = repeats
    }

    var connections: [RawConnection] { state.withLock { $0.connections } }

    /// The number of a new connection, and the script for it, if there is one left.
    func accept(_ channel: any Channel) -> (index: Int, script: RawScript?) {
      let (index, isStopped) = state.withLock { state in
        let index = state.connections.count
        state.connections.append(RawConnection(index: index))
        state.channels[index] = channel
        return (index, state.isStopped)
      }
      // Whoever stopped the origin does not know of this one.
      if isStopped { channel.close(promise: nil) }
      return (index, repeats ? scripts.first : index < scripts.count ? scripts[index] : nil)
    }

    func record(_ bytes: ByteBuffer, at index: Int) {
      state.withLock { state in
        let room = Self.recordLimit - state.connections[index].received.count
        if room > 0 { state.connections[index].received += bytes.readableBytesView.prefix(room) }
        state.connections[index].receivedLength += bytes.readableBytes
      }
    }

    /// Notes how a connection ended; nil means that the script did not end it.
    func end(_ index: Int, _ end: RawConnection.End?, step: Int) -> RawConnection.End {
      let (connection, end) = state.withLock { state in
        let end = end ?? (state.isStopped ? .stopped : .peerClosed(step: step))
        state.connections[index].end = end
        state.channels[index] = nil
        return (state.connections[index], end)
      }
      waiting.discard { $0.index == index }
      ended.post(connection)
      return end
    }

    func close() async {
      ended.close()
      waiting.close()
      let channels = state.withLock { state in
        state.isStopped = true
        return Array(state.channels.values)
      }
      for channel in channels { try? await channel.close() }
    }
  }
#endif
