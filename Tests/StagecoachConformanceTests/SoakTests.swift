// Processes cannot be started on Apple's other systems.
#if Tool && (os(macOS) || os(Linux))
  import ConformanceSubjects
  import Foundation
  import Stagecoach
  @testable import StagecoachConformance
  import StagecoachOrigin
  import Testing

  /// Many requests in a row over each transport leave nothing behind: 3,000, or as many as
  /// `STAGECOACH_SOAK_REQUESTS` says.
  @Suite(.serialized) struct SoakTests {
    private static let names = Subjects.all.filter { makeTransport($0) != nil }.map(\.name)

    /// In a process of its own, so that its memory is that of these requests alone.
    @Test(arguments: names)
    func requestsInARowLeaveNoDescriptorAndNoMemory(name: String) async {
      let end = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
        [name = name as String] in
        let subject = try #require(Subjects.all.first { $0.name == name })
        let transport = try #require(makeTransport(subject))
        let wanted = ProcessInfo.processInfo.environment["STAGECOACH_SOAK_REQUESTS"]
        let count = wanted.flatMap { Int($0) } ?? 3000
        var configuration = Origin.Configuration()
        configuration.recordsRequests = false
        let origin = try await Origin.start(configuration)
        let idle = try openDescriptors()
        let client = try Client(Pipeline(over: transport, stages: []), base: origin.url)
        for _ in 0..<count / 3 { _ = try await client.get("json", as: .data) }
        let before = try (openDescriptors(), residentMemory())
        for _ in 0..<count { _ = try await client.get("json", as: .data) }
        let after = try (openDescriptors(), residentMemory())
        print(
          "\(name), \(count) requests: descriptors \(before.0) to \(after.0), KiB \(before.1) to \(after.1)"
        )
        // Few: a connection may still be busy with its last answer when the next request comes.
        #expect(origin.acceptedConnections < 10)
        #expect(after.0 < before.0 + 10)
        // The sanitizers keep freed memory for a while; a leak would be some kilobytes a request.
        let program = dlopen(nil, RTLD_NOW)
        let isSanitized = dlsym(program, "__asan_init") != nil || dlsym(program, "__tsan_init") != nil
        #expect(isSanitized || after.1 - before.1 < 8192 + count * lostBytes(name) / 1024)
        await client.pipeline.shutdown()
        try await origin.stop()
        #expect(try openDescriptors() < idle + 10)
      }
      print(String(decoding: end?.standardOutputContent ?? [], as: UTF8.self))
    }
  }

  /// What an engine itself never frees of each request: URLSession on Linux the parts of its URL
  /// (FoundationNetworking, `CFURLSessionCurlHostIsEqual`).
  private func lostBytes(_ name: String) -> Int {
    #if canImport(FoundationNetworking)
      return name.hasPrefix("URLSession") ? 160 : 0
    #else
      return 0
    #endif
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
