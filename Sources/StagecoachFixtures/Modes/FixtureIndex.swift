import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The files of one fixture as they were when the package was built.
struct FixtureIndex: Sendable {
  private let fixture: Fixture
  /// The SHA-256 of each file, by its path below the folder of the fixture.
  private let digests: [String: String]

  init(of fixture: Fixture) {
    self.fixture = fixture
    let start = "\(fixture.name)/"
    digests = fixture.index.reduce(into: [:]) { digests, entry in
      if entry.key.hasPrefix(start) { digests[String(entry.key.dropFirst(start.count))] = entry.value }
    }
  }

  /// Compares the files in a folder, whose scenario was read, with those of the build. Files without an entry are not
  /// compared.
  ///
  /// - Throws: ``FixtureError`` of kind `stale`.
  func check(_ folder: String) throws(FixtureError) {
    guard !digests.isEmpty else { return }
    let place = ScenarioFolders.manifest(in: folder)
    let manifest = [UInt8](FileManager.default.contents(atPath: place) ?? Data())
    let name = place.split(separator: "/").last.map(String.init) ?? place
    try compare(manifest, name, place)
    let text = String(decoding: manifest, as: UTF8.self)
    for (file, digest) in digests.sorted(by: { $0.key < $1.key }) where file != name {
      // Reading the scenario compared the files with the hashes in its manifest.
      guard !text.contains(digest) else { continue }
      let place = "\(folder)/\(file)"
      try compare([UInt8](FileManager.default.contents(atPath: place) ?? Data()), file, place)
    }
  }

  private func compare(_ content: [UInt8], _ file: String, _ place: String) throws(FixtureError) {
    guard let expected = digests[file] else { return }
    let found = SHA256.hash(content).hexadecimal
    guard found != expected else { return }
    throw FixtureError(
      .stale,
      fixture: fixture.name,
      file: place,
      """
      the file is not the one that the package was built with; build again, or restore it
        expected SHA-256 \(expected)
        found    SHA-256 \(found)
      """
    )
  }
}
