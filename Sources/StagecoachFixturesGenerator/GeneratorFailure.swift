import StagecoachScenarios

/// The reasons why fixtures cannot be built, as compilers write them.
struct GeneratorFailure: Error {
  private(set) var lines: [String]

  init(_ lines: [String]) {
    self.lines = lines
  }

  init(file: String, line: Int, _ message: String) {
    let text = message.map { $0.isNewline ? " " : String($0) }.joined()
    lines = ["\(file):\(line): error: \(text)"]
  }

  /// - Parameters:
  ///   - error: What reading a scenario threw.
  ///   - manifest: Its manifest, with the content.
  init(_ error: ScenarioError, manifest: String, content: [UInt8]) {
    if let line = error.line {
      self.init(file: error.file, line: line, error.message)
    } else if error.file == manifest {
      self.init(file: manifest, line: 1, error.message)
    } else {
      // A body file: the place that names it is what has to be changed.
      let name = error.file.split(separator: "/").last.map(String.init) ?? error.file
      let rows = content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let row = rows.firstIndex { $0.firstRange(of: Array("\(name)\"".utf8)) != nil }
      self.init(file: manifest, line: (row ?? 0) + 1, "\(name): \(error.message)")
    }
  }
}
