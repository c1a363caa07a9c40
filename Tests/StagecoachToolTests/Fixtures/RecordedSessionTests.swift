#if Tool && AsyncHTTPClient
  import Foundation
  import HTTPTypes
  import Stagecoach
  import StagecoachConformance
  import StagecoachFixtures
  import TestSupport
  import Testing

  /// A session with Apache httpd, nginx and a peer that breaks off: recorded, replayed byte for byte through the standard
  /// chain, and recorded again.
  @Suite(
    .enabled(if: Apache.isInstalled, "Apache httpd is not installed: these tests are not run"),
    .enabled(if: Nginx.executable != nil, "nginx is not installed: these tests are not run")
  )
  struct RecordedSessionTests {
    private static let binary = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 9) }

    private struct Servers {
      let apache: Apache
      let nginx: Nginx
      let broken: WireServer
    }

    /// What a client sees: statuses, fields and contents, or how it failed.
    private func session(_ servers: Servers, over transport: any Transport) async throws -> [String] {
      let authentication = try Authentication(user: "driver", password: "secret", for: servers.apache.url)
      let pipeline = Pipeline.standard(
        over: transport,
        validation: nil,
        retry: nil,
        authentication: authentication
      )
      let client = try Client(pipeline, base: servers.nginx.url)
      var range = Request.get("binary")
      range.fields[.range] = "bytes=100-199"
      var conditional = Request.get("a.json")
      let first = try await client.send(.get("a.json"))
      await first.body.discard()
      conditional.fields[.ifNoneMatch] = first.fields[.eTag]
      var seen: [String] = []
      for request in [
        .get("a.json"), .get("users.json"), .get("moved"), range, conditional, .head("a.json"), .get("none"),
        .get(servers.apache.url + "basic/i"), .get(servers.apache.url + "301"),
        .get(servers.apache.url + "digest/i"), .get(servers.apache.url + "digest/i"),
        .get(servers.broken.url + "/cut"), .get("binary"),
      ] {
        let response = try await client.send(request)
        var body: [UInt8] = []
        var end = "complete"
        do {
          for try await chunk in response.body { chunk.withUnsafeBytes { body += $0 } }
        } catch {
          end = "\((error as? ExchangeError)?.kind as Any)"
        }
        let fields = response.fields.filter {
          $0.name != .wwwAuthenticate && $0.name.canonicalName != "authentication-info"
        }.map { "\($0)" }
        seen.append(
          "\(response.status.code) \(response.history.count) \(fields) \(SHA256.hash(body).hexadecimal) \(end)"
        )
      }
      return seen
    }

    private func record(_ servers: Servers, to folder: String) async throws -> [String] {
      let recorder = Recorder(folder: folder, commit: .finish)
      let transport = AsyncHTTPClientTransport()
      let seen = try await session(servers, over: Pipeline(over: transport) { recorder })
      try await recorder.finish()
      await transport.shutdown()
      return seen
    }

    private func files(_ folder: String) throws -> [String: Data] {
      var files: [String: Data] = [:]
      for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
        files[name] = try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
      }
      return files
    }

    @Test func aRecordedSessionIsReplayedAndRecordedAgain() async throws {
      let users = "[\((1...500).map { #"{"id":\#($0),"name":"Grüße"}"# }.joined(separator: ","))]"
      let nginx = try Nginx(
        directives: "gzip on; gzip_types application/json;",
        files: ["www/users.json": users],
        binaryFiles: ["www/binary": Self.binary]
      )
      defer { nginx.stop() }
      let apache = try Apache()
      defer { apache.stop() }
      try await nginx.isListening()
      try await apache.isListening()
      let broken = try WireServer(
        answering: "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf of it",
        closes: true
      )
      let servers = Servers(apache: apache, nginx: nginx, broken: broken)
      let scratch = try ScratchDirectory()
      let place = "\(scratch.path)/session"

      let seen = try await record(servers, to: place)
      #expect(seen[7...10].allSatisfy { $0.hasPrefix("200 ") })
      #expect(seen[4].hasPrefix("304") && seen[3].hasPrefix("206") && seen[11].contains("incompleteBody"))

      let replay = try ReplayTransport(folder: place)
      let replayed = try await session(servers, over: replay)
      for (position, pair) in zip(seen, replayed).enumerated() { #expect(pair.0 == pair.1, "\(position)") }
      try replay.finish()

      let before = try files(place)
      _ = try await record(servers, to: place)
      let after = try files(place)
      #expect(after.keys == before.keys)
      for (name, content) in after where content != before[name] {
        let (old, new) = (
          String(decoding: before[name] ?? Data(), as: UTF8.self), String(decoding: content, as: UTF8.self)
        )
        let lines = zip(old.split(separator: "\n"), new.split(separator: "\n")).filter { $0 != $1 }
        Issue.record("\(name): \(lines.prefix(5))")
      }

      let other = "\(scratch.path)/other"
      _ = try await record(servers, to: other)
      let differences = try ScenarioDifferences(Scenario(folder: place), Scenario(folder: other))
      #expect(differences.entries.isEmpty, "\(differences.entries)")
    }
  }
#endif
