import Foundation
import HTTPTypes
import StagecoachFormats
import StagecoachScenarios
import TestSupport
import Testing

/// A folder always holds the old scenario or the new one, whenever the writing process ends.
struct ScenarioFolderTests {
  private func scenario(_ bodies: [String]) -> Scenario {
    var scenario = Scenario()
    for (number, body) in bodies.enumerated() {
      var reply = Scenario.Reply(Scenario.Head(HTTPResponse(status: .ok)))
      reply.body = Scenario.Body(Bytes(String(repeating: body, count: 300)), type: "text/plain")
      scenario.exchanges.append(
        .init(id: "0\(number + 1)", request: .init("GET", "http://a/\(number)"), reply: reply)
      )
    }
    return scenario
  }

  private func bodies(in folder: String) throws -> [Character?] {
    try Scenario(folder: folder).exchanges.map { exchange in
      exchange.reply.body.flatMap { String(decoding: $0.bytes).first }
    }
  }

  private func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  @Test func filesThatAreNotNeededGo() throws {
    let folder = try ScratchDirectory()
    _ = try folder.file("notes.md", Array("mine".utf8))
    try scenario(["a", "b"]).write(folder: folder.path)
    #expect(
      try names(in: folder.path) == ["01.response.txt", "02.response.txt", "notes.md", "scenario.json"]
    )
    try scenario(["a"]).write(folder: folder.path)
    #expect(try names(in: folder.path) == ["01.response.txt", "notes.md", "scenario.json"])
  }

  @Test func equalContentIsOneFile() throws {
    let folder = try ScratchDirectory()
    try scenario(["a", "a", "b"]).write(folder: folder.path)
    #expect(try names(in: folder.path) == ["01.response.txt", "03.response.txt", "scenario.json"])
    #expect(try bodies(in: folder.path) == ["a", "a", "b"])
  }

  /// The states that a process may leave behind, from the files of the old and of the new scenario.
  @Test func everyStepOfWritingCanBeReadAfterwards() throws {
    let (old, new) = (try ScratchDirectory(), try ScratchDirectory())
    try scenario(["a", "b"]).write(folder: old.path)
    try scenario(["b", "c", "d"]).write(folder: new.path)
    let files = try names(in: new.path).filter { $0 != "scenario.json" }
    let folder = try ScratchDirectory()
    for name in try names(in: old.path) {
      try FileManager.default.copyItem(atPath: "\(old.path)/\(name)", toPath: "\(folder.path)/\(name)")
    }
    for name in files {
      try FileManager.default.copyItem(atPath: "\(new.path)/\(name)", toPath: "\(folder.path)/.new.\(name)")
      #expect(try bodies(in: folder.path) == ["a", "b"])
    }
    try FileManager.default.removeItem(atPath: "\(folder.path)/scenario.json")
    try FileManager.default.copyItem(
      atPath: "\(new.path)/scenario.json",
      toPath: "\(folder.path)/scenario.json"
    )
    #expect(try bodies(in: folder.path) == ["b", "c", "d"])
    for name in files {
      try? FileManager.default.removeItem(atPath: "\(folder.path)/\(name)")
      try FileManager.default.moveItem(
        atPath: "\(folder.path)/.new.\(name)",
        toPath: "\(folder.path)/\(name)"
      )
      #expect(try bodies(in: folder.path) == ["b", "c", "d"])
    }
  }

  @Test func changedBodiesAreNoticed() throws {
    let folder = try ScratchDirectory()
    try scenario(["a"]).write(folder: folder.path)
    _ = try folder.file("01.response.txt", Array("other".utf8))
    let error = try #require(throws: ScenarioError.self) { try Scenario(folder: folder.path) }
    #expect(
      "\(error)".contains(
        "scenario.json:12: exchanges[0].reply[1].body.sha256: 01.response.txt has other content"
      )
    )
  }

  @Test func aFolderThatIsMissingIsNamed() throws {
    let error = try #require(throws: ScenarioError.self) { try Scenario(folder: "/nowhere/at/all") }
    #expect("\(error)" == "/nowhere/at/all/scenario.json: there is no such file")
  }

  @Test func replacedFilesKeepTheirPermissions() throws {
    let folder = try ScratchDirectory()
    try scenario(["a"]).write(folder: folder.path)
    let files = ["01.response.txt", "scenario.json"].map { "\(folder.path)/\($0)" }
    for file in files {
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    }
    try scenario(["b"]).write(folder: folder.path)
    #expect(try bodies(in: folder.path) == ["b"])
    for file in files {
      let attributes = try FileManager.default.attributesOfItem(atPath: file)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }
  }
}
