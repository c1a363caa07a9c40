import ArgumentParser
import Foundation

/// The peak of resident memory while the rows of a generated document are decoded, against one row, each in a process
/// of its own.
struct XMLRecordRows {
  let quick: Bool

  func run() throws -> [Row] {
    let size = quick ? 100 : 1024
    let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("RecordsPeak").path
    guard FileManager.default.isExecutableFile(atPath: program) else {
      throw ValidationError("RecordsPeak is missing beside this program: build all of the package")
    }
    let ours = Double(try runAgain(["\(size)"], program: program)) ?? .nan
    let peer = Double(try runAgain(["0"], program: program)) ?? .nan
    return [
      Row(
        name: "xml/records/peak-memory",
        unit: "MiB, of \(size) MiB",
        ours: ours,
        peer: peer,
        peerName: "no rows",
        ratio: ours / peer
      )
    ]
  }
}
