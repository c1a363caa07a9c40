import Foundation
import StagecoachOrigin

/// The origin server in a process of its own, so that its work is not counted as the client's.
final class OriginProcess {
  let url: String
  private let process: Process
  private let input: Pipe

  init() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = ["--serve"]
    let output = Pipe()
    let input = Pipe()
    process.standardOutput = output
    process.standardInput = input
    try process.run()
    var line = Data()
    while !line.contains(UInt8(ascii: "\n")) {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { throw CocoaError(.fileReadUnknown) }
      line.append(data)
    }
    url = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    self.process = process
    self.input = input
  }

  /// The server ends when its standard input does.
  func stop() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// The other side: serves until standard input ends.
  static func serve() async throws {
    var configuration = Origin.Configuration()
    configuration.recordsRequests = false
    let origin = try await Origin.start(configuration)
    print(origin.url)
    fflush(nil)
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        while !FileHandle.standardInput.availableData.isEmpty {}
        continuation.resume()
      }
    }
    try await origin.stop()
  }
}

/// Runs this program again and returns what it prints: a peak of memory is a process's own.
func runAgain(_ arguments: [String], program: String = CommandLine.arguments[0]) throws -> String {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: program)
  process.arguments = arguments
  let output = Pipe()
  process.standardOutput = output
  try process.run()
  let data = output.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
  return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
}

/// The costs of both sides in so many processes that each print those that ``json(_:)`` made.
func costsOfProcesses(_ count: Int, _ arguments: [String]) throws -> (ours: [Cost], peer: [Cost]) {
  var costs: (ours: [Cost], peer: [Cost]) = ([], [])
  for _ in 0..<count {
    let more = try JSONDecoder().decode([[Cost]].self, from: Data(try runAgain(arguments).utf8))
    costs.ours += more[0]
    costs.peer += more[1]
  }
  return costs
}

/// What ``costsOfProcesses(_:_:)`` reads.
func json(_ costs: (ours: [Cost], peer: [Cost])) throws -> String {
  String(decoding: try JSONEncoder().encode([costs.ours, costs.peer]), as: UTF8.self)
}

/// The most memory that this process has had resident, in MiB.
func peakResidentMemory() -> Double {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
  let kilobytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap {
    Double($0)
  }
  return (kilobytes ?? .nan) / 1024
}
