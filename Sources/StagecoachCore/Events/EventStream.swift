import Synchronization

/// A monitor that provides events as an asynchronous sequence.
///
/// ```swift
/// let events = EventStream()
/// let client = try Client(over: transport, configuration: .init(monitors: [events]))
/// for await event in events.events { print(event.kind) }
/// ```
public struct EventStream: EventMonitor {
  /// The events, for a single reader.
  public let events: AsyncStream<Event>
  private let continuation: AsyncStream<Event>.Continuation

  /// Creates a stream that buffers the newest events until they are read.
  ///
  /// - Parameter limit: The maximum number of buffered events; older ones are dropped. 4096 by default.
  public init(bufferingNewest limit: Int = 4096) {
    (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(limit))
  }

  /// Passes an event to the sequence.
  public func receive(_ event: Event) {
    continuation.yield(event)
  }

  /// Ends the sequence.
  public func finish() {
    continuation.finish()
  }
}
