public import Dispatch
public import Foundation

/// Where completion, progress and state handlers are called: one after the other, in order.
public struct CallbackQueue: Sendable {
  private let enqueue: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// Creates a callback queue over a dispatch queue. If that is concurrent, so are the handlers.
  public init(_ queue: DispatchQueue) {
    enqueue = { queue.async(execute: $0) }
  }

  /// Creates a callback queue over an operation queue. If that is concurrent, so are the handlers.
  public init(_ queue: OperationQueue) {
    enqueue = { queue.addOperation($0) }
  }

  /// The main queue. A program without a run loop never runs it.
  public static let main = CallbackQueue(DispatchQueue.main)

  #if canImport(Darwin)
    /// The queue that is used unless another is given: the main queue.
    public static let standard = main
  #else
    /// The queue that is used unless another is given: a serial queue of the library, because a server may never run
    /// the main queue.
    public static let standard = CallbackQueue(DispatchQueue(label: "stagecoach.callbacks"))
  #endif

  /// Calls a closure on the queue, later.
  func async(_ work: @escaping @Sendable () -> Void) {
    enqueue(work)
  }
}
