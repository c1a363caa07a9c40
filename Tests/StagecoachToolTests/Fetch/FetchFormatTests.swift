#if Tool
  import Foundation
  import StagecoachConformance
  import StagecoachOrigin
  import Testing

  @Suite struct FetchFormatTests {
    private static func answering(_ type: String, _ body: String) throws -> WireServer {
      try WireServer(answering: "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\n\r\n\(body)", closes: true)
    }

    @Test func formsAreSent() async throws {
      let origin = try await Origin.start()
      let outcome = try await ToolProcess.run(
        "fetch",
        "\(origin.url)/echo",
        "--form",
        "b=2 &",
        "--form",
        "a=",
        "--form",
        "b=ü"
      )
      #expect(outcome.status == 0, "\(outcome)")
      let request = try await origin.nextRequest(path: "/echo")
      #expect(request.method == "POST")
      #expect(request["Content-Type"] == "application/x-www-form-urlencoded")
      #expect(request.bodyText == "b=2%20%26&a=&b=%C3%BC")
    }

    @Test func partsAreSent() async throws {
      let origin = try await Origin.start()
      let scratch = try ScratchFolder()
      let file = try scratch.write("a.json", Array("[1]".utf8))
      let outcome = try await ToolProcess.run(
        "fetch",
        "\(origin.url)/echo",
        "--part",
        "title=a=b",
        "--part",
        "doc=@\(file)",
        "--part",
        "raw=@\(file);type=text/x-own"
      )
      #expect(outcome.status == 0, "\(outcome)")
      let request = try await origin.nextRequest(path: "/echo")
      let boundary = request["Content-Type"]?.split(separator: "boundary=").last.map(String.init) ?? ""
      #expect(
        request.bodyText
          == [
            "--\(boundary)", "Content-Disposition: form-data; name=\"title\"", "", "a=b", "--\(boundary)",
            "Content-Disposition: form-data; name=\"doc\"; filename=\"a.json\"",
            "Content-Type: application/json", "",
            "[1]", "--\(boundary)", "Content-Disposition: form-data; name=\"raw\"; filename=\"a.json\"",
            "Content-Type: text/x-own", "", "[1]", "--\(boundary)--", "",
          ].joined(separator: "\r\n")
      )
      #expect(request["Content-Length"].flatMap { Int($0) } == request.bodyText.utf8.count)
    }

    @Test func propertyListsAreSentAndRead() async throws {
      let origin = try await Origin.start()
      let scratch = try ScratchFolder()
      let list = "<plist version=\"1.0\"><dict><key>a</key><integer>1</integer></dict></plist>"
      let file = try scratch.write("a.plist", Array(list.utf8))
      let sent = try await ToolProcess.run("fetch", "\(origin.url)/echo", "--plist", "@\(file)")
      #expect(sent.status == 0, "\(sent)")
      let request = try await origin.nextRequest(path: "/echo")
      #expect(request["Content-Type"] == "application/x-plist")
      #expect(request.bodyText == list)
      let read = try await ToolProcess.run("fetch", "\(origin.url)/plist", "--as", "plist")
      #expect(read.status == 0, "\(read)")
      let object = try JSONSerialization.jsonObject(with: read.output) as? [String: Any]
      #expect(object?.isEmpty == false)
    }

    @Test func formsAreRead() async throws {
      let server = try Self.answering("application/x-www-form-urlencoded", "a=x+y&b%5B%5D=1&b%5B%5D=2")
      defer { server.stop() }
      let outcome = try await ToolProcess.run("fetch", server.url, "--as", "form")
      #expect(outcome.status == 0, "\(outcome)")
      let object = try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any]
      #expect(object?["a"] as? String == "x y")
      #expect(object?["b[]"] as? [String] == ["1", "2"])
    }

    @Test func jsonOfAnyTypeIsReadIfAsked() async throws {
      let server = try Self.answering("text/html; charset=utf-8", #"{"a":[1]}"#)
      defer { server.stop() }
      let asked = try await ToolProcess.run("fetch", server.url, "--as", "json")
      #expect(asked.status == 0, "\(asked)")
      #expect(asked.text == "{\n  \"a\": [\n    1\n  ]\n}\n")
      let auto = try await ToolProcess.run("fetch", server.url)
      #expect(auto.text == #"{"a":[1]}"#)
    }

    @Test(
      arguments: [
        ("text/plain", [0x63, 0x61, 0x66, 0xE9, 0x0A], "café\n", "read as windows-1252"),
        (
          "text/html", Array("<meta charset=koi8-r>".utf8) + [0xD0], "<meta charset=koi8-r>п",
          "read as KOI8-R"
        ),
        (
          "text/html", Array("<meta charset=none>".utf8) + [0x80], "<meta charset=none>€",
          "read as windows-1252"
        ),
        (
          "text/x-own+xml", Array("<?xml version='1.0' encoding='gb2312'?><a>".utf8) + [0xC4, 0xE3],
          "<?xml version='1.0' encoding='gb2312'?><a>你", "read as GBK"
        ),
        ("text/plain; charset=utf-8", [0x61, 0xE9], "a\u{FFFD}", "not valid UTF-8"),
        ("text/plain; charset=x-unheard-of", [0x61, 0xE9], "aé", "read as windows-1252"),
      ] as [(String, [UInt8], String, String)]
    )
    func textInAnyCharsetIsShown(type: String, body: [UInt8], text: String, remark: String) async throws {
      let head = "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: \(body.count)\r\n\r\n"
      let server = try WireServer(answering: Array(head.utf8) + body, closes: true)
      defer { server.stop() }
      let outcome = try await ToolProcess.run("fetch", server.url, "--as", "text")
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.text == text)
      #expect(outcome.errors.contains(remark), "\(outcome)")
      guard !type.hasSuffix("xml") else { return }
      #expect(try await ToolProcess.run("fetch", server.url).text == text)
    }

    @Test func eventsArePrintedOneALine() async throws {
      let server = try Self.answering(
        "text/event-stream",
        "retry: 5\nid: 7\nevent: e\ndata: a\ndata: b\n\n: comment\ndata: c\n\ndata: lost"
      )
      defer { server.stop() }
      let outcome = try await ToolProcess.run("fetch", server.url, "--as", "sse")
      #expect(outcome.status == 0, "\(outcome)")
      let lines = outcome.text.split(separator: "\n")
      #expect(lines.count == 2)
      #expect(lines.first?.contains(#""type":"e","data":"a\nb","id":"7""#) == true, "\(outcome)")
      #expect(lines.last?.contains(#""data":"c""#) == true)
    }

    /// A server may ask for a longer wait than any number here holds.
    @Test(arguments: ["9223372036854775807", "99999999999999999999"])
    func aWaitBeyondAllNumbersIsPrinted(retry: String) async throws {
      let server = try Self.answering("text/event-stream", "retry: \(retry)\ndata: a\n\n")
      defer { server.stop() }
      let outcome = try await ToolProcess.run("fetch", server.url, "--as", "sse")
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.text.contains(#""data":"a""#))
    }

    @Test func linesOfJSONArePrintedAsTheyWere() async throws {
      let body = "{\"b\":1.10,\"a\":[null]}\n\n2\n"
      let server = try Self.answering("application/x-ndjson", body)
      defer { server.stop() }
      let outcome = try await ToolProcess.run("fetch", server.url, "--as", "ndjson")
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.text == "{\"b\":1.10,\"a\":[null]}\n2\n")
      let second = try Self.answering("application/x-ndjson", body)
      defer { second.stop() }
      let report = try await ToolProcess.run("fetch", second.url, "--as", "ndjson", "--report", "json")
      let object = try JSONSerialization.jsonObject(with: report.output) as? [String: Any]
      #expect((object?["value"] as? [Any])?.count == 2)
    }

    @Test func refusesALineThatIsNotJSON() async throws {
      let server = try Self.answering("application/x-ndjson", "1\nnope\n")
      defer { server.stop() }
      let outcome = try await ToolProcess.run("fetch", server.url, "--as", "ndjson")
      #expect(outcome.status == 1, "\(outcome)")
      #expect(outcome.text == "1\n")
    }

    @Test(arguments: ["gzip", "deflate", "deflate?raw=1"])
    func compressedBodiesAreDecoded(path: String) async throws {
      let origin = try await Origin.start()
      let outcome = try await ToolProcess.run("fetch", "\(origin.url)/\(path)")
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.text.contains("\"title\""))
      let request = try await origin.nextRequest()
      #expect(request["Accept-Encoding"]?.hasPrefix("gzip, deflate") == true)
    }

    @Test func refusesTwoContents() async throws {
      let outcome = try await ToolProcess.run(
        "fetch",
        "http://127.0.0.1:1/",
        "--form",
        "a=1",
        "--json",
        "1"
      )
      #expect(outcome.status == 2, "\(outcome)")
    }
  }
#endif
