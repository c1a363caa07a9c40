#if Tool
  import Foundation
  import StagecoachOrigin
  import Testing

  @Suite struct FetchRequestTests {
    @Test func parametersKeepTheirOrder() async throws {
      let origin = try await Origin.start()
      let outcome = try await ToolProcess.run(
        "fetch",
        "\(origin.url)/echo?first=0#part",
        "--query",
        "z=1",
        "--query",
        "a=x y&=ü",
        "--query",
        "z="
      )
      #expect(outcome.status == 0, "\(outcome)")
      let request = try await origin.nextRequest(path: "/echo")
      #expect(request.query == "first=0&z=1&a=x%20y%26%3D%C3%BC&z=")
    }

    @Test func fieldsKeepOrderCaseAndDuplicates() async throws {
      let origin = try await Origin.start()
      let outcome = try await ToolProcess.run(
        "fetch",
        "\(origin.url)/echo",
        "-H",
        "X-b: 1",
        "-H",
        "x-A:2",
        "-H",
        "X-b:  3 ",
        "-H",
        "User-Agent: me",
        "-H",
        "Accept: application/json"
      )
      #expect(outcome.status == 0, "\(outcome)")
      let request = try await origin.nextRequest(path: "/echo")
      let own = request.fields.filter { $0.name.lowercased().hasPrefix("x-") }
      #expect(own.map { "\($0.name)=\($0.value)" } == ["X-b=1", "x-A=2", "X-b=3"])
      #expect(request.values(of: "User-Agent") == ["me"])
      #expect(request.values(of: "Accept") == ["application/json"])
    }

    @Test func jsonIsSentAsWritten() async throws {
      let origin = try await Origin.start()
      let scratch = try ScratchFolder()
      let text = #"{"z":1.10,"a":[null]}"#
      let file = try scratch.write("body.json", Array(text.utf8))
      for argument in [text, "@\(file)"] {
        let outcome = try await ToolProcess.run("fetch", "\(origin.url)/echo", "--json", argument)
        #expect(outcome.status == 0, "\(outcome)")
        let request = try await origin.nextRequest(path: "/echo")
        #expect(request.method == "POST")
        #expect(request["Content-Type"] == "application/json")
        #expect(request.bodyText == text)
      }
    }

    @Test func aFileIsSentAsItIs() async throws {
      let origin = try await Origin.start()
      let scratch = try ScratchFolder()
      let content = (0..<1_000_000).map { UInt8($0 % 251) }
      let file = try scratch.write("body", content)
      let outcome = try await ToolProcess.run(
        "fetch",
        "\(origin.url)/upload",
        "-X",
        "PUT",
        "--body",
        "@\(file)"
      )
      #expect(outcome.status == 0, "\(outcome)")
      let request = try await origin.nextRequest(path: "/upload")
      #expect(request.method == "PUT")
      #expect(request.bodyLength == content.count)
      #expect(request["Content-Length"] == "\(content.count)")
      #expect(request["Content-Type"] == nil)
      #expect(request.body == Array(content.prefix(request.body.count)))
    }
  }
#endif
