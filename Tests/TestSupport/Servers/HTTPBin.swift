import Foundation

/// A server that is not ours: httpbin under gunicorn, on a free port.
///
/// It is the one in the folder that `STAGECOACH_HTTPBIN` names, where `pip install --target FOLDER httpbin` put it, or
/// else that of the system's packages, which is older.
package final class HTTPBin {
  private static let executable = ["/usr/bin/gunicorn", "/opt/homebrew/bin/gunicorn"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }
  private static let folder = ProcessInfo.processInfo.environment["STAGECOACH_HTTPBIN"]
  private static let module = [folder, "/usr/lib/python3/dist-packages"].compactMap(\.self)
    .first { FileManager.default.fileExists(atPath: "\($0)/httpbin") }
  package static let isInstalled = executable != nil && module != nil

  package let port: Int
  package var url: String { "http://127.0.0.1:\(port)/" }
  private let process: ChildProcess
  private let log: URL

  package init() throws {
    log = FileManager.default.temporaryDirectory.appending(path: "stagecoach-httpbin-\(UUID()).log")
    port = try freePort()
    process = try ChildProcess([
      "/usr/bin/env", "PYTHONPATH=\(Self.folder ?? "")",
      Self.executable.orNotInstalled("gunicorn"), "--bind", "127.0.0.1:\(port)", "--worker-class", "gthread",
      "--threads", "4", "--error-logfile", log.path, "httpbin:app",
    ])
  }

  /// Waits until it listens, which takes a moment.
  package func isListening() async throws {
    try await waitForServer(on: port, log: log)
  }

  package func stop() {
    process.stop()
    try? FileManager.default.removeItem(at: log)
  }
}
