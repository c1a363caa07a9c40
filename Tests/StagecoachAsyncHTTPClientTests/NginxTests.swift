#if Tool
  import Foundation
  import HTTPTypes
  import Stagecoach
  import StagecoachAsyncHTTPClient
  import TestSupport
  import Testing

  @Suite(.enabled(if: Nginx.executable != nil, "nginx is not installed: these tests are not run"))
  struct NginxTests {
    struct Document: Decodable, Sendable { var count: Int }

    private func withNginx(_ body: (Client) async throws -> Void) async throws {
      let nginx = try Nginx()
      let client = try Client(bare(AsyncHTTPClientTransport()), base: nginx.url)
      do {
        try await nginx.isListening()
        try await body(client)
      } catch {
        Issue.record(error)
      }
      await client.pipeline.shutdown()
      nginx.stop()
    }

    @Test func aFileIsReadAsItsType() async throws {
      try await withNginx { client in
        let document = try await client.get("a.json", as: .json(Document.self))
        #expect(document.count == 7)
        let text = try await client.get("a.xml", as: .text)
        #expect(text == "<a><b>7</b></a>")
      }
    }

    @Test func aMissingFileIsA404WithItsPage() async throws {
      try await withNginx { client in
        let error = await exchangeError { try await client.get("none", as: .data) }
        #expect(error?.kind == .status)
        #expect(error?.response?.status == .notFound)
        #expect(error.map { String(decoding: $0.bodyPrefix).contains("404 Not Found") } == true)
      }
    }

    @Test func aConnectionClosedWithoutAnswerIsAReset() async throws {
      try await withNginx { client in
        let error = await exchangeError { try await client.get("close", as: .data) }
        #expect(error?.kind == .connectionReset)
        #expect(error?.isTransient == true)
      }
    }

    @Test func aRedirectIsNotFollowedByTheTransport() async throws {
      try await withNginx { client in
        let error = await exchangeError { try await client.get("moved", as: .data) }
        #expect(error?.kind == .status)
        #expect(error?.response?.status.code == 302)
      }
    }
  }
#endif
