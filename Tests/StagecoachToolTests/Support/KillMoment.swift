#if Tool
  import Foundation

  /// When a recording is killed.
  ///
  /// A commit shows on disk while it lasts: new files have names that begin with `.new.` until the manifest that names
  /// them is in its place. A kill within a commit leaves one of them behind.
  enum KillMoment: String, CaseIterable {
    /// After all exchanges are written.
    case settled = "at rest"
    /// At any instant.
    case random = "at random"
    /// When the first new file of a commit is there.
    case firstFile = "at its first file"
    /// When the new manifest is there.
    case newManifest = "at its manifest"
    /// When the new manifest has replaced the old one.
    case replacedManifest = "after its manifest"

    /// Waits for an instant, and for the next commit if the moment is within one, and calls a closure at once.
    func strike(
      after instant: ContinuousClock.Instant,
      in folder: String,
      _ kill: @escaping @Sendable () -> Void
    ) async {
      try? await Task.sleep(until: instant)
      await withCheckedContinuation { continuation in
        // A commit takes less than a millisecond, so it is looked for without a pause, on a thread of its own.
        Thread.detachNewThread { [self] in
          let limit = ContinuousClock.now + .seconds(60)
          func wait(until condition: () -> Bool) {
            while !condition(), ContinuousClock.now < limit { sched_yield() }
          }
          let manifest = "\(folder)/.new.scenario.json"
          let isThere = { access(manifest, F_OK) == 0 }
          switch self {
          case .settled, .random: break
          case .firstFile: wait { Self.hasTemporaryFile(in: folder) }
          case .newManifest: wait(until: isThere)
          case .replacedManifest:
            wait(until: isThere)
            wait { !isThere() }
          }
          kill()
          continuation.resume()
        }
      }
    }

    /// Whether a commit is in progress, or was when its process was killed.
    static func hasTemporaryFile(in folder: String) -> Bool {
      guard let stream = opendir(folder) else { return false }
      defer { closedir(stream) }
      while let entry = readdir(stream) {
        let isTemporary = withUnsafePointer(to: &entry.pointee.d_name) { name in
          name.withMemoryRebound(to: CChar.self, capacity: 256) { strncmp($0, ".new.", 5) == 0 }
        }
        if isTemporary { return true }
      }
      return false
    }
  }
#endif
