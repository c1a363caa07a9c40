import StagecoachConformance
import StagecoachXML
import Testing

/// A page reaches nothing outside itself, and parsing it says nothing to anybody.
@Suite struct HTMLIsolationTests {
  fileprivate static func pages(asking url: String) -> [String] {
    [
      "<!DOCTYPE html SYSTEM \"\(url)\"><p>&e;", "<!DOCTYPE html PUBLIC \"p\" \"\(url)\"><p>x",
      "<!DOCTYPE html [<!ENTITY % e SYSTEM \"\(url)\"> %e;]><p>x", "<base href=\"\(url)\"><img src=a>",
      "<meta http-equiv=refresh content=\"0;url=\(url)\"><link rel=stylesheet href=\"\(url)\">x",
      "<script src=\"\(url)\"></script><iframe src=\"\(url)\"></iframe><object data=\"\(url)\">",
      "<html manifest=\"\(url)\"><x xmlns:xi=\"http://www.w3.org/2001/XInclude\"><xi:include href=\"\(url)\"/>",
      "<?xml-stylesheet href=\"\(url)\"?><p>x",
    ]
  }

  @Test(arguments: [1, .max])
  func parsingOpensNoConnection(chunk: Int) async throws {
    let server = try WireServer { _ in }
    defer { server.stop() }
    for scheme in ["http", "ftp", "https"] {
      for page in Self.pages(asking: "\(scheme)://127.0.0.1:\(server.port)/x.dtd") {
        let document = try parseHTML(page, chunk: chunk)
        #expect(!document.xmlString.isEmpty && !document.htmlString.isEmpty)
      }
    }
    #expect(try await !server.isAsked)
  }

  // Processes cannot be started on Apple's other systems.
  #if os(macOS) || os(Linux)
    @Test func parsingPrintsNothing() async {
      let result = await #expect(
        processExitsWith: .success,
        observing: [\.standardErrorContent, \.standardOutputContent]
      ) {
        let pages =
          HTMLIsolationTests.pages(asking: "file:///nowhere") + [
            "<p id=a><p id=a><a name=a>", "</b>", "<p", "<a b=\"", "&#0;&x",
            String(repeating: "<b>", count: 1_000),
            String(repeating: "x\u{1}", count: 5_000), "<script>", "<!--", "<table><p><tr><li>",
            "<x:y:z :a=1 a:=2>",
          ]
        for page in pages {
          for encoding in [nil, "utf-8", "utf-16", "nope", "gbk"] {
            _ = try? parseHTML(Array(page.utf8) + [0xFF], chunk: 7, encoding: encoding)
          }
        }
      }
      #expect(result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } == "")
      #expect(result?.standardOutputContent.isEmpty == true)
    }
  #endif
}
