import Foundation
import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@testable import StagecoachFixtures

/// What `curl -i` prints, as a scenario.
@Suite struct CurlDumpTests {
  private func read(_ text: String) async throws -> ImportedScenario {
    try await InterchangeFormat.scenario(in: Array(text.utf8), of: "dump.txt")
  }

  @Test func importsOneResponse() async throws {
    let imported = try await read(
      "HTTP/1.1 200 OK\r\nDate: Sun, 01 Mar 2026 10:00:00 GMT\r\nX-A: 1\r\nx-a: 2\r\n\r\nline\r\n\r\nHTTP/1.1 is text here"
    )
    let exchange = try #require(imported.scenario.exchanges.first)
    #expect(imported.scenario.exchanges.count == 1 && exchange.request.target == "{api}/")
    #expect(
      exchange.reply.head?.version == "1.1" && exchange.reply.head?.response.status.reasonPhrase == "OK"
    )
    #expect(exchange.reply.head?.response.headerFields.map(\.value).dropFirst() == ["1", "2"])
    #expect(exchange.reply.body?.bytes == "line\r\n\r\nHTTP/1.1 is text here")
    #expect(imported.notes.count == 1 && imported.notes[0].contains("http://localhost/"))
    #expect(imported.scenario.url(of: exchange.request.target) == "http://localhost/")
  }

  @Test func importsRedirectsChallengesAndTunnels() async throws {
    let imported = try await read(
      """
      HTTP/1.1 200 Connection established

      HTTP/1.1 100 Continue

      HTTP/2 301
      location: https://www.test/a?b=1
      content-length: 145

      HTTP/2 401
      www-authenticate: Digest realm="r", nonce="n"

      HTTP/2 200
      content-type: application/json
      content-length: 9

      {"a":[1]}HTTP/1.0 404 Not Found

      """
    )
    let exchanges = imported.scenario.exchanges
    #expect(exchanges.map { $0.reply.head?.response.status.code } == [301, 401, 200, 404])
    #expect(
      exchanges.map { imported.scenario.url(of: $0.request.target) } == [
        "http://localhost/", "https://www.test/a?b=1", "https://www.test/a?b=1", "http://localhost/",
      ]
    )
    #expect(exchanges.map(\.cause?.kind) == [nil, .redirect, .challenge, nil])
    #expect(exchanges[0].reply.informational.count == 1 && exchanges[0].reply.body == nil)
    #expect(exchanges[2].reply.body?.bytes == #"{"a":[1]}"# && exchanges[2].reply.body?.form == .pretty)
  }

  #if ContentCoding
    @Test func importsCodedAndDecodedContent() async throws {
      let head = Array("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Type: text/plain\r\n\r\n".utf8)
      let coded = try #require(StoredCoding.encode(Array("hello".utf8), as: "gzip"))
      for content in [coded, Array("hello".utf8)] {
        let imported = try await InterchangeFormat.scenario(in: head + content, of: "dump.txt")
        let body = try #require(imported.scenario.exchanges[0].reply.body)
        #expect(body.bytes == "hello" && body.codings == ["gzip"])
        #expect(imported.notes.count == (content == coded ? 1 : 2))
      }
      // What cannot be decoded cannot be searched for secrets.
      let broken = try await InterchangeFormat.scenario(in: head + coded.dropLast(3), of: "dump.txt")
      #expect(broken.scenario.exchanges[0].reply.body?.omission != nil)
    }
  #endif

  @Test(arguments: [
    ("HTTP/1.1 200 OK\nno field\n\n", 2), ("HTTP/1.1 2000 OK\n\n", 1), ("HTTP/1.1 100 Continue\n\n", 1),
    ("HTTP/1.1 200 OK\nA: b\u{1}\n\n", 2),
  ])
  func brokenDumpsAreErrorsWithALine(_ text: String, _ line: Int) async throws {
    let error = try await #require(throws: ScenarioError.self) { try await read(text) }
    #expect(error.kind == .invalid && error.line == line && error.file == "dump.txt", "\(error)")
  }

  @Test func secretsAreRedacted() async throws {
    let imported = try await read(
      "HTTP/1.1 200 OK\r\nSet-Cookie: sid=0123456789abcdef; Path=/\r\n\r\n0123456789abcdef"
    )
    for file in try ScenarioWriter.files(of: imported.scenario) {
      #expect(!String(decoding: file.bytes, as: UTF8.self).contains("0123456789abcdef"))
    }
  }
}
