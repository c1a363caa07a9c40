#if Tool
  /// What a raw origin does with one connection, step by step.
  ///
  /// Bytes are read only when a step asks for them. After the last step the connection is closed; a close
  /// with unread bytes makes the system send a reset, so read what the peer sends, or end with
  /// ``Step/hold``.
  ///
  /// ```swift
  /// let script: RawScript = [
  ///   .readHead,
  ///   .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"),
  ///   .awaitCommand,
  ///   .reset,
  /// ]
  /// ```
  public struct RawScript: Sendable, Hashable, ExpressibleByArrayLiteral {
    /// One step of a script.
    @nonexhaustive
    public enum Step: Sendable, Hashable {
      /// Read until the empty line that ends a header section.
      case readHead
      /// Read that many further bytes.
      case read(Int)
      /// Read until the peer closes its side of the connection.
      case readToEnd
      /// Send these bytes and wait until the system has taken them all.
      case send([UInt8])
      /// Wait for that time.
      case pause(Duration)
      /// Wait for ``RawOrigin/proceed(timeout:)``.
      case awaitCommand
      /// Wait for that time, in which the peer must not send a byte.
      case expectSilence(Duration)
      /// Close the sending side; the peer may go on to send.
      case halfClose
      /// Close the connection.
      case close
      /// Reset the connection: the peer gets RST, and what it has not read yet may be lost.
      case reset
      /// Keep the connection open without reading or writing, until the peer closes it or time runs out.
      case hold

      /// Send a text as UTF-8.
      public static func send(_ text: String) -> Step { .send(Array(text.utf8)) }
    }

    /// The steps in order.
    public var steps: [Step]

    /// A script of these steps.
    public init(_ steps: [Step]) { self.steps = steps }

    /// A script of these steps.
    public init(arrayLiteral elements: Step...) { steps = elements }

    /// Reads a request, sends a response, and keeps the connection open.
    ///
    /// - Parameters:
    ///   - response: The bytes of the response, header section included.
    ///   - bodyLength: The length of the request body to read after the header section.
    public static func respond(_ response: String, bodyLength: Int = 0) -> RawScript {
      [.readHead, .read(bodyLength), .send(response), .hold]
    }

    /// Accepts the connection and never reads from it, so that a long request stalls.
    public static let neverReads: RawScript = [.hold]

    /// Takes in what the client of a TLS connection sends, and never answers its handshake.
    public static let neverCompletesTLS: RawScript = [.readToEnd]
  }
#endif
