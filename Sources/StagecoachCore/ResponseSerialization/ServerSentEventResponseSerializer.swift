/// Reads the body as server-sent events, as they arrive (WHATWG HTML 9.2).
///
/// It asks for `text/event-stream`; `Cache-Control: no-store`, which browsers send along, is for the caller to
/// add.
public struct ServerSentEventResponseSerializer: ResponseSerializer {
  /// What it can read: `text/event-stream`.
  public var accepts: Acceptance

  /// A serializer.
  public init(accepting accepts: Acceptance = .serverSentEvents) {
    self.accepts = accepts
  }

  /// Returns at once; the sequence reads the body.
  public func serialize(_ response: Response) async throws -> ServerSentEvents {
    ServerSentEvents(source: ElementSource(response, stage: name), limit: response.elementLimit)
  }
}

extension Acceptance {
  /// `text/event-stream`.
  public static let serverSentEvents = Acceptance(mediaTypes: [MediaRange(.eventStream)])
}

extension ResponseSerializer where Self == ServerSentEventResponseSerializer {
  /// Server-sent events, as they arrive.
  public static var serverSentEvents: ServerSentEventResponseSerializer {
    ServerSentEventResponseSerializer()
  }
}
