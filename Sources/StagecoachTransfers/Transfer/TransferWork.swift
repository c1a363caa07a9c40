import HTTPTypes
import StagecoachCore
import Synchronization

/// What a transfer does while it is executing.
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

/// Lets transfers execute, some at a time.
protocol TransferGate: AnyObject, Sendable {
  /// Asks for a slot. `begin` is called once there is one, unless it is withdrawn before; it may be called at once.
  func enter(_ transfer: any TransferHandle, begin: @escaping @Sendable () -> Void)

  /// Withdraws the question for a slot, if it has not been answered yet.
  func withdraw(_ transfer: any TransferHandle)

  /// Gives a slot back.
  func leave(_ transfer: any TransferHandle)
}
