import Foundation
import PackagePlugin

/// The command-line tool, built when it is asked for: as a dependency of a plug-in it would be compiled in every build.
enum StagecoachTool {
  static func run(_ arguments: [String], in context: PluginContext, _ manager: PackageManager) throws {
    let build = try manager.build(.product("stagecoach"), parameters: .init())
    let artifact = build.builtArtifacts.first { $0.url.lastPathComponent == "stagecoach" }
    guard build.succeeded, let artifact else {
      throw ContractFailure(description: "the tool was not built:\n\(build.logText)")
    }
    let tool = Process()
    tool.executableURL = artifact.url
    tool.arguments = arguments
    tool.currentDirectoryURL = context.package.directoryURL
    try tool.run()
    let forwarding = forwardSignals(to: tool.processIdentifier)
    tool.waitUntilExit()
    for source in forwarding { source.cancel() }
    guard tool.terminationStatus == 0 else {
      throw ContractFailure(description: "stagecoach ended with status \(tool.terminationStatus)")
    }
  }

  /// Passes on what ends the plug-in. The tool has a process group of its own, so that Control-C in a terminal does not
  /// reach it: without this, a recording would go on alone.
  private static func forwardSignals(to tool: Int32) -> [any DispatchSourceSignal] {
    [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { kill(tool, SIGINT) }
      source.resume()
      return source
    }
  }
}

/// Why the command failed.
struct ContractFailure: Error, CustomStringConvertible {
  let description: String
}
