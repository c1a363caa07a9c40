public import StagecoachCore

/// A serializer that reads the body as server-sent events, as they arrive (WHATWG HTML 9.2).
///
/// It requests `text/event-stream`. Browsers also send `Cache-Control: no-store`, which the caller can add.
public struct ServerSentEventResponseSerializer: ResponseSerializer {
  /// The accepted content: `text/event-stream`.
  public var accepts: Acceptance

  /// Creates a serializer.
  public init(accepting accepts: Acceptance = .serverSentEvents) {
    self.accepts = accepts
  }

  /// Returns immediately; the sequence reads the body.
  public func serialize(_ response: Response) async throws -> BodyElements<ServerSentEvent> {
    BodyElements(response, stage: name)
  }
}

extension Acceptance {
  /// `text/event-stream`.
  public static let serverSentEvents = Acceptance(mediaTypes: [MediaRange(.eventStream)])
}

extension ResponseSerializer where Self == ServerSentEventResponseSerializer {
  /// A serializer for server-sent events, as they arrive.
  public static var serverSentEvents: ServerSentEventResponseSerializer {
    ServerSentEventResponseSerializer()
  }
}
