#if Tool
  import Foundation
  import StagecoachConformance
  import StagecoachOrigin
  import Testing

  @Suite struct FetchOutputTests {
    @Test func jsonIsPrintedOneMemberALine() async throws {
      let origin = try await Origin.start()
      let outcome = try await ToolProcess.run("fetch", "\(origin.url)/json")
      #expect(outcome.text.hasPrefix("{\n  \"title\": \"Stagecoach\",\n  \"count\": 3,\n"))
      #expect(outcome.text.hasSuffix("}\n"))
    }

    @Test(arguments: ["utf-8", "gbk", "windows-1252", "utf-16"])
    func textIsPrintedInUTF8(charset: String) async throws {
      let origin = try await Origin.start()
      let outcome = try await ToolProcess.run("fetch", "\(origin.url)/text?charset=\(charset)")
      #expect(outcome.text == Origin.sampleText(charset: charset))
    }

    @Test(arguments: ["auto", "data"])
    func bytesArePrintedAsTheyCame(form: String) async throws {
      let origin = try await Origin.start()
      let outcome = try await ToolProcess.run("fetch", "\(origin.url)/bytes/3000000", "--as", form)
      #expect(outcome.status == 0)
      #expect(outcome.output == Data((0..<3_000_000).map { UInt8($0 % 251) }))
      #expect(outcome.errors.isEmpty)
    }

    @Test func dataIsTheBodyOfAnyType() async throws {
      let origin = try await Origin.start()
      let outcome = try await ToolProcess.run("fetch", "\(origin.url)/json", "--as", "data")
      #expect(outcome.text.hasPrefix(#"{"title":"Stagecoach","#))
    }

    @Test func whatIsTooLongToBeHeldIsPassedOn() async throws {
      let body = "[" + String(repeating: "1,", count: 10 << 20) + "1]"
      let head =
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
      let wire = try WireServer(answering: head + body, closes: false)
      defer { wire.stop() }
      let outcome = try await ToolProcess.run("fetch", wire.url)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.text == body)
    }

    @Test func nothingIsPrintedWithoutContent() async throws {
      let origin = try await Origin.start()
      for arguments in [["/status/204"], ["/empty"], ["/json", "-X", "HEAD"]] {
        let outcome = try await ToolProcess(["fetch", origin.url + arguments[0]] + arguments.dropFirst())
          .outcome()
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.isEmpty)
      }
    }

    @Test func theTraceGoesToStandardError() async throws {
      let origin = try await Origin.start()
      let outcome = try await ToolProcess.run("fetch", "\(origin.url)/bytes/10", "--trace")
      #expect(outcome.output == Data(0..<10))
      for text in ["Validation", "AsyncHTTPClient", "200 OK", "request sent", "Raw", "finished", " ms"] {
        #expect(outcome.errors.contains(text), "\(text) in \(outcome.errors)")
      }
      #expect(!outcome.errors.contains("\u{1b}"))
    }

    @Test(arguments: [
      ("json", "chose JSONValueResponseSerializer for application/json: it names application/json"),
      ("feed.xml", "chose XMLDocumentResponseSerializer for application/atom+xml"),
      ("png", "chose Raw for image/png: by the wildcard */*"),
    ])
    func theTraceTellsWhichSerializerWasChosenAndWhy(path: String, line: String) async throws {
      let origin = try await Origin.start()
      let outcome = try await ToolProcess.run("fetch", "\(origin.url)/\(path)", "--trace")
      #expect(outcome.status == 0)
      #expect(outcome.errors.contains(line), "\(outcome.errors)")
    }

    @Test func aReaderThatGoesAwayEndsWithStatus0() async throws {
      let origin = try await Origin.start()
      let errors = try await ToolProcess.runWithoutReader("fetch '\(origin.url)/bytes/1000000000' --as data")
      #expect(errors == "status 0\n")
    }
  }
#endif
