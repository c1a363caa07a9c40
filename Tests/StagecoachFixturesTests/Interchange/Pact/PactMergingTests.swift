import Foundation
import StagecoachCore
import StagecoachFixtures
import TestSupport
import Testing

/// Merging into files, and files that several write.
@Suite struct PactMergingTests {
  private func interaction(_ description: String, state: String? = nil, status: Int = 200) -> PactInteraction
  {
    PactInteraction(
      description,
      states: state.map { [ProviderState($0)] } ?? [],
      request: PactPart(ComparedRequest(path: "/a")),
      response: PactPart(ComparedResponse(status: status))
    )
  }

  private func file(_ interactions: PactInteraction..., provider: String = "p") -> PactFile {
    PactFile(consumer: "c", provider: provider, entries: interactions.map { .http($0) })
  }

  @Test func interactionsAreAdded() throws {
    let folder = try ScratchDirectory()
    let path = "\(folder.path)/new/pact.json"
    #expect(try file(interaction("b"), interaction("a", state: "y")).write(to: path, as: .v4) == [])
    let first = try PactFile(path: path)
    #expect(first.requests.map(\.description) == ["a", "b"])
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    _ = try file(interaction("a", state: "x"), interaction("b")).write(to: path, as: .v4)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    let second = try PactFile(path: path)
    #expect(second.requests.map { $0.states.map(\.name) } == [["x"], ["y"], []])
    #expect(second.requests.compactMap(\.key).count == 3)
    #expect(second.requests.last?.key == first.requests.last?.key)
    // The order of writing leaves no trace, and neither does writing again.
    let other = "\(folder.path)/other.json"
    _ = try file(interaction("a", state: "x"), interaction("b")).write(to: other, as: .v4)
    _ = try file(interaction("b"), interaction("a", state: "y")).write(to: other, as: .v4)
    _ = try file(interaction("b")).write(to: other, as: .v4)
    #expect(try Data(contentsOf: URL(filePath: path)) == Data(contentsOf: URL(filePath: other)))
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/new") == ["pact.json"])
  }

  @Test func otherContentIsAConflict() throws {
    let folder = try ScratchDirectory()
    let path = "\(folder.path)/pact.json"
    _ = try file(interaction("a", state: "x"), interaction("b")).write(to: path, as: .v3)
    let before = try Data(contentsOf: URL(filePath: path))
    var changed = interaction("b")
    changed.request.message.path = "/b"
    changed.request.message.fields = [FieldLine("A", "1")]
    let error = #expect(throws: ScenarioError.self) {
      try file(interaction("new"), interaction("a", state: "x", status: 404), changed)
        .write(to: path, as: .v4)
    }
    #expect(error?.kind == .conflict)
    #expect(
      error?.description == """
        \(path): "a" in the state "x" has other content: response.status (200 in the file, 404 now)
        "b" has other content: request.headers, request.path ("/a" in the file, "/b" now)
        """
    )
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test func anotherProviderIsAConflict() throws {
    let folder = try ScratchDirectory()
    let path = "\(folder.path)/pact.json"
    _ = try file(interaction("a")).write(to: path, as: .v4)
    let error = #expect(throws: ScenarioError.self) {
      try file(interaction("a"), provider: "q").write(to: path, as: .v4)
    }
    #expect(
      error?.message == #"the file is for "c" and "p", and the new interactions are for "c" and "q": "#
        + "write them to another file"
    )
  }

  @Test func aFileOfVersion2IsRewritten() throws {
    let folder = try ScratchDirectory()
    let text = """
      {"consumer": {"name": "c"}, "provider": {"name": "p"}, "_links": 1,
       "metadata": {"pactSpecification": {"version": "2.0.0"}, "tool": "x"},
       "interactions": [{"description": "a", "providerState": "x", "request": {"method": "GET", "path": "/a"},
        "response": {"status": 200}}]}
      """
    let path = try folder.file("pact.json", Array(text.utf8))
    _ = try file(interaction("a", state: "x"), interaction("b")).write(to: path, as: .v4)
    let merged = try PactFile(path: path)
    #expect(merged.version == .v4)
    #expect(merged.requests.map(\.description) == ["a", "b"])
    #expect(merged.metadata == ["tool": "x"])
    #expect(merged.attributes == ["_links": 1])
  }

  @Test func concurrentWritersLoseNothing() async throws {
    let folder = try ScratchDirectory()
    let path = "\(folder.path)/pact.json"
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        group.addTask { _ = try file(interaction("i\(number)")).write(to: path, as: .v4) }
      }
      try await group.waitForAll()
    }
    #expect(try PactFile(path: path).requests.count == 40)
  }

  @Test func refusesAFileThatCannotBeReadOrWritten() throws {
    let folder = try ScratchDirectory()
    let missing = #expect(throws: ScenarioError.self) { try PactFile(path: "\(folder.path)/none.json") }
    #expect(missing?.kind == .file)
    let notAFile = #expect(throws: ScenarioError.self) { try PactFile(path: folder.path) }
    #expect(notAFile?.message == "not a regular file")
    let text = try folder.file("text.json", Array("{".utf8))
    let broken = #expect(throws: ScenarioError.self) { try file(interaction("a")).write(to: text, as: .v4) }
    #expect(broken?.kind == .syntax)
    let inFile = #expect(throws: ScenarioError.self) {
      try file(interaction("a")).write(to: text + "/b", as: .v4)
    }
    #expect(inFile?.kind == .file)
  }
}
