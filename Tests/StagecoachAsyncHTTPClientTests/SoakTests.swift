#if Tool
  import Foundation
  import Stagecoach
  import StagecoachAsyncHTTPClient
  import StagecoachOrigin
  import Testing

  /// Many requests in a row leave nothing behind: 3,000, or as many as `STAGECOACH_SOAK_REQUESTS` says.
  @Suite struct SoakTests {
    /// In a process of its own, so that its memory is that of these requests alone.
    @Test func requestsInARowLeaveNoDescriptorAndNoMemory() async {
      await #expect(processExitsWith: .success) {
        let wanted = ProcessInfo.processInfo.environment["STAGECOACH_SOAK_REQUESTS"]
        let count = wanted.flatMap { Int($0) } ?? 3000
        var configuration = Origin.Configuration()
        configuration.recordsRequests = false
        let origin = try await Origin.start(configuration)
        let client = try Client(bare(AsyncHTTPClientTransport()), base: origin.url, ownsTransport: true)
        for _ in 0..<count / 10 { _ = try await client.get("json", as: .data) }
        let before = try (connections(to: origin.port), residentMemory())
        for _ in 0..<count { _ = try await client.get("json", as: .data) }
        let after = try (connections(to: origin.port), residentMemory())
        if count > 3000 {
          print("\(count) requests: descriptors \(before.0) to \(after.0), KiB \(before.1) to \(after.1)")
        }
        #expect(origin.acceptedConnections == 1)
        #expect(after.0 <= before.0)
        // The sanitizers keep freed memory for a while; a leak would be some kilobytes a request.
        let program = dlopen(nil, RTLD_NOW)
        let isSanitized = dlsym(program, "__asan_init") != nil || dlsym(program, "__tsan_init") != nil
        #expect(isSanitized || after.1 - before.1 < 8192)
        await client.shutdown()
        #expect(try connections(to: origin.port) == 0)
        try await origin.stop()
      }
    }
  }

  /// The resident memory of this process in KiB, where the system tells.
  private func residentMemory() throws -> Int {
    #if os(Linux)
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
      return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    #else
      return 0
    #endif
  }
#endif
