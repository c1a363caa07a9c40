public import StagecoachCore

/// An event of a transfer, among those of the exchange that it happened in.
///
/// ```swift
/// struct Log: EventMonitor {
///   func receive(_ event: Event) {
///     if case .stage(let event as TransferEvent) = event.kind { print(event) }
///   }
/// }
/// ```
public struct TransferEvent: StageEvent {
  /// The kind of event.
  @nonexhaustive
  public enum Kind: Sendable, Hashable {
    /// The transfer began, at its first byte.
    case started
    /// The transfer goes on after this many bytes.
    case resumed(at: Int64)
    /// The content is fetched anew from its first byte, for this reason.
    case restarted(String)
    /// The transfer was paused.
    case suspended
    /// The transfer succeeded. Failures are told by `exchangeFailed` and `exchangeCancelled`.
    case completed
  }

  /// The transfer.
  public let transfer: TransferID
  /// The kind of event.
  public let kind: Kind

  /// The transfer and what happened to it.
  public var description: String {
    switch kind {
    case .started: "\(transfer) started"
    case .resumed(let offset): "\(transfer) resumed after \(offset) bytes"
    case .restarted(let reason): "\(transfer) restarted: \(reason)"
    case .suspended: "\(transfer) suspended"
    case .completed: "\(transfer) completed"
    }
  }
}
