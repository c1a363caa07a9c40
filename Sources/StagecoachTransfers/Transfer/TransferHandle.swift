public import HTTPTypes
public import StagecoachCore

/// A transfer whose type of value does not matter: what lists, queues and user interfaces need.
public protocol TransferHandle: AnyObject, Sendable, CustomStringConvertible {
  /// The identifier of the transfer.
  var id: TransferID { get }

  /// The request as it was given.
  var request: Request { get }

  /// The head of the last response, without secrets; `nil` until one has arrived.
  var response: HTTPResponse? { get }

  /// The current state.
  var state: TransferState { get }

  /// Whether the transfer has been cancelled.
  var isCancelled: Bool { get }

  /// The reason that the transfer failed; `nil` unless it has finished without success.
  var failure: (any Error)? { get }

  /// How far the transfer has come.
  var progress: TransferProgress { get }

  /// The current state and then every change. It ends after `finished`, or when the transfer is released.
  var states: AsyncStream<TransferState> { get }

  /// The current progress and then what changed: at most ten times a second, and the last at the end. A slow reader
  /// gets the newest.
  var progressUpdates: AsyncStream<TransferProgress> { get }

  /// Starts a transfer that is ready.
  ///
  /// - Returns: Whether that changed anything.
  @discardableResult func start() -> Bool

  /// Suspends a transfer that is ready or executing. Its connection is closed; what was received is kept.
  ///
  /// - Returns: Whether that changed anything.
  @discardableResult func pause() -> Bool

  /// Goes on with a paused transfer, from the bytes it has, or starts it.
  ///
  /// - Returns: Whether that changed anything.
  @discardableResult func resume() -> Bool

  /// Ends the transfer, which then fails with `CancellationError`, in every state but finished.
  ///
  /// - Parameter discarding: Whether the bytes of an unfinished download are removed too. Otherwise a later download
  ///   to the same file goes on from them.
  /// - Returns: Whether that changed anything.
  @discardableResult func cancel(discarding: Bool) -> Bool
}

extension TransferHandle {
  /// Ends the transfer, which then fails with `CancellationError`. The bytes of an unfinished download are kept.
  ///
  /// - Returns: Whether that changed anything.
  @discardableResult
  public func cancel() -> Bool { cancel(discarding: false) }

  /// The state, whether it is cancelled, the request and the status, without secrets.
  public var description: String {
    let answer = response.map { ", \($0.status.code)" } ?? ""
    return "\(id) (\(state.rawValue)\(isCancelled ? ", cancelled" : "")): \(request)\(answer), \(progress)"
  }
}
