/// A monitor that passes each event to a closure.
///
/// ```swift
/// var request = Request.get("film.mp4")
/// request.options.monitors = [
///   HandlerMonitor { event in
///     if case .responseBodyProgress(let bytes, let total) = event.kind { print(bytes, total ?? 0) }
///   }
/// ]
/// ```
public struct HandlerMonitor: EventMonitor {
  private let handler: @Sendable (Event) -> Void

  /// Creates a monitor that calls a closure.
  ///
  /// - Parameter handler: Receives each event, on the thread where it happened, and must return quickly.
  public init(_ handler: @escaping @Sendable (Event) -> Void) {
    self.handler = handler
  }

  /// Passes an event to the closure.
  public func receive(_ event: Event) {
    handler(event)
  }
}
