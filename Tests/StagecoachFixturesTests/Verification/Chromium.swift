import Foundation

/// A browser that is not ours: Chromium from the system's packages, without a window.
struct Chromium {
  static let executable = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let folder: String

  /// Opens a page of the folder, and returns its document after its scripts ran.
  ///
  /// - Parameter screenshot: The name of a file for a picture of the page.
  func document(of page: String, screenshot: String) async throws -> String {
    guard let executable = Self.executable else { throw Failure(description: "chromium is not installed") }
    let process = Process()
    process.executableURL = URL(filePath: executable)
    process.arguments = [
      "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
      "--user-data-dir=\(folder)/profile", "--window-size=1200,1600", "--allow-file-access-from-files",
      "--virtual-time-budget=5000", "--screenshot=\(folder)/\(screenshot)", "--dump-dom",
      "file://\(folder)/\(page)",
    ]
    let (output, errors) = ("\(folder)/output", "\(folder)/errors")
    for file in [output, errors] { try Data().write(to: URL(filePath: file)) }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: URL(filePath: output))
    process.standardError = try FileHandle(forWritingTo: URL(filePath: errors))
    let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
    process.terminationHandler = { _ in continuation.finish() }
    try process.run()
    for await _ in ended {}
    guard process.terminationStatus == 0 else {
      throw Failure(description: "chromium failed: \(try String(contentsOfFile: errors, encoding: .utf8))")
    }
    return try String(contentsOfFile: output, encoding: .utf8)
  }
}
