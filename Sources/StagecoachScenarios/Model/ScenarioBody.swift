public import StagecoachFormats

extension Scenario {
  /// The content of a message.
  public struct Body: Sendable, Hashable {
    /// How content is written to a file.
    public enum Form: String, Sendable, Hashable, CaseIterable {
      /// Octet for octet.
      case exact
      /// JSON on one line, with line breaks for review; replayed with the white space that it had.
      case pretty
    }

    /// How the end of the content is marked on the connection.
    public enum Framing: String, Sendable, Hashable, CaseIterable {
      /// By Content-Length, or the end of an HTTP/2 stream.
      case length
      /// By the last chunk (RFC 9112 7.1).
      case chunked
      /// By the end of the connection.
      case close
    }

    /// A piece of the content as it came.
    public struct Chunk: Sendable, Hashable {
      /// Its number of bytes.
      public var bytes: Int
      /// The time since the piece before it, or since the head.
      public var delay: Duration

      /// Creates a piece.
      public init(bytes: Int, delay: Duration) {
        self.bytes = bytes
        self.delay = delay
      }
    }

    /// Content that was not recorded.
    public struct Omission: Sendable, Hashable {
      /// The number of bytes that passed.
      public var bytes: Int
      /// Why it was not recorded.
      public var reason: String

      /// Creates an omission.
      public init(bytes: Int, reason: String) {
        self.bytes = bytes
        self.reason = reason
      }
    }

    /// The content without its codings.
    public var bytes: Bytes
    /// The content codings that a replay applies again, in the order of Content-Encoding.
    public var codings: [String] = []
    /// The media type.
    public var type: String?
    /// How the end was marked; `nil` if it is not known.
    public var framing: Framing?
    /// The pieces as they came; empty if they are not known.
    public var chunks: [Chunk] = []
    /// How it is written to a file.
    public var form = Form.exact
    /// The name of its file in the folder of the scenario; `nil` if it stands in the manifest.
    public var file: String?
    /// Set if the content was not recorded; ``bytes`` is empty then.
    public var omission: Omission?

    /// Creates content.
    public init(_ bytes: Bytes, type: String? = nil) {
      self.bytes = bytes
      self.type = type
    }
  }
}
