public import Foundation
import Synchronization

extension Notification.Name {
  /// A transfer began to execute for the first time. The object is the transfer.
  public static let transferDidStart = Notification.Name("stagecoach.transfer.didStart")
  /// A paused transfer began to execute again. The object is the transfer.
  public static let transferDidResume = Notification.Name("stagecoach.transfer.didResume")
  /// An executing transfer was paused. The object is the transfer.
  public static let transferDidSuspend = Notification.Name("stagecoach.transfer.didSuspend")
  /// A transfer ended: succeeded, failed or was cancelled. The object is the transfer, and `userInfo` has its value
  /// (``Foundation/Notification/transferValueKey``) or its error (``Foundation/Notification/transferErrorKey``).
  public static let transferDidComplete = Notification.Name("stagecoach.transfer.didComplete")
}

extension Notification {
  /// The key of the value of a transfer that succeeded. The value of a download is a `SavedFile`.
  public static let transferValueKey = "stagecoach.transfer.value"
  /// The key of the error of a transfer that failed: an `ExchangeError`, or a `CancellationError`.
  public static let transferErrorKey = "stagecoach.transfer.error"
}

extension Transfer {
  /// Posts a notification at every later change of the transfer, once for each call of this method.
  ///
  /// The notifications are `transferDidStart`, `transferDidResume`, `transferDidSuspend` and `transferDidComplete`. The
  /// last comes after all completion handlers that were registered before the end have returned.
  ///
  /// ```swift
  /// import Foundation
  ///
  /// let transfer = client.download(.get("film.mp4"), to: .file("/tmp/film.mp4"))
  /// let observer = NotificationCenter.default.addObserver(
  ///   forName: .transferDidComplete, object: transfer, queue: nil
  /// ) { notification in
  ///   print(notification.userInfo?[Notification.transferErrorKey] ?? "success")
  /// }
  /// transfer.postNotifications()
  /// transfer.start()
  /// print(observer)
  /// ```
  ///
  /// They replace these of AFNetworking, which posts them for every task, unasked:
  ///
  /// | AFNetworking | Stagecoach |
  /// |---|---|
  /// | `com.alamofire.networking.operation.start` | `transferDidStart` |
  /// | `com.alamofire.networking.operation.finish` | `transferDidComplete`, and at a pause `transferDidSuspend` |
  /// | `com.alamofire.networking.task.resume` | `transferDidStart`, and after a pause `transferDidResume` |
  /// | `com.alamofire.networking.task.suspend` | `transferDidSuspend` |
  /// | `com.alamofire.networking.task.complete` | `transferDidComplete` |
  /// | key `...task.complete.serializedresponse` | `Notification.transferValueKey` |
  /// | key `...task.complete.assetpath` | the path of the `SavedFile` under `Notification.transferValueKey` |
  /// | key `...task.complete.error` | `Notification.transferErrorKey` |
  ///
  /// The response head, the progress and the request are properties of the object. Timings are events of the exchange.
  ///
  /// - Parameters:
  ///   - center: The center that they are posted to.
  ///   - queue: Where they are posted.
  public func postNotifications(
    to center: NotificationCenter = .default,
    on queue: CallbackQueue = .standard
  ) {
    let changes = Mutex(NoticeChanges())
    stateChanges.observe { [weak self] state in
      guard let self, let name = changes.withLock({ $0.name(at: state) }) else { return }
      guard name == .transferDidComplete else {
        return queue.async { center.post(name: name, object: self) }
      }
      callbacks.follow {
        queue.async { center.post(name: name, object: self, userInfo: self.outcomeInfo) }
      }
    }
  }

  private var outcomeInfo: [AnyHashable: Any] {
    switch outcome {
    case .success(let value): [Notification.transferValueKey: value]
    case .failure(let error): [Notification.transferErrorKey: error]
    case nil: [:]
    }
  }
}

/// Decides which changes of state are posted.
struct NoticeChanges {
  private var previous: TransferState?
  private var wasStarted = false

  /// Returns the name of the notification at a change; the first state is where it began.
  mutating func name(at state: TransferState) -> Notification.Name? {
    defer {
      previous = state
      if state == .executing { wasStarted = true }
    }
    // Whether a transfer that is already paused was started before is unknown; most were.
    guard let previous else {
      wasStarted = state == .paused
      return nil
    }
    switch state {
    case .executing: return wasStarted ? .transferDidResume : .transferDidStart
    case .paused: return previous == .executing ? .transferDidSuspend : nil
    case .finished: return .transferDidComplete
    case .ready: return nil
    }
  }
}
