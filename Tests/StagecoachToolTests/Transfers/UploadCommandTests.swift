#if Tool
  import Foundation
  import StagecoachOrigin
  import Testing

  @Suite struct UploadCommandTests {
    @Test(arguments: [([String](), "PUT"), (["--method", "POST"], "POST"), (["-X", "PATCH"], "PATCH")])
    func aFileIsSentAndTheResponsePrinted(options: [String], method: String) async throws {
      let origin = try await Origin.start()
      let scratch = try ScratchFolder()
      let file = try scratch.write("film.json", Array(#"{"a":1}"#.utf8))
      let outcome = try await ToolProcess(["upload", file, "\(origin.url)/echo"] + options).outcome()
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.errors.isEmpty)
      let last = try #require(origin.requests.last)
      #expect(last.method == method)
      #expect(last["Content-Type"] == "application/json")
      // One member per line, as fetch prints JSON.
      #expect(outcome.text.hasPrefix("{\n") && outcome.text.contains(#"\"a\":1"#), "\(outcome)")
      try await origin.stop()
    }

    @Test func aLargeFileArrivesWhole() async throws {
      let origin = try await Origin.start()
      let scratch = try ScratchFolder()
      let file = try scratch.write("film", Data(repeating: 7, count: 3_000_000))
      let outcome = try await ToolProcess.run("upload", file, "\(origin.url)/upload", terminal: .errors)
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.text.contains("3000000"), "\(outcome)")
      let frames = outcome.errors.split(separator: "\r\u{1b}[K")
      #expect(
        !frames.isEmpty && frames.allSatisfy { $0.hasPrefix("[") || $0.hasSuffix("bytes") },
        "\(outcome)"
      )
      try await origin.stop()
    }

    @Test func failuresHaveTheCodesOfFetch() async throws {
      let origin = try await Origin.start()
      let scratch = try ScratchFolder()
      let file = try scratch.write("film", Array("x".utf8))
      let missing = scratch.path("missing").path
      for (arguments, status, text) in [
        ([file, "\(origin.url)/status/403"], 1, "[status]"), ([missing, "\(origin.url)/echo"], 4, "[file]"),
        ([scratch.path("").path, "\(origin.url)/echo"], 4, "[file]"), ([file, "nonsense"], 2, "absolute"),
        ([file], 2, "url"), ([file, "http://127.0.0.1:1/", "--retry", "0"], 3, "[connectionRefused]"),
        ([file, "\(origin.url)/hang", "--timeout", "0.3"], 3, "raise --timeout"),
      ] {
        let outcome = try await ToolProcess(["upload"] + arguments).outcome()
        #expect(outcome.status == Int32(status), "\(arguments) \(outcome)")
        #expect(outcome.errors.contains(text), "\(arguments) \(outcome)")
        #expect(outcome.output.isEmpty)
      }
      try await origin.stop()
    }

    @Test func anInterruptedUploadIs130() async throws {
      let origin = try await Origin.start()
      let scratch = try ScratchFolder()
      let file = try scratch.write("film", Array("x".utf8))
      let tool = try ToolProcess(["upload", file, "\(origin.url)/hang"])
      _ = try await origin.nextRequest(path: "/hang")
      tool.interrupt()
      let outcome = try await tool.outcome()
      #expect(outcome.status == 130, "\(outcome)")
      #expect(outcome.errors == "stagecoach: interrupted\n")
      try await origin.stop()
    }
  }
#endif
