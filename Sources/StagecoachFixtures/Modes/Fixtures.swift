/// The fixtures of a package. The build-tool plug-in `FixtureAccessors` adds a constant for each of them.
public enum Fixtures {
  /// Finds the fixtures in a folder and below it, sorted by name.
  ///
  /// ```swift
  /// import StagecoachFixtures
  ///
  /// for fixture in try Fixtures.scenarios(in: "users") { print(fixture.name) }
  /// ```
  ///
  /// - Parameters:
  ///   - folder: A folder below the root, such as `users`; by default all of the root.
  ///   - root: The folder of all fixtures; by default `Fixtures` in the package of the test.
  ///   - filePath: The file of the test, by which the package is found.
  /// - Throws: ``FixtureError`` if there is no such folder or no scenario in it, `ScenarioError` if the folder holds more
  ///   than 100,000 files or scenarios more than 16 levels deep.
  public static func scenarios(
    in folder: String = "",
    root: String? = nil,
    filePath: String = #filePath
  ) throws -> [Fixture] {
    let root = try FixtureRoot(root, filePath: filePath)
    let place = try root.folder(of: folder)
    let names: [String]
    do {
      names = try ScenarioFolders.names(below: place)
    } catch let error as ScenarioError where error.kind == .file {
      throw FixtureError(.missing, fixture: folder, "there is no folder \(place)")
    }
    // Without scenarios a test with arguments would run no case, and pass.
    guard !names.isEmpty else {
      throw FixtureError(.missing, fixture: folder, "there is no scenario in \(place)")
    }
    return names.map { name in
      Fixture([folder, name].filter { !$0.isEmpty }.joined(separator: "/"), in: root.path)
    }
  }
}
