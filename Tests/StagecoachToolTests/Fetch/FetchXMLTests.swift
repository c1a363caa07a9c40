#if Tool
  import Foundation
  import StagecoachConformance
  import StagecoachOrigin
  import Testing

  @Suite struct FetchXMLTests {
    @Test(arguments: [
      ("//title", "Roads & Inns\nGrüße\n"),
      ("string(//book[@id='2']/title)", "Grüße\n"),
      ("//book/@id", "1\n2\n"),
      ("//book[1]", "Roads & Inns12.50\n"),
      ("count(//book)", "2\n"),
      ("sum(//price) div 2", "6.25\n"),
      ("number('x')", "NaN\n"),
      ("//book[1]/@id = '1'", "true\n"),
      ("//m:nothing", ""),
      ("//@m:lang", "en\nde\n"),
      ("//nothing", ""),
    ])
    func anExpressionPrintsItsValue(expression: String, printed: String) async throws {
      let origin = try await Origin.start()
      let outcome = try await ToolProcess.run("fetch", "\(origin.url)/xml", "--xpath", expression)
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.text == printed)
      #expect(outcome.errors.isEmpty)
    }

    @Test func theDefaultNamespaceHasAPrefix() async throws {
      let origin = try await Origin.start()
      let url = "\(origin.url)/feed.xml"
      let titles = try await ToolProcess.run("fetch", url, "--as", "xml", "--xpath", "//_:entry/_:title")
      #expect(titles.text == "First coach\nLast coach\n")
      let creators = try await ToolProcess.run("fetch", url, "--xpath", "//dc:creator")
      #expect(creators.text == "A. Driver\nB. Guard\n")
    }

    @Test func aNodeOfSeveralLinesIsPrintedOnOne() async throws {
      let origin = try await Origin.start()
      let outcome = try await ToolProcess.run("fetch", "\(origin.url)/feed.xml", "--xpath", "//_:entry[1]")
      #expect(outcome.text == "urn:example:feed:1 First coach 2024-05-01T11:00:00Z A. Driver\n")
    }

    @Test(arguments: ["//[", "nosuchfunction()", "'open"])
    func refusesAMalformedExpressionBeforeSending(expression: String) async throws {
      let origin = try await Origin.start()
      let outcome = try await ToolProcess.run("fetch", "\(origin.url)/xml", "--xpath", expression)
      #expect(outcome.status == 2, "\(outcome)")
      #expect(outcome.errors.contains("XPath"))
      #expect(origin.requests.isEmpty)
    }

    @Test func aPrefixThatTheDocumentDoesNotHaveIsARefusal() async throws {
      let origin = try await Origin.start()
      let outcome = try await ToolProcess.run("fetch", "\(origin.url)/xml", "--xpath", "//zz:a")
      #expect(outcome.status == 1, "\(outcome)")
      #expect(outcome.errors.contains("[serialization]"))
    }

    @Test func aReportHoldsTheTextOfEachNode() async throws {
      struct Report: Decodable { var value: [String] }
      let origin = try await Origin.start()
      let outcome = try await ToolProcess.run(
        "fetch",
        "\(origin.url)/xml",
        "--xpath",
        "//title",
        "--report",
        "json"
      )
      let report = try JSONDecoder().decode(Report.self, from: outcome.output)
      #expect(report.value == ["Roads & Inns", "Grüße"])
    }

    @Test(arguments: ["auto", "xml"])
    func aDocumentIsPrintedInUTF8(form: String) async throws {
      let text = "<?xml version='1.0' encoding='ISO-8859-1'?><a>Grüße</a>"
      let bytes = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
      let head = "HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\nContent-Length: \(bytes.count)\r\n\r\n"
      let wire = try WireServer(answering: Array(head.utf8) + bytes, closes: false)
      defer { wire.stop() }
      let outcome = try await ToolProcess.run("fetch", wire.url, "--as", form)
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.text.hasSuffix("<a>Grüße</a>\n"))
      #expect(!outcome.text.contains("ISO-8859-1"))
    }

    @Test func aBrokenDocumentIsARefusal() async throws {
      let head = "HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\nContent-Length: 7\r\n\r\n"
      let wire = try WireServer(answering: head + "<a><b/>", closes: false)
      defer { wire.stop() }
      let outcome = try await ToolProcess.run("fetch", wire.url)
      #expect(outcome.status == 1, "\(outcome)")
      #expect(outcome.errors.contains("[serialization]"))
      #expect(outcome.output.isEmpty)
    }
  }
#endif
