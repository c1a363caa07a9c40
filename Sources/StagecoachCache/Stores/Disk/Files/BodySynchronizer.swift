#if SQLite
  internal import StagecoachCore
  internal import Synchronization

  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #elseif canImport(Darwin)
    internal import Darwin
  #endif

  /// Writes bodies to the disk after they were committed, which nobody waits for.
  ///
  /// Without it a loss of power would damage more entries. That they are damaged is found in any case: by the length of
  /// the file when it is opened, and by the checksums of its blocks when they are read.
  final class BodySynchronizer: Sendable {
    private let queue = BlockingQueue(label: "stagecoach.cache.synchronizer")
    private let waiting = Atomic(0)

    /// The number of bodies that wait for a slow disk. The system writes others when it sees fit.
    private static let maxWaiting = 8

    /// Writes the file of a descriptor to the disk. The descriptor may be closed meanwhile.
    func synchronize(_ descriptor: Int32) {
      guard waiting.load(ordering: .relaxed) < Self.maxWaiting else { return }
      let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
      guard copy >= 0 else { return }
      waiting.add(1, ordering: .relaxed)
      queue.enqueue {
        _ = FileWriter.synchronize(copy)
        close(copy)
        self.waiting.subtract(1, ordering: .relaxed)
      }
    }
  }
#endif
