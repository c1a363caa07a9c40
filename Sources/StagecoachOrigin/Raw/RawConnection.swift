#if Tool
  /// What a raw origin saw of one connection.
  public struct RawConnection: Sendable, Hashable {
    /// How a connection came to its end.
    @nonexhaustive
    public enum End: Sendable, Hashable {
      /// All steps of the script were played.
      case finished
      /// The peer closed or reset the connection in the step with this index.
      case peerClosed(step: Int)
      /// The peer sent bytes in the step with this index, an ``RawScript/Step/expectSilence(_:)``, or a header
      /// section longer than 1 MiB.
      case unexpectedBytes(step: Int)
      /// The limit of time was reached in the step with this index.
      case timedOut(step: Int)
      /// There was no script for this connection.
      case refused
      /// The origin was stopped.
      case stopped
    }

    /// The number of the connection, counted from 0 in the order of acceptance.
    public let index: Int
    /// The bytes that were read from the peer, up to 1 MiB.
    public internal(set) var received: [UInt8] = []
    /// How many bytes were read from the peer.
    public internal(set) var receivedLength = 0
    /// How it ended; nil while it is open.
    public internal(set) var end: End?

    /// The received bytes as text, malformed UTF-8 repaired.
    public var receivedText: String { String(decoding: received, as: UTF8.self) }
  }
#endif
