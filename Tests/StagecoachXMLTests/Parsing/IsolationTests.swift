import Foundation
import StagecoachConformance
import StagecoachXML
import TestSupport
import Testing

/// A document reaches nothing outside itself, and parsing it says nothing to anybody.
@Suite struct IsolationTests {
  private static let secret = "the-secret-of-the-file"

  /// Documents that ask for `url` in every way that XML has.
  private func documents(asking url: String) -> [String] {
    [
      "<!DOCTYPE a [<!ENTITY e SYSTEM \"\(url)\">]><a>&e;</a>",
      "<!DOCTYPE a [<!ENTITY e SYSTEM \"\(url)\">]><a b=\"&e;\"/>",
      "<!DOCTYPE a [<!ENTITY e SYSTEM \"\(url)\">]><a>x</a>",
      "<!DOCTYPE a [<!ENTITY e PUBLIC \"p\" \"\(url)\"><!ENTITY f \"&e;\">]><a>&f;</a>",
      "<!DOCTYPE a [<!ENTITY % p SYSTEM \"\(url)\"> %p;]><a>x</a>",
      "<!DOCTYPE a [<!ENTITY % p SYSTEM \"\(url)\"> %p; %all;]><a>&send;</a>",
      "<!DOCTYPE a SYSTEM \"\(url)\"><a>x</a>",
      "<!DOCTYPE a PUBLIC \"p\" \"\(url)\"><a>&e;</a>",
      "<!DOCTYPE a SYSTEM \"\(url)\" [<!ATTLIST a b CDATA #IMPLIED>]><a>x</a>",
      "<a xmlns:xi=\"http://www.w3.org/2001/XInclude\"><xi:include href=\"\(url)\" parse=\"text\"/></a>",
      "<a xmlns:xi=\"http://www.w3.org/2001/XInclude\"><xi:include href=\"\(url)\"/></a>",
      "<?xml-stylesheet href=\"\(url)\" type=\"text/xsl\"?><a>x</a>",
      "<?oasis-xml-catalog catalog=\"\(url)\"?><!DOCTYPE a SYSTEM \"\(url)\"><a>x</a>",
      "<a xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:noNamespaceSchemaLocation=\"\(url)\"/>",
      "<a xml:base=\"\(url)\"/>",
      "<!DOCTYPE a [<!NOTATION n SYSTEM \"\(url)\"><!ENTITY e SYSTEM \"\(url)\" NDATA n>]><a>x</a>",
    ]
  }

  /// Parses, and returns all that comes of it.
  private func outcome(_ text: String, chunk: Int, standalone: Bool = false) -> String {
    do throws(XML.ParseError) {
      let document = try parse(text, chunk: chunk)
      let paths = ["string(/)", "//@*", "count(//node())"].map { path in
        (try? document.xpath(path))?.string ?? ""
      }
      return document.xmlString + document.root.text + paths.joined()
    } catch {
      return error.description
    }
  }

  @Test(arguments: [1, 4096])
  func filesAreNotRead(chunk: Int) throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).txt")
    try Self.secret.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    for url in ["file://\(file.path)", file.path] {
      for text in documents(asking: url) {
        #expect(!outcome(text, chunk: chunk).contains(Self.secret), "\(text)")
      }
    }
  }

  /// Opening a named pipe without a writer blocks, so a parser that tried would never end.
  @Test(.timeLimit(.minutes(1)))
  func filesAreNotOpened() throws {
    let pipe = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).pipe")
    try #require(mkfifo(pipe.path, 0o600) == 0)
    defer { try? FileManager.default.removeItem(at: pipe) }
    for text in documents(asking: "file://\(pipe.path)") { #expect(!outcome(text, chunk: 64).isEmpty) }
  }

  @Test(arguments: [1, 4096])
  func parsingOpensNoConnection(chunk: Int) async throws {
    let server = try WireServer { _ in }
    defer { server.stop() }
    for scheme in ["http", "ftp", "https"] {
      for text in documents(asking: "\(scheme)://127.0.0.1:\(server.port)/x.dtd") {
        _ = outcome(text, chunk: chunk)
      }
    }
    #expect(try await !server.isAsked)
    // The listener would have noticed.
    #expect(canConnect(to: server.port))
    #expect(try await server.isAsked)
  }

  @Test func externalEntitiesAreTypedErrors() {
    for text in documents(asking: "file:///etc/hostname") where text.contains("&e;") || text.contains("%p;") {
      guard case .forbiddenEntity = parseError(text)?.reason else {
        Issue.record("\(text): \(String(describing: parseError(text)))")
        continue
      }
    }
  }

  // Processes cannot be started on Apple's other systems.
  #if os(macOS) || os(Linux)
    @Test func parsingPrintsNothing() async {
      let result = await #expect(
        processExitsWith: .success,
        observing: [\.standardErrorContent, \.standardOutputContent]
      ) {
        let texts: [[UInt8]] = [
          Array("<a><b></a>".utf8),
          Array("<a".utf8),
          Array("<a>&e;</a>".utf8),
          Array("<!DOCTYPE a [<!ENTITY e SYSTEM \"file:///nowhere\">]><a>&e;</a>".utf8),
          Array("<!DOCTYPE a [<!ENTITY % e SYSTEM \"http://127.0.0.1:1/\"> %e;]><a>&x;</a>".utf8),
          Array("<?xml version=\"1.0\" encoding=\"nope\"?><a/>".utf8),
          Array("<?xml version=\"1.0\" encoding=\"GBK\"?><a>".utf8) + [0xFF, 0xFF, 0xFF],
          [0xFE, 0xFF, 0, 0x3C, 0, 0x61, 0, 0x3E, 0xD8, 0, 0, 0x3C],
          [0xFF, 0xFE, 0x3C, 0, 0x61, 0, 0x3E, 0, 0, 0xDC, 0x3C, 0],
          Array("<a>".utf8) + [0xFF],
          Array("<a xmlns:a='relative' a:b='' a:b=''/>".utf8),
          Array("<a xml:id='1 2'/>".utf8),
          Array("<a>".utf8) + Array(repeating: 0x78, count: 10_000_001),
        ]
        for text in texts {
          for encoding in [nil, "utf-8", "utf-16", "nope", "GBK"] {
            _ = try? parse(text, chunk: 1 << 20, encoding: encoding)
            _ = try? parse(text.prefix(5_000) + [], chunk: 1, encoding: encoding)
          }
        }
        let document = try? parse("<a><b/></a>")
        for path in ["", "//", "x:y", "f()", "count(1)", "$v", "//namespace::*", "//b[", "string(1,2,3)"] {
          _ = try? document?.xpath(path)
        }
        _ = try? document?.xpath("//*[//*]", operationLimit: 1)
        _ = try? document?.xpath("$x + $y", variables: ["x": .number(1)])
        _ = try? parse("<a xmlns:p='relative'/>").canonicalXML()
        _ = try? XML.Document(element: XML.Element("{relative}a", attributes: ["{:bad}b": ""]))
      }
      #expect(result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } == "")
      #expect(result?.standardOutputContent.isEmpty == true)
    }
  #endif
}

extension WireServer {
  /// Whether somebody has connected.
  var isAsked: Bool {
    get async throws { try await wait(within: .milliseconds(50)) { !$0.isEmpty } }
  }
}
