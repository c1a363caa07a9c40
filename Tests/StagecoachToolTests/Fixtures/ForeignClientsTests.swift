#if Tool && AsyncHTTPClient
  import Foundation
  import HTTPTypes
  import Stagecoach
  import TestSupport
  import Testing

  /// Clients that are not ours record a session through `record`, and get the same bytes for it from `replay`.
  @Suite(.enabled(if: Nginx.executable != nil, "nginx is not installed: these tests are not run"))
  struct ForeignClientsTests {
    private enum Kind: String, CaseIterable {
      case curl, requests, stagecoach
    }

    private static let paths = ["/a.json", "/users.json", "/moved", "/none", "/bytes", "/a.json?page=2"]

    @Test(Python.needsPackages, arguments: Kind.allCases)
    private func theSameBytesComeAgain(kind: Kind) async throws {
      let users = "[\((1...300).map { #"{"id":\#($0)}"# }.joined(separator: ","))]"
      let nginx = try Nginx(
        directives: "gzip on; gzip_types application/json;",
        files: ["www/users.json": users],
        binaryFiles: ["www/bytes": (0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 8) }]
      )
      defer { nginx.stop() }
      try await nginx.isListening()
      let folder = try ScratchDirectory()
      let place = "\(folder.path)/session"
      let record = try ToolProcess(["record", "--upstream", nginx.url, "--to", place])
      defer { record.send(SIGKILL) }
      let recorded = try await session(kind, at: record.listening())
      record.interrupt()
      #expect(try await record.outcome().status == 0)

      let replay = try ToolProcess(["replay", place])
      defer { replay.send(SIGKILL) }
      #expect(try await session(kind, at: replay.listening()) == recorded)
      replay.interrupt()
      #expect(try await replay.outcome().status == 0)
      #expect(recorded.count > 40_000)
    }

    /// The statuses and contents that a client sees, one after the other.
    private func session(_ kind: Kind, at url: String) async throws -> [UInt8] {
      switch kind {
      case .curl:
        return try await python(
          """
          import subprocess, sys
          for path in sys.argv[2:]:
            sys.stdout.flush()
            subprocess.run(["curl", "-sL", "--compressed", "-w", "%{http_code}", sys.argv[1] + path], check=True)
          """,
          url
        )
      case .requests:
        return try await python(
          """
          import requests, sys
          session = requests.Session()
          for path in sys.argv[2:]:
            reply = session.get(sys.argv[1] + path)
            sys.stdout.buffer.write(b"%d" % reply.status_code + reply.content)
          """,
          url
        )
      case .stagecoach:
        let client = try Client(base: url) { Pipeline.standard(over: $0, validation: nil, retry: nil) }
        var seen: [UInt8] = []
        for path in Self.paths {
          let response = try await client.send(.get(url + path))
          seen += Array("\(response.status.code)".utf8)
          for try await chunk in response.body { chunk.withUnsafeBytes { seen += $0 } }
        }
        return seen
      }
    }

    private func python(_ script: String, _ url: String) async throws -> [UInt8] {
      [UInt8](try await Python.run(script, arguments: [url] + Self.paths))
    }
  }
#endif
