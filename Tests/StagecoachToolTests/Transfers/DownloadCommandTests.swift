#if Tool
  import Foundation
  import StagecoachConformance
  import StagecoachOrigin
  import TestSupport
  import Testing

  @Suite struct DownloadCommandTests {
    /// The content of `/bytes/3000000`.
    private static let content = Data((0..<3_000_000).map { UInt8($0 % 251) })
    private static let hash = "sha-256:0000000000000000000000000000000000000000000000000000000000000000"

    private func nginx(_ content: Data, in folder: ScratchFolder, _ more: String = "") async throws -> Nginx {
      _ = try folder.write("image.bin", content)
      let nginx = try Nginx(directives: "location /files/ { alias \(folder.path("").path)/; \(more) }")
      try await nginx.isListening()
      return nginx
    }

    // MARK: Files

    @Test func aFileIsReplacedWhenItIsComplete() async throws {
      let origin = try await Origin.start()
      let scratch = try ScratchFolder()
      let path = try scratch.write("file", Array("old".utf8))
      let outcome = try await ToolProcess.run("download", "\(origin.url)/bytes/3000000", "--output", path)
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.output.isEmpty && outcome.errors.isEmpty, "\(outcome)")
      #expect(try Data(contentsOf: scratch.path("file")) == Self.content)
      #expect(try scratch.names == ["file"])
      try await origin.stop()
    }

    @Test(arguments: [1, 4])
    func anInterruptedDownloadGoesOn(parts: Int) async throws {
      let (files, scratch) = (try ScratchFolder(), try ScratchFolder())
      let content = Data((0..<8_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
      let nginx = try await nginx(content, in: files)
      defer { nginx.stop() }
      let proxy = try CuttingProxy(to: nginx.port)
      defer { proxy.stop() }
      let (reached, reach) = AsyncStream.makeStream(of: Void.self)
      proxy.begin([(5_000_000, .call { reach.finish() }), (5_000_000, .stall)])
      let arguments = [
        "download", "\(proxy.url)/files/image.bin", "--output", scratch.path("file").path, "--parallel",
        "\(parts)",
      ]
      let tool = try ToolProcess(arguments)
      for await _ in reached {}
      tool.interrupt()
      let first = try await tool.outcome()
      #expect(first.status == 130, "\(first)")
      #expect(first.errors.contains("interrupted"))
      #expect(first.errors.contains("What came is kept in \(scratch.path("file.part").path)"), "\(first)")
      #expect(try scratch.names == ["file.part", "file.part.json"])
      // A slow machine may not have begun with all of them.
      #expect((min(parts, 2)...parts).contains(proxy.takeRanges().count))
      proxy.begin()
      let second = try await ToolProcess(arguments).outcome()
      #expect(second.status == 0, "\(second)")
      #expect(proxy.takeRanges().allSatisfy { !$0.isEmpty })
      #expect(try Data(contentsOf: scratch.path("file")) == content)
      #expect(try scratch.names == ["file"])
    }

    @Test func aFullDiskKeepsTheBytes() async throws {
      let (files, scratch) = (try ScratchFolder(), try ScratchFolder())
      let nginx = try await nginx(Self.content, in: files)
      defer { nginx.stop() }
      let file = scratch.path("file")
      let arguments = ["download", "\(nginx.url)files/image.bin", "--output", file.path]
      let full = try await ToolProcess(arguments, largestFile: 1024).outcome()
      #expect(full.status == 4, "\(full)")
      #expect(full.errors.contains("cannot write"), "\(full)")
      // All but what was not written as a whole.
      #expect((900_000...1024 * 1024).contains(try Data(contentsOf: scratch.path("file.part")).count))
      let complete = try await ToolProcess(arguments).outcome()
      #expect(complete.status == 0, "\(complete)")
      #expect(try Data(contentsOf: file) == Self.content)
      #expect(try scratch.names == ["file"])
    }

    @Test func aSecondProcessIsRefused() async throws {
      let origin = try await Origin.start()
      let scratch = try ScratchFolder()
      let arguments = [
        "download", "\(origin.url)/drip?bytes=100&duration=60000", "--output", scratch.path("file").path,
      ]
      let first = try ToolProcess(arguments)
      _ = try await origin.nextRequest(path: "/drip")
      let second = try await ToolProcess(arguments).outcome()
      #expect(second.status == 4, "\(second)")
      #expect(second.errors.contains("file.part is in use by another download"), "\(second)")
      #expect(!second.errors.contains("kept"))
      first.interrupt()
      #expect(try await first.outcome().status == 130)
      // It had nothing to ask for the rest by.
      #expect(try scratch.names == [])
      try await origin.stop()
    }

    /// nginx answers 503 to more than two requests at the same time from one address.
    @Test func partsThatTheServerRefusesWait() async throws {
      let (files, scratch) = (try ScratchFolder(), try ScratchFolder())
      let content = Data((0..<16_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
      _ = try files.write("image.bin", content)
      let nginx = try Nginx(
        directives: """
          location /files/ { alias \(files.path("").path)/; limit_conn two 2; limit_rate 8m; limit_rate_after 64k; }
          """,
        outside: "limit_conn_zone $binary_remote_addr zone=two:1m;"
      )
      defer { nginx.stop() }
      try await nginx.isListening()
      let outcome = try await ToolProcess.run(
        "download",
        "\(nginx.url)files/image.bin",
        "--output",
        scratch.path("file").path,
        "--parallel",
        "8"
      )
      #expect(outcome.status == 0, "\(outcome)")
      #expect(try Data(contentsOf: scratch.path("file")) == content)
      #expect(try scratch.names == ["file"])
      // It was refused, and no byte came twice.
      let statuses = try nginx.log().compactMap { $0.firstMatch(of: #/" (\d{3}) /#)?.1 }
      #expect(statuses.contains("503"))
      #expect(statuses.filter { $0 == "206" }.count == 7, "\(statuses)")
    }

    /// What another server answers in the name of the file is not the file.
    @Test(arguments: [
      "204 No Content\r\n", "200 OK\r\nContent-Type: text/html\r\nContent-Length: 38\r\n",
      "200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n",
    ])
    func anotherReplyKeepsWhatCame(head: String) async throws {
      let scratch = try ScratchFolder()
      let path = scratch.path("file").path
      let body = "<title>Log in to go on, please</title>"
      let part =
        "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 1000\r\n\r\n" + String(repeating: "x", count: 400)
      let other = "HTTP/1.1 \(head)\r\n" + (head.hasPrefix("204") ? "" : body)
      let count = Counter()
      let wire = try WireServer { wire in
        try wire.readHead()
        try wire.send(Array((count.add() == 1 ? part : other).utf8))
      }
      defer { wire.stop() }
      let arguments = ["download", wire.url + "/file", "--output", path, "--retry", "0"]
      let first = try await ToolProcess(arguments).outcome()
      #expect(first.status == 3, "\(first)")
      let second = try await ToolProcess(arguments).outcome()
      #expect(second.status == 1, "\(second)")
      #expect(second.errors.contains("What came is kept in \(path).part"), "\(second)")
      #expect(try scratch.names == ["file.part", "file.part.json"])
      #expect(try Data(contentsOf: scratch.path("file.part")).count == 400)
    }

    // MARK: Names

    @Test(arguments: [
      ("/bytes/1000", "./1000"), ("/files/..%2f..%2fevil", "./evil"),
    ])
    func withoutOutputTheURLGivesTheName(path: String, name: String) async throws {
      let wire = try WireServer(answering: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", closes: true)
      defer { wire.stop() }
      let scratch = try ScratchFolder()
      let outcome = try await run(in: scratch, wire.url + path)
      #expect(outcome.text == "\(name)\n", "\(outcome)")
      #expect(try String(contentsOf: scratch.path(name), encoding: .utf8) == "hi")
      #expect(try scratch.names.count == 1)
    }

    @Test func aNameOfTheServerNeverReplacesAFile() async throws {
      let wire = try WireServer(
        answering: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n"
          + "Content-Disposition: attachment; filename=\"../report.txt\"\r\n\r\nhi",
        closes: true
      )
      defer { wire.stop() }
      let scratch = try ScratchFolder()
      let mine = try scratch.write("report.txt", Array("mine".utf8))
      let outcome = try await run(in: scratch, wire.url + "/x")
      #expect(outcome.text == "./report (1).txt\n", "\(outcome)")
      #expect(try scratch.names == ["report (1).txt", "report.txt"])
      #expect(try String(contentsOfFile: mine, encoding: .utf8) == "mine")
    }

    /// Runs a download in a folder of its own.
    private func run(in folder: ScratchFolder, _ url: String) async throws -> ToolProcess.Outcome {
      try await ToolProcess(["download", url], folder: folder.path("")).outcome()
    }

    // MARK: Exit codes

    @Test func aWrongChecksumIs1AndKeepsNothing() async throws {
      let (files, scratch) = (try ScratchFolder(), try ScratchFolder())
      let nginx = try await nginx(Self.content, in: files)
      defer { nginx.stop() }
      let path = try scratch.write("file", Array("old".utf8))
      let arguments = ["download", "\(nginx.url)files/image.bin", "--output", path, "--checksum"]
      let wrong = try await ToolProcess(arguments + [Self.hash]).outcome()
      #expect(wrong.status == 1, "\(wrong)")
      #expect(wrong.errors.contains("checksum.mismatch") && wrong.errors.contains(Self.hash), "\(wrong)")
      #expect(try scratch.names == ["file"])
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
      let hash = try #require(try await Self.md5(files.path("image.bin").path))
      let right = try await ToolProcess(arguments + ["MD5:\(hash)"]).outcome()
      #expect(right.status == 0, "\(right)")
      #expect(try Data(contentsOf: scratch.path("file")) == Self.content)
    }

    private static func md5(_ path: String) async throws -> Substring? {
      let script = "import hashlib, sys; print(hashlib.md5(open(sys.argv[1], 'rb').read()).hexdigest())"
      return String(decoding: try await Python.run(script, arguments: [path]), as: UTF8.self)
        .split(separator: "\n").first
    }

    @Test(arguments: [
      (["/status/404"], 1, "[status]"), (["/bytes/1000", "--limit", "999"], 3, "raise --limit"),
      (["/hang", "--timeout", "0.3"], 3, "raise --timeout"),
      (["/close", "--retry", "0"], 3, "[connectionReset]"),
    ])
    func aFailureHasTheCodeThatFetchHas(arguments: [String], status: Int, text: String) async throws {
      let origin = try await Origin.start()
      let scratch = try ScratchFolder()
      let path = try scratch.write("file", Array("old".utf8))
      let all = ["download", origin.url + arguments[0], "--output", path] + arguments.dropFirst()
      let outcome = try await ToolProcess(all).outcome()
      #expect(outcome.status == Int32(status), "\(outcome)")
      #expect(outcome.errors.contains(text), "\(outcome)")
      #expect(try scratch.names == ["file"])
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
      try await origin.stop()
    }

    @Test(arguments: [
      ["--parallel", "0"], ["--parallel", "33"], ["--checksum", "sha-256:12"], ["--checksum", "crc:00"],
      ["--output", ""], ["--digest"], ["-H", "no colon"], ["--limit", "-1"],
    ])
    func aWrongCommandLineIs2(arguments: [String]) async throws {
      let outcome = try await ToolProcess(["download", "http://127.0.0.1:1/"] + arguments).outcome()
      #expect(outcome.status == 2, "\(arguments) \(outcome)")
      #expect(outcome.output.isEmpty && !outcome.errors.isEmpty)
    }

    @Test func aFileThatCannotBeWrittenIs4() async throws {
      let origin = try await Origin.start()
      let scratch = try ScratchFolder()
      for path in [scratch.path("missing/file").path, scratch.path("").path, "/dev/null"] {
        let outcome = try await ToolProcess.run("download", "\(origin.url)/json", "--output", path)
        #expect(outcome.status == 4, "\(path) \(outcome)")
        #expect(outcome.errors.contains("[file]"))
      }
      #expect(origin.requests.isEmpty)
      try await origin.stop()
    }

    // MARK: Options of fetch

    @Test func takesTheFieldsCredentialsAndTrustOfFetch() async throws {
      let origin = try await Origin.start()
      let scratch = try ScratchFolder()
      let path = scratch.path("file").path
      let outcome = try await ToolProcess.run(
        "download",
        "\(origin.url)/basic-auth/user/secret",
        "--user",
        "user:secret",
        "-H",
        "X-Mine: 1",
        "--output",
        path
      )
      #expect(outcome.status == 0, "\(outcome)")
      let last = try #require(origin.requests.last)
      #expect(last["X-Mine"] == "1")
      #expect(last["Accept-Encoding"] == "identity")
      try await origin.stop()
    }

    // MARK: The bar

    @Test func aBarTellsRateAndEstimateOnATerminal() async throws {
      let files = try ScratchFolder()
      let scratch = try ScratchFolder()
      let nginx = try await nginx(Self.content, in: files, "limit_rate 1m; limit_rate_after 64k;")
      defer { nginx.stop() }
      let outcome = try await ToolProcess.run(
        "download",
        "\(nginx.url)files/image.bin",
        "--output",
        scratch.path("file").path,
        terminal: .errors
      )
      #expect(outcome.status == 0, "\(outcome)")
      let frames = outcome.errors.split(separator: "\r\u{1b}[K")
      #expect(
        frames.allSatisfy { $0.wholeMatch(of: #/(\[#*-*\] +[0-9]+ %  )?[0-9.]+ (bytes|[KM]iB).*/#) != nil }
      )
      let hasEstimate = frames.contains { $0.contains(#/\/s, [0-9]+ s left$/#) }
      #expect(hasEstimate, "\(frames)")
      #expect(outcome.errors.hasSuffix("\r\u{1b}[K"))
      #expect(outcome.output.isEmpty)
    }
  }
#endif
