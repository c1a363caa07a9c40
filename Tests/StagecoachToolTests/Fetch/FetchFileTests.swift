#if Tool
  import Foundation
  import StagecoachOrigin
  import Testing

  @Suite struct FetchFileTests {
    @Test func aCompleteFileIsInItsPlace() async throws {
      let origin = try await Origin.start()
      let scratch = try ScratchFolder()
      _ = try scratch.write("file", Array("old".utf8))
      let path = scratch.path("file").path
      let outcome = try await ToolProcess.run("fetch", "\(origin.url)/bytes/2000000", "--output", path)
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.output.isEmpty)
      #expect(outcome.errors.isEmpty)
      #expect(try Data(contentsOf: scratch.path("file")) == Data((0..<2_000_000).map { UInt8($0 % 251) }))
      #expect(try scratch.names == ["file"])
    }

    @Test func aFileHoldsTheBodyAsItCame() async throws {
      let origin = try await Origin.start()
      let scratch = try ScratchFolder()
      let path = scratch.path("file").path
      _ = try await ToolProcess.run("fetch", "\(origin.url)/json", "--output", path)
      #expect(try String(contentsOf: scratch.path("file"), encoding: .utf8).hasPrefix(#"{"title":"#))
      _ = try await ToolProcess.run("fetch", "\(origin.url)/json", "--output", path, "--as", "json")
      #expect(try String(contentsOf: scratch.path("file"), encoding: .utf8).hasPrefix("{\n  \"title\": "))
    }

    @Test(arguments: [
      (["/bytes/200000"], 3), (["/bytes/200000", "--limit", "1000"], 3), (["/status/404"], 1),
      (["/drip?bytes=100&duration=20000", "--timeout", "0.3"], 3), (["/json", "--as", "xml"], 1),
    ])
    func aFailureLeavesTheOldFileAndNoOther(arguments: [String], status: Int) async throws {
      var configuration = Origin.Configuration()
      configuration.fault = .truncatesBody
      let origin = try await Origin.start(configuration)
      let scratch = try ScratchFolder()
      let path = try scratch.write("file", Array("old".utf8))
      let all = ["fetch", origin.url + arguments[0], "--output", path] + arguments.dropFirst()
      let outcome = try await ToolProcess(all).outcome()
      #expect(outcome.status == Int32(status), "\(outcome)")
      #expect(try String(contentsOf: scratch.path("file"), encoding: .utf8) == "old")
      #expect(try scratch.names == ["file"])
    }

    @Test func anInterruptedDownloadLeavesNothing() async throws {
      let origin = try await Origin.start()
      let scratch = try ScratchFolder()
      let url = "\(origin.url)/drip?bytes=100&duration=60000"
      let tool = try ToolProcess(["fetch", url, "--output", scratch.path("file").path])
      _ = try await origin.nextRequest(path: "/drip")
      try await eventually { try scratch.names.contains { $0.hasPrefix("file.part-") } }
      #expect(try !scratch.names.contains("file"))
      tool.interrupt()
      let outcome = try await tool.outcome()
      #expect(outcome.status == 130, "\(outcome)")
      #expect(try scratch.names.isEmpty)
    }

    @Test func anInterruptionWhileWaitingIs130() async throws {
      let origin = try await Origin.start()
      let tool = try ToolProcess(["fetch", "\(origin.url)/hang"])
      _ = try await origin.nextRequest(path: "/hang")
      tool.interrupt()
      let outcome = try await tool.outcome()
      #expect(outcome.status == 130, "\(outcome)")
      #expect(outcome.output.isEmpty)
    }

    @Test func aLinkKeepsPointingWhereItDoes() async throws {
      let origin = try await Origin.start()
      let scratch = try ScratchFolder()
      _ = try scratch.write("target", Array("old".utf8))
      try FileManager.default.createSymbolicLink(
        at: scratch.path("link"),
        withDestinationURL: scratch.path("target")
      )
      let outcome = try await ToolProcess.run(
        "fetch",
        "\(origin.url)/bytes/3",
        "--output",
        scratch.path("link").path
      )
      #expect(outcome.status == 0, "\(outcome)")
      #expect(try Data(contentsOf: scratch.path("target")) == Data([0, 1, 2]))
      #expect(try scratch.names == ["link", "target"])
    }

    @Test func aDeviceIsWrittenToAndNotReplaced() async throws {
      let origin = try await Origin.start()
      let outcome = try await ToolProcess.run("fetch", "\(origin.url)/bytes/3", "--output", "/dev/null")
      #expect(outcome.status == 0, "\(outcome)")
      var status = stat()
      #expect(stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
    }

    private func eventually(_ isMet: () throws -> Bool) async throws {
      for _ in 0..<1000 {
        if try isMet() { return }
        try await Task.sleep(for: .milliseconds(10))
      }
      Issue.record("it did not happen within 10 s")
    }
  }
#endif
