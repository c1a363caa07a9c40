#if Tool
  import Foundation
  import Testing

  /// A running `stagecoach proxy`.
  struct ProxyProcess {
    let process: ToolProcess
    let url: String

    /// Starts a proxy, runs a test with it, and stops it: it must end with 0.
    ///
    /// - Returns: What it wrote to standard error.
    @discardableResult
    static func run(
      to upstream: String,
      _ arguments: String...,
      environment: [String: String] = [:],
      test: (ProxyProcess) async throws -> Void
    ) async throws -> String {
      let process = try ToolProcess(["proxy", "--upstream", upstream] + arguments, environment: environment)
      do {
        try await test(ProxyProcess(process: process, url: try await process.listening()))
      } catch {
        process.send(SIGKILL)
        throw error
      }
      process.send(SIGTERM)
      let outcome = try await process.outcome()
      #expect(outcome.status == 0, "\(outcome)")
      return outcome.errors
    }

    /// Sends a request whose connection ends with it. The text is the lines of its head after Host, and its content.
    func send(_ line: String, _ rest: String = "\n") async throws -> String {
      try await RawExchange.send("\(line)\nHost: HOST\nConnection: close\n\(rest)", to: url)
    }
  }
#endif
