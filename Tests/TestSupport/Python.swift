package import Foundation
package import Testing

/// Python, whose parsers are not ours.
package enum Python {
  /// The interpreter, one that has the packages if there is one.
  package static let executable: String? = interpreters.first(where: hasPackages) ?? interpreters.first

  /// The packages that do not come with Python; system packages of the same names after `python3-`.
  private static let packages = ["multipart", "werkzeug", "jsonschema", "requests"]

  /// Where a test needs them.
  package static let needsPackages: some TestTrait = ConditionTrait.enabled(
    if: executable.map(hasPackages) ?? false,
    "a package of python3-multipart, -werkzeug, -jsonschema and -requests is not installed: these tests are not run"
  )

  private static let interpreters = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .map { "\($0)/python3" }.filter { FileManager.default.isExecutableFile(atPath: $0) }

  private static func hasPackages(_ interpreter: String) -> Bool {
    let find = packages.map { "importlib.util.find_spec('\($0)')" }.joined(separator: " and ")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: interpreter)
    process.arguments = ["-c", "import importlib.util, sys; sys.exit(not (\(find)))"]
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  package struct Failure: Error { let status: Int32 }

  /// What a script prints when it is given some input. No thread of the tests waits for it.
  package static func run(_ script: String, arguments: [String] = [], input: [UInt8] = []) async throws
    -> Data
  {
    let directory = try ScratchDirectory()
    let output = URL(fileURLWithPath: try directory.file("output", []))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(executable))
    process.arguments = ["-c", script] + arguments
    process.standardInput = try FileHandle(
      forReadingFrom: URL(fileURLWithPath: directory.file("input", input))
    )
    process.standardOutput = try FileHandle(forWritingTo: output)
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    process.terminationHandler = { _ in end.finish() }
    try process.run()
    for await _ in ended {}
    guard process.terminationStatus == 0 else { throw Failure(status: process.terminationStatus) }
    return try Data(contentsOf: output)
  }
}
