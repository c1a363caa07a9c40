import Synchronization

/// A monitor that turns events into an asynchronous sequence.
///
/// ```swift
/// let events = EventStream()
/// let client = try Client(over: transport, configuration: .init(monitors: [events]))
/// for await event in events.events { print(event.kind) }
/// ```
public struct EventStream: EventMonitor {
  /// The events, for one reader.
  public let events: AsyncStream<Event>
  private let continuation: AsyncStream<Event>.Continuation

  /// A stream that keeps the newest events until they are read.
  ///
  /// - Parameter limit: How many events wait at most; older ones are lost. 4096 by default.
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
