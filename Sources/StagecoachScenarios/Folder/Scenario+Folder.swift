public import StagecoachFormats

extension Scenario {
  /// The names of the files that hold bodies, in the folder of the scenario.
  public var bodyFiles: [String] {
    exchanges.flatMap { [$0.request.body?.file, $0.reply.body?.file].compactMap(\.self) }
  }

  /// Reads a scenario.
  ///
  /// - Parameter folder: The path of a folder with `scenario.json`, or of a file `.http` with exchanges that were
  ///   written by hand: a request, a line `###`, its response, and so on.
  /// - Throws: ``ScenarioError``, with the line where there is one.
  public init(folder: String) throws {
    guard folder.hasSuffix(".http"), !ScenarioFolder(path: folder).hasManifest else {
      self = try ScenarioFolder(path: folder).scenario()
      return
    }
    var left = ScenarioFolder.limit
    let parts = folder.split(separator: "/", omittingEmptySubsequences: false)
    let parent = parts.count > 1 ? parts.dropLast().joined(separator: "/") : "."
    let text = try ScenarioFolder(path: parent).contents(of: String(parts.last ?? ""), &left)
    try self.init(http: text, file: folder)
  }

  /// Reads a scenario whose files are not in a folder.
  ///
  /// - Parameters:
  ///   - manifest: The content of `scenario.json`.
  ///   - file: The name of it in errors.
  ///   - readFile: Returns the content of a body file.
  /// - Throws: ``ScenarioError``, and any error of the closure.
  public init(manifest: [UInt8], file: String = "scenario.json", readFile: (String) throws -> Bytes) throws {
    self = try ScenarioFolder.scenario(in: manifest, of: file) { name, _ in try readFile(name) }
  }

  /// Writes the scenario to a folder, which is created if it does not exist. The same scenario gives the same bytes. A
  /// process that ends while it writes leaves the old scenario or the new one.
  ///
  /// - Throws: ``ScenarioError``.
  public func write(folder: String) throws {
    var writer = ScenarioWriter(folder: folder)
    try writer.write(self)
  }
}
