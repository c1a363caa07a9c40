#if Tool
  import Foundation
  import StagecoachConformance
  import StagecoachOrigin
  import Testing

  @Suite struct FetchRecordsTests {
    @Test func eachElementIsALineOfJSON() async throws {
      let origin = try await Origin.start()
      let outcome = try await ToolProcess.run("fetch", "\(origin.url)/feed.xml", "--records", "feed/entry")
      #expect(outcome.status == 0, "\(outcome)")
      let lines = outcome.text.split(separator: "\n")
      try #require(lines.count == 2)
      struct Entry: Decodable {
        var title: String
        var updated: String
      }
      let entries = try lines.map { try JSONDecoder().decode(Entry.self, from: Data($0.utf8)) }
      #expect(entries.map(\.title) == ["First coach", "Last coach"])
      let atom = "{http://www.w3.org/2005/Atom}"
      let same = try await ToolProcess.run(
        "fetch",
        "\(origin.url)/feed.xml",
        "--as",
        "xml",
        "--records",
        "\(atom)feed/\(atom)entry"
      )
      #expect(same.text == outcome.text)
    }

    @Test func attributesArraysAndTextHaveAForm() async throws {
      let body = """
        <l><i id='1'>one<b/>two</i><i>plain</i><i><v>1</v><w>x</w><v>2</v></i><i/>\
        <i xmlns:a='u' id='1' n='3' a:id='2'><id>4</id><a:id>5</a:id></i></l>
        """
      let origin = try WireServer(
        answering: "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n\(body)",
        closes: true
      )
      defer { origin.stop() }
      let outcome = try await ToolProcess.run("fetch", "\(origin.url)/", "--records", "l/i")
      #expect(
        outcome.text == """
          {"@id":"1","b":"","#text":"onetwo"}
          "plain"
          {"v":["1","2"],"w":"x"}
          ""
          {"@id":["1","2"],"@n":"3","id":["4","5"]}

          """
      )
    }

    @Test(arguments: [("a//b", "auto"), ("a", "json")])
    func refusesAMalformedPathOrForm(path: String, form: String) async throws {
      let outcome = try await ToolProcess.run(
        "fetch",
        "http://127.0.0.1:1/",
        "--records",
        path,
        "--as",
        form
      )
      #expect(outcome.status == 2, "\(outcome)")
    }

    @Test func recordsAndXPathExcludeEachOther() async throws {
      let outcome = try await ToolProcess.run(
        "fetch",
        "http://127.0.0.1:1/",
        "--records",
        "a",
        "--xpath",
        "//a"
      )
      #expect(outcome.status == 2, "\(outcome)")
    }

    @Test func aDefectBehindElementsIsAnError() async throws {
      let origin = try WireServer(
        answering: "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n<l><i>1</i></x>",
        closes: true
      )
      defer { origin.stop() }
      let outcome = try await ToolProcess.run("fetch", "\(origin.url)/", "--records", "l/i")
      #expect(outcome.status == 1, "\(outcome)")
      #expect(outcome.text == "\"1\"\n")
      #expect(outcome.errors.contains("[serialization]"))
    }

    @Test func htmlIsWrittenAndSearched() async throws {
      let origin = try await Origin.start()
      let found = try await ToolProcess.run(
        "fetch",
        "\(origin.url)/html",
        "--as",
        "html",
        "--xpath",
        "//li/a/@href"
      )
      #expect(found.status == 0, "\(found)")
      #expect(found.text == "/json\n/feed.xml\n")
      let written = try await ToolProcess.run("fetch", "\(origin.url)/html", "--as", "html")
      #expect(written.text.contains("<a href=\"/json\">JSON</a>"), "\(written)")
    }

    @Test func validatesTheBodyAgainstASchema() async throws {
      let origin = try await Origin.start()
      let scratch = try ScratchFolder()
      let any = """
        <grammar xmlns="http://relaxng.org/ns/structure/1.0"><start><element><nsName ns="http://www.w3.org/2005/Atom"/>
        <ref name="any"/></element></start><define name="any"><zeroOrMore><choice><attribute><anyName/></attribute>
        <text/><element><anyName/><ref name="any"/></element></choice></zeroOrMore></define></grammar>
        """
      let good = try scratch.write("good.rng", Array(any.utf8))
      let accepted = try await ToolProcess.run(
        "fetch",
        "\(origin.url)/feed.xml",
        "--schema",
        good,
        "--xpath",
        "count(//_:entry)"
      )
      #expect(accepted.status == 0, "\(accepted)")
      #expect(accepted.text == "2\n")
      let xsd = """
        <xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="http://www.w3.org/2005/Atom">
        <xs:element name="feed"><xs:complexType/></xs:element></xs:schema>
        """
      let strict = try scratch.write("strict.xsd", Array(xsd.utf8))
      let refused = try await ToolProcess.run("fetch", "\(origin.url)/feed.xml", "--schema", strict)
      #expect(refused.status == 1, "\(refused)")
      #expect(refused.errors.contains("[validation]") && refused.errors.contains("/"), "\(refused)")
      let none = try scratch.write("none.xsd", Array("<a/>".utf8))
      let other = try await ToolProcess.run("fetch", "\(origin.url)/json", "--schema", strict)
      #expect(other.status == 1, "\(other)")
      let broken = try await ToolProcess.run("fetch", "\(origin.url)/feed.xml", "--schema", none)
      #expect(broken.status == 4, "\(broken)")
      let missing = try await ToolProcess.run("fetch", "\(origin.url)/feed.xml", "--schema", "/no/such.xsd")
      #expect(missing.status == 4, "\(missing)")
    }
  }
#endif
