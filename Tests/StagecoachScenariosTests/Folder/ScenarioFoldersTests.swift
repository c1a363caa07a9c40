import Foundation
import StagecoachScenarios
import TestSupport
import Testing

struct ScenarioFoldersTests {
  private let folder: ScratchDirectory

  init() throws { folder = try ScratchDirectory() }

  private func names() throws -> [String] { try ScenarioFolders.names(below: folder.path) }

  @Test func scenariosAreFoundBelowTheRootInOrder() throws {
    for name in ["users/b", "users/a", "list", ".git/x"] {
      try Scenario().write(folder: "\(folder.path)/\(name)")
    }
    #expect(try names() == ["list", "users/a", "users/b"])
    try Scenario().write(folder: "\(folder.path)/list/inner")
    try Scenario().write(folder: folder.path)
    #expect(try names() == ["", "list", "list/inner", "users/a", "users/b"])
  }

  @Test func linksAreNotFollowed() throws {
    try Scenario().write(folder: "\(folder.path)/a")
    try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/b", withDestinationPath: folder.path)
    #expect(try names() == ["a"])
  }

  @Test func depthIsLimited() throws {
    let deep = Array(repeating: "d", count: 17).joined(separator: "/")
    try Scenario().write(folder: "\(folder.path)/\(deep)")
    let error = try #require(throws: ScenarioError.self) { try names() }
    #expect(error.kind == .limit)
  }

  @Test func aFolderThatIsMissingIsNamed() throws {
    let error = try #require(throws: ScenarioError.self) {
      try ScenarioFolders.names(below: "\(folder.path)/none")
    }
    #expect(error.kind == .file && error.file == "\(folder.path)/none")
  }
}
