import Foundation
import StagecoachFixtures
import TestSupport
import Testing

/// The folder of the fixtures, by what a fixture that is missing says.
struct FixtureRootTests {
  private let folder: ScratchDirectory

  init() throws { folder = try ScratchDirectory() }

  /// The error of a run in a package of its own.
  private func error(
    _ name: String = "a",
    in root: String? = nil,
    filePath: String,
    environment: [String: String] = [:]
  ) async throws -> FixtureError {
    var options = FixtureOptions(Fixture(name), mode: nil, root: root, live: nil, filePath: filePath)
    options.environment = environment
    return try await #require(throws: FixtureError.self) { try await FixtureRun(options, test: "t") }
  }

  private func package() throws -> String {
    let tests = "\(folder.path)/Tests/XTests"
    try FileManager.default.createDirectory(atPath: tests, withIntermediateDirectories: true)
    _ = try folder.file("Package.swift", [])
    return "\(tests)/File.swift"
  }

  @Test func thePackageOfTheTestHoldsTheFolder() async throws {
    let file = try package()
    let fixtures = try await error(filePath: file)
    #expect(fixtures.message.contains("\(folder.path)/Fixtures/a/scenario.json"))
    let relative = try await error(in: "Tests/Data", filePath: file)
    #expect(relative.message.contains("\(folder.path)/Tests/Data/a/scenario.json"))
  }

  @Test func theVariableNamesTheFolderWhereThereIsNoPackage() async throws {
    let variable = ["STAGECOACH_FIXTURES": "/srv/fixtures"]
    let found = try await error(filePath: "/no/such/Tests/File.swift", environment: variable)
    #expect(found.message.contains("/srv/fixtures/a/scenario.json"))
    // The constant of a generator names a folder of the machine that compiled it.
    let moved = try await error(in: "/no/such/Fixtures", filePath: "/no/File.swift", environment: variable)
    #expect(moved.message.contains("/srv/fixtures/a/scenario.json"))
    let none = try await error(filePath: "File.swift")
    #expect(none.kind == .configuration && none.message.contains("set STAGECOACH_FIXTURES"))
  }

  @Test func buildFoldersAreRefused() async throws {
    let file = try package()
    for root in ["\(folder.path)/.build/debug/X.resources", ".build/x"] {
      let refused = try await error(in: root, filePath: file)
      #expect(refused.kind == .configuration && refused.message.contains("in the sources"))
    }
  }

  @Test(arguments: ["", "../a", "a/../../b", "/etc", ".hidden", "a//b", "a/", "a\u{0}b"])
  func namesStayBelowTheRoot(_ name: String) async throws {
    let refused = try await error(name, filePath: try package())
    #expect(refused.kind == .configuration)
  }
}
