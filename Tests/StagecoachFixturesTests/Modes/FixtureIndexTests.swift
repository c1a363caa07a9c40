import Foundation
import HTTPTypes
import Stagecoach
import StagecoachFormats
import TestSupport
import Testing

@testable import StagecoachFixtures

/// Fixtures that are not those that the package was built with.
struct FixtureIndexTests {
  private let session: FixtureSession

  init() throws {
    session = try FixtureSession()
    try session.write("/a") { scenario in
      // Kept in a file.
      scenario.exchanges[0].reply.body?.bytes = Bytes(String(repeating: "a", count: 998) + "/a")
    }
  }

  private func digest(_ file: String) throws -> String {
    SHA256.hash([UInt8](try Data(contentsOf: URL(filePath: "\(session.folder.path)/\(file)")))).hexadecimal
  }

  /// A reference with the index of the files that are there.
  private func fixture() throws -> Fixture {
    let files = try FileManager.default.contentsOfDirectory(atPath: session.place).map { "users/\($0)" }
    #expect(files.count == 2)
    let index = Dictionary(uniqueKeysWithValues: try files.map { ($0, try digest($0)) })
    return Fixture(
      "users",
      in: session.folder.path,
      index: index.merging(["users/other/scenario.json": "0"]) { $1 }
    )
  }

  private func use(_ fixture: Fixture, _ mode: FixtureMode, root: String? = nil) async throws {
    let live: @Sendable () async throws -> any Transport = { FixtureSession.service() }
    var options = FixtureOptions(fixture, mode: mode, root: root, live: live, filePath: #filePath)
    options.environment = [:]
    let run = try await FixtureRun(options, test: "userIsRead")
    _ = await run.fail(CancellationError())
  }

  @Test func anEditedManifestIsStaleUntilThePackageIsBuiltAgain() async throws {
    let built = try fixture()
    let before = try digest("users/scenario.json")
    for mode in [FixtureMode.replay, .verify] { try await use(built, mode) }
    try await built.verify(
      exchange: "01",
      against: FixtureSession.service(String(repeating: "a", count: 998))
    )
    let manifest = URL(filePath: "\(session.place)/scenario.json")
    try (Data(contentsOf: manifest) + Data("\n".utf8)).write(to: manifest)
    for mode in [FixtureMode.replay, .verify] {
      let error = try await #require(throws: FixtureError.self) { try await use(built, mode) }
      #expect(error.kind == .stale && error.file == "\(session.place)/scenario.json")
      let found = try digest("users/scenario.json")
      #expect(error.message.contains("build again"))
      #expect(error.message.contains("\n  expected SHA-256 \(before)\n  found    SHA-256 \(found)"))
    }
    try await use(try fixture(), .replay)
    // What is written anew needs no build first, and another root has other files.
    for mode in [FixtureMode.rerecord, .recordOnce, .recordMissing, .live] { try await use(built, mode) }
    try await use(built, .replay, root: session.folder.path)
    try await use(Fixture("users", in: session.folder.path), .replay)
  }

  @Test func comparesABodyWithoutAHashInTheManifest() async throws {
    let manifest = URL(filePath: "\(session.place)/scenario.json")
    let text = try String(contentsOf: manifest, encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.contains("sha256") })
    let withoutHash =
      line.contains("\"file\"")
      ? text.replacing(try Regex(#""sha256": "[0-9a-f]+", "#), with: "")
      : text.replacing("\(line)\n", with: "")
    try Data(withoutHash.utf8).write(to: manifest)
    let built = try fixture()
    try await use(built, .replay)
    let body = try #require(try session.scenario().exchanges[0].reply.body?.file)
    try Data(repeating: UInt8(ascii: "b"), count: 1000).write(to: URL(filePath: "\(session.place)/\(body)"))
    let error = try await #require(throws: FixtureError.self) { try await use(built, .replay) }
    #expect(error.kind == .stale && error.file == "\(session.place)/\(body)")
  }

  @Test func referencesAreEqualByNameAndRoot() {
    #expect(Fixture("a", in: "b", index: ["a/scenario.json": "0"]) == Fixture("a", in: "b"))
    #expect(Set([Fixture("a", index: ["x": "y"]), "a"]).count == 1)
    #expect(Fixture("a") != Fixture("a", in: "b"))
  }
}
