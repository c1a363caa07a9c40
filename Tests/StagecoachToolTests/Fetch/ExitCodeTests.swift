#if Tool
  import Foundation
  import StagecoachConformance
  import StagecoachOrigin
  import Testing

  @Suite struct ExitCodeTests {
    @Test func aGoodAnswerIs0() async throws {
      let origin = try await Origin.start()
      let outcome = try await ToolProcess.run("fetch", "\(origin.url)/json")
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.errors.isEmpty)
    }

    @Test(arguments: [
      (["/status/404"], "[status]"),
      (["/status/500", "--as", "json"], "[status]"),
      (["/mismatch/type", "--as", "plist"], "[mediaType]"),
      (["/json", "--as", "xml"], "[mediaType]"),
    ])
    func aRefusedAnswerIs1(arguments: [String], kind: String) async throws {
      let origin = try await Origin.start()
      let outcome = try await ToolProcess(["fetch", origin.url + arguments[0]] + arguments.dropFirst())
        .outcome()
      #expect(outcome.status == 1, "\(outcome)")
      #expect(outcome.errors.contains(kind))
      #expect(outcome.output.isEmpty)
    }

    @Test(arguments: [
      ("application/json", "[1,", "auto"), ("application/json", "{]", "json"),
      ("application/xml", "<a>\u{fe}</a>", "xml"),
    ])
    func anAnswerThatCannotBeReadIs1(type: String, body: String, form: String) async throws {
      let bytes = Array(body.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
      let head = "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: \(bytes.count)\r\n\r\n"
      let wire = try WireServer(answering: Array(head.utf8) + bytes, closes: false)
      defer { wire.stop() }
      let outcome = try await ToolProcess.run("fetch", wire.url, "--as", form)
      #expect(outcome.status == 1, "\(outcome)")
      #expect(outcome.errors.contains("[serialization]"))
      #expect(outcome.output.isEmpty)
    }

    @Test(arguments: [
      [], ["http://127.0.0.1:1/", "--nonsense"], ["http://127.0.0.1:1/", "-H", "no colon"],
      ["http://127.0.0.1:1/", "-H", "X: a\r\nY: b"], ["http://127.0.0.1:1/", "-H", "bad name: x"],
      ["http://127.0.0.1:1/", "-X", "NO METHOD"], ["http://127.0.0.1:1/", "--query", "novalue"],
      ["http://127.0.0.1:1/", "--json", "{nonsense"], ["http://127.0.0.1:1/", "--body", "nofile"],
      ["http://127.0.0.1:1/", "--json", "1", "--body", "@x"], ["http://127.0.0.1:1/", "--as", "toast"],
      ["http://127.0.0.1:1/", "--xpath", "/", "--as", "json"], ["http://127.0.0.1:1/", "--timeout", "0"],
      ["http://127.0.0.1:1/", "--timeout", "nan"], ["http://127.0.0.1:1/", "--limit", "-1"],
      ["http://127.0.0.1:1/", "--report", "xml"], ["127.0.0.1:1/"], ["/relative"], ["ftp://127.0.0.1/"],
      ["http://127.0.0.1:99999/"], ["http:///path"], [""],
    ])
    func aWrongCommandLineIs2(arguments: [String]) async throws {
      let outcome = try await ToolProcess(["fetch"] + arguments).outcome()
      #expect(outcome.status == 2, "\(arguments) \(outcome)")
      #expect(outcome.output.isEmpty)
      #expect(!outcome.errors.isEmpty)
      #expect(!outcome.errors.contains("password@"))
    }

    @Test func anUnknownCommandIs2() async throws {
      #expect(try await ToolProcess.run("frobnicate").status == 2)
      #expect(try await ToolProcess.run("tour", "0").status == 2)
      #expect(try await ToolProcess.run("tour", "13").status == 2)
    }

    @Test func helpIs0AndGoesToOutput() async throws {
      for arguments in [["--help"], ["fetch", "--help"], ["tour", "--help"], ["--version"]] {
        let outcome = try await ToolProcess(arguments).outcome()
        #expect(outcome.status == 0)
        #expect(!outcome.output.isEmpty)
        #expect(outcome.errors.isEmpty)
      }
    }

    @Test(arguments: [
      (["/hang", "--timeout", "0.3"], "[timeout.total]"),
      (["/drip?bytes=100&duration=20000", "--timeout", "0.3", "--as", "data"], "[timeout.total]"),
      (["/bytes/1000", "--limit", "999"], "[limit.body]"),
      (["/chunked?chunks=10&size=100", "--limit", "999", "--as", "data"], "[limit.body]"),
      (["/text", "--limit", "3"], "[limit.body]"),
      (["/close"], "[connectionReset]"),
    ])
    func anIncompleteAnswerIs3(arguments: [String], kind: String) async throws {
      let origin = try await Origin.start()
      let outcome = try await ToolProcess(["fetch", origin.url + arguments[0]] + arguments.dropFirst())
        .outcome()
      #expect(outcome.status == 3, "\(outcome)")
      #expect(outcome.errors.contains(kind), "\(outcome)")
    }

    @Test func aTruncatedBodyIs3() async throws {
      let wire = try WireServer(
        answering: "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
        closes: true
      )
      defer { wire.stop() }
      let outcome = try await ToolProcess.run("fetch", wire.url)
      #expect(outcome.status == 3, "\(outcome.errors)")
      #expect(outcome.errors.contains("[incompleteBody]"))
    }

    @Test func aClosedPortIs3() async throws {
      // Not a port that the system may have given to somebody else by now.
      let outcome = try await ToolProcess.run("fetch", "http://127.0.0.1:1/")
      #expect(outcome.status == 3, "\(outcome)")
      #expect(outcome.errors.contains("[connectionRefused]"))
    }

    @Test func aPeerThatDoesNotSpeakHTTPIs3() async throws {
      let wire = try WireServer(answering: "SSH-2.0-OpenSSH_9.6\r\n\r\n", closes: true)
      defer { wire.stop() }
      let outcome = try await ToolProcess.run("fetch", wire.url)
      #expect(outcome.status == 3, "\(outcome)")
      #expect(outcome.errors.contains("[protocolViolation]"), "\(outcome)")
    }

    @Test func aLocalFileIs4() async throws {
      let origin = try await Origin.start()
      let scratch = try ScratchFolder()
      let notJSON = try scratch.write("broken.json", Array("{".utf8))
      let missing = scratch.path("missing").path
      for arguments in [
        ["--body", "@\(missing)"], ["--json", "@\(missing)"], ["--json", "@\(notJSON)"],
        ["--body", "@\(scratch.path("").path)"], ["--output", "\(missing)/file"],
        ["--output", scratch.path("").path],
      ] {
        let outcome = try await ToolProcess(["fetch", "\(origin.url)/echo"] + arguments).outcome()
        #expect(outcome.status == 4, "\(arguments) \(outcome)")
        #expect(outcome.errors.contains("[file]"))
        #expect(outcome.output.isEmpty)
      }
      #expect(origin.requests.isEmpty)
      #expect(try scratch.names == ["broken.json"])
    }
  }
#endif
