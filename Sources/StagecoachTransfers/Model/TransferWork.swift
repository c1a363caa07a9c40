import HTTPTypes
import StagecoachCore
import Synchronization

/// The work of an executing transfer.
protocol TransferWork<Output>: Sendable {
  associatedtype Output: Sendable

  /// Does what is left to do. Called again after a pause, never twice at the same time.
  func run(_ report: TransferReport) async throws -> Output

  /// Removes what was kept for going on.
  func discard() async

  /// Returns the same work, to be done by another transfer.
  ///
  /// - Throws: `ExchangeError` of kind `bodyNotReplayable`.
  func renewed() throws -> any TransferWork<Output>

  /// The request with its URL resolved and the options of its client; as it was given if its URL is not valid.
  var resolvedRequest: Request { get }

  /// Returns what an archive keeps of the work.
  ///
  /// - Parameter isComplete: Whether the values of sensitive fields are kept.
  /// - Throws: `ExchangeError` if the content of the request, or the place that the response goes to, cannot be kept.
  func archived(withSecrets isComplete: Bool) throws -> ArchivedWork
}

/// Where the work of a transfer tells how it goes.
final class TransferReport: Sendable {
  let transfer: TransferID
  let meter: ProgressMeter
  private let state = Mutex<(response: HTTPResponse?, request: Request?)>((nil, nil))

  init(_ transfer: TransferID, clock: any TimeSource) {
    self.transfer = transfer
    meter = ProgressMeter(clock: clock)
  }

  /// The head of the last response, without secrets.
  var response: HTTPResponse? {
    get { state.withLock { $0.response } }
    set { state.withLock { $0.response = newValue.map(Redaction.head) } }
  }

  /// The last request that was sent, whose exchange gets the events.
  var request: Request? {
    get { state.withLock { $0.request } }
    set { state.withLock { $0.request = newValue } }
  }

  func emit(_ kind: TransferEvent.Kind) {
    request?.emit(TransferEvent(transfer: transfer, kind: kind))
  }
}

/// Decides when a transfer executes.
protocol TransferGate: Sendable {
  /// Asks for a slot. `begin` is called once there is one, unless the place is withdrawn before; it may be called at
  /// once.
  ///
  /// - Parameter place: A number that no earlier call had.
  func enter(_ place: Int, begin: @escaping @Sendable () -> Void)

  /// Withdraws a place, if it waits for its slot.
  func withdraw(_ place: Int)

  /// Gives a slot back.
  func leave()
}
