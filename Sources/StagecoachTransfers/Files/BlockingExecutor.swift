import Dispatch

/// Runs tasks whose calls block, outside of the cooperative thread pool. What such a task waits for it gets on one of
/// its own threads, so that a loop of reading and writing hops no more often than one in the pool.
final class BlockingExecutor: TaskExecutor {
  /// The executor for loops over files.
  static let files = BlockingExecutor(label: "stagecoach.transfers.files")

  private let queue: DispatchQueue

  private init(label: String) {
    queue = DispatchQueue(label: label, attributes: .concurrent)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
