#if Tool
  import Foundation
  import StagecoachConformance
  import StagecoachOrigin
  import TestSupport
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
      (["/close"], 3), (["/bytes/200000", "--limit", "1000"], 3), (["/status/404", "-X", "HEAD"], 1),
      (["/drip?bytes=100&duration=20000", "--timeout", "0.3"], 3), (["/json", "--as", "xml"], 1),
    ])
    func aFailureLeavesTheOldFileAndNoOther(arguments: [String], status: Int) async throws {
      let origin = try await Origin.start()
      let scratch = try ScratchFolder()
      let path = try scratch.write("file", Array("old".utf8))
      let all = ["fetch", origin.url + arguments[0], "--output", path] + arguments.dropFirst()
      let outcome = try await ToolProcess(all).outcome()
      #expect(outcome.status == Int32(status), "\(outcome)")
      #expect(try String(contentsOf: scratch.path("file"), encoding: .utf8) == "old")
      #expect(try scratch.names == ["file"])
    }

    /// A body that is longer than an error shows.
    private static let page = String(repeating: "<p>no such page</p>\n", count: 10_000)

    private func wire(_ status: String, _ body: String = page, short: Int = 0) throws -> WireServer {
      let length = body.utf8.count + short
      let head = "HTTP/1.1 \(status)\r\nContent-Type: text/html\r\nContent-Length: \(length)\r\n\r\n"
      return try WireServer(answering: head + body, closes: true)
    }

    @Test func aBodyThatBreaksOffLeavesTheOldFile() async throws {
      let wire = try wire("200 OK", short: 1)
      defer { wire.stop() }
      let scratch = try ScratchFolder()
      let path = try scratch.write("file", Array("old".utf8))
      let outcome = try await ToolProcess.run("fetch", wire.url, "--output", path)
      #expect(outcome.status == 3, "\(outcome)")
      #expect(try String(contentsOf: scratch.path("file"), encoding: .utf8) == "old")
      #expect(try scratch.names == ["file"])
    }

    @Test(arguments: [[], ["--as", "json"], ["--as", "data", "--compressed"]])
    func theBodyOfAnErrorIsWritten(arguments: [String]) async throws {
      let wire = try wire("404 Not Found")
      defer { wire.stop() }
      let scratch = try ScratchFolder()
      let path = try scratch.write("file", Array("old".utf8))
      let outcome = try await ToolProcess(["fetch", wire.url, "--output", path] + arguments).outcome()
      #expect(outcome.status == 1, "\(outcome)")
      #expect(outcome.errors.contains("unexpected status 404 Not Found"), "\(outcome)")
      #expect(outcome.output.isEmpty)
      let isWritten = try String(contentsOf: scratch.path("file"), encoding: .utf8) == Self.page
      #expect(isWritten)
      #expect(try scratch.names == ["file"])
    }

    @Test func theBodyOfAnErrorIsPrintedAsData() async throws {
      let wire = try wire("500 Internal Server Error")
      defer { wire.stop() }
      let outcome = try await ToolProcess.run("fetch", wire.url, "--as", "data")
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("unexpected status 500 Internal Server Error"))
      let isPrinted = outcome.text == Self.page
      #expect(isPrinted)
      let reported = try await ToolProcess.run("fetch", wire.url, "--as", "data", "--report", "json")
      let members = try JSONSerialization.jsonObject(with: reported.output) as? [String: Any]
      let isReported = members?["body"] as? String == Self.page
      #expect(isReported && reported.status == 1)
      // Decoded otherwise, it is in the error alone.
      let decoded = try await ToolProcess.run("fetch", wire.url)
      #expect(decoded.status == 1 && decoded.output.isEmpty)
    }

    @Test(arguments: [("", 0), ("half of it", 10)])
    func anErrorWithoutAWholeBodyLeavesTheOldFile(body: String, short: Int) async throws {
      let wire = try wire("404 Not Found", body, short: short)
      defer { wire.stop() }
      let scratch = try ScratchFolder()
      let path = try scratch.write("file", Array("old".utf8))
      let outcome = try await ToolProcess.run("fetch", wire.url, "--output", path)
      #expect(outcome.status == 1, "\(outcome)")
      #expect(outcome.errors.contains("unexpected status 404"), "\(outcome)")
      #expect(try String(contentsOf: scratch.path("file"), encoding: .utf8) == "old")
      #expect(try scratch.names == ["file"])
    }

    @Test func theBodyOfAnErrorHasTheLimit() async throws {
      let wire = try wire("404 Not Found")
      defer { wire.stop() }
      let scratch = try ScratchFolder()
      let path = scratch.path("file").path
      let outcome = try await ToolProcess.run("fetch", wire.url, "--output", path, "--limit", "1000")
      #expect(outcome.status == 3, "\(outcome)")
      #expect(try scratch.names.isEmpty)
    }

    // MARK: Content codings

    /// A file that the server publishes with a coding is that file.
    @Test(arguments: ["gzip", "x-gzip"])
    func aFileIsWhatTheServerPublished(coding: String) async throws {
      let coded: [UInt8] = [
        0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 7, 0, 0x86, 0xa6, 0x10, 0x36, 5, 0,
        0, 0,
      ]
      let files = try ScratchFolder()
      _ = try files.write("x.tar.gz", coded)
      let nginx = try Nginx(
        directives:
          "location /files/ { alias \(files.path("").path)/; add_header Content-Encoding \(coding); }"
      )
      defer { nginx.stop() }
      try await nginx.isListening()
      let scratch = try ScratchFolder()
      let file = scratch.path("x.tar.gz").path
      let url = "\(nginx.url)files/x.tar.gz"
      for (arguments, content) in [
        (["fetch", url, "--output", file], Data(coded)), (["download", url, "--output", file], Data(coded)),
        (["fetch", url, "--output", file, "--compressed"], Data("hello".utf8)),
        (["fetch", url, "--output", file, "--as", "text"], Data("hello".utf8)),
      ] {
        let outcome = try await ToolProcess(arguments).outcome()
        #expect(outcome.status == 0, "\(arguments) \(outcome)")
        #expect(try Data(contentsOf: scratch.path("x.tar.gz")) == content, "\(arguments)")
      }
      let plain = try await ToolProcess.run("fetch", url)
      let compressed = try await ToolProcess.run("fetch", url, "--compressed")
      #expect(plain.text == "hello" && compressed.text == "hello", "\(plain) \(compressed)")
    }

    @Test func aFileIsAskedForWithoutACoding() async throws {
      let origin = try await Origin.start()
      let scratch = try ScratchFolder()
      let path = scratch.path("file").path
      func coding(_ arguments: String...) async throws -> String? {
        let outcome = try await ToolProcess(["fetch", "\(origin.url)/bytes/3"] + arguments).outcome()
        #expect(outcome.status == 0, "\(outcome)")
        return try await origin.nextRequest(path: "/bytes/3")["Accept-Encoding"]
      }
      #expect(try await coding("--output", path) == "identity")
      let usual = try await coding()
      #expect(usual?.contains("gzip") == true)
      #expect(try await coding("--output", path, "--compressed") == usual)
      #expect(try await coding("--compressed") == usual)
      #expect(try await coding("--output", path, "-H", "Accept-Encoding: br") == "br")
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
