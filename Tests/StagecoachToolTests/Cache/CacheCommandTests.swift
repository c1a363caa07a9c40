#if Tool && AsyncHTTPClient
  import Foundation
  import StagecoachConformance
  import TestSupport
  import Testing

  /// `fetch --cache`, `proxy --cache` with a folder, and the verbs of `cache`.
  struct CacheCommandTests {
    #if SQLite
      private func upstream() throws -> WireServer {
        try WireServer { wire in
          while true {
            let request = try wire.readRequest()
            let content = "content of \(request.target)"
            try wire.send(
              "HTTP/1.1 200 OK\r\nCache-Control: max-age=600\r\nVary: X-Kind\r\nSet-Cookie: a=secret\r\n"
                + "Content-Type: text/plain\r\nContent-Length: \(content.utf8.count)\r\n\r\n\(content)"
            )
          }
        }
      }

      @Test func whatOneCommandKeepsAnotherServesAndShows() async throws {
        let server = try upstream()
        defer { server.stop() }
        let scratch = try ScratchDirectory()
        let folder = "\(scratch.path)/cache"
        let secret = "\(server.url)/a?token=hidden&b=1"
        for url in [secret, secret, "\(server.url)/b"] {
          let outcome = try await ToolProcess.run("fetch", url, "--cache", folder)
          #expect(outcome.status == 0 && outcome.text.hasPrefix("content of /"), "\(outcome)")
        }
        #expect(server.requests.count == 2)
        try await ProxyProcess.run(to: server.url, "--cache", folder) { proxy in
          let text = try await proxy.send("GET /b HTTP/1.1")
          #expect(
            text.contains("Cache-Status: Stagecoach; hit") && text.hasSuffix("content of /b"),
            "\(text)"
          )
          _ = try await proxy.send("GET /c/../c HTTP/1.1")
        }
        #expect(server.requests.count == 3)

        let listing = try await ToolProcess.run("cache", "ls", folder)
        let lines = listing.text.split(separator: "\n")
        #expect(listing.status == 0 && lines.count == 3, "\(listing)")
        #expect(lines[0].hasPrefix("200  ") && lines[0].contains("\(server.url)/a?token=[redacted]&b=1"))
        #expect(lines[0].hasSuffix("vary=x-kind"))
        let shown = try await ToolProcess.run("cache", "show", folder, secret)
        #expect(shown.status == 0 && shown.text.contains("\nCache-Control: max-age=600\n"), "\(shown)")
        #expect(shown.text.contains("depends on: x-kind") && !shown.text.contains("secret"))
        let statistics = try await ToolProcess.run("cache", "stats", folder)
        #expect(statistics.text.hasPrefix("responses: 3\nbytes: "), "\(statistics)")
        #expect(statistics.text.hasSuffix("\ncapacity: 268435456\n"), "\(statistics)")

        let removed = try await ToolProcess.run("cache", "rm", folder, "\(server.url)/b")
        #expect(removed.status == 0 && removed.text == "removed 1 response\n", "\(removed)")
        for verb in ["show", "rm"] {
          let missing = try await ToolProcess.run("cache", verb, folder, "\(server.url)/b?token=hidden")
          #expect(missing.status == 1 && missing.errors.contains("token=[redacted] is stored"), "\(missing)")
        }
        // As it came to the proxy.
        let raw = try await ToolProcess.run("cache", "rm", folder, "\(server.url)/c/../c")
        #expect(raw.text == "removed 1 response\n", "\(raw)")
        let kept = try await ToolProcess.run("cache", "prune", folder, "--unused", "1")
        #expect(kept.text.hasPrefix("removed 0 responses, left 1 of "), "\(kept)")
        let pruned = try await ToolProcess.run("cache", "prune", folder, "--size", "10")
        #expect(pruned.text == "removed 1 response, left 0 of 0 bytes\n", "\(pruned)")
        let all = try await ToolProcess.run("cache", "rm", folder, "--all")
        #expect(all.status == 0 && all.text == "removed 0 responses\n", "\(all)")
      }

      @Test func theSizeOfTheCacheIsAnOption() async throws {
        let server = try upstream()
        defer { server.stop() }
        let scratch = try ScratchDirectory()
        for (size, count) in [("2K", 0), ("1M", 1)] {
          let folder = "\(scratch.path)/\(size)"
          let fetched = try await ToolProcess.run(
            "fetch",
            "\(server.url)/a",
            "--cache",
            folder,
            "--cache-size",
            size
          )
          #expect(fetched.status == 0, "\(fetched)")
          let statistics = try await ToolProcess.run("cache", "stats", folder)
          #expect(statistics.text.hasPrefix("responses: \(count)\n"), "\(size): \(statistics)")
        }
        for arguments in [
          ["--cache-size", "1M"], ["--cache", scratch.path, "--cache-size", "0"], ["--cache", "memory"],
          ["--cache", scratch.path, "--cache-size", "9999999T"],
          ["--cache", scratch.path, "--cache-size", "M"],
        ] {
          let outcome = try await ToolProcess(["fetch", "\(server.url)/a"] + arguments).outcome()
          #expect(outcome.status == 2, "\(arguments): \(outcome)")
        }
      }

      @Test func refusesAFolderThatIsNotACache() async throws {
        let scratch = try ScratchDirectory()
        let (none, foreign) = ("\(scratch.path)/none", "\(scratch.path)/foreign")
        try FileManager.default.createDirectory(atPath: foreign, withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: URL(filePath: "\(foreign)/file"))
        for folder in [none, foreign] {
          for verb in [["ls"], ["stats"], ["rm", "--all"], ["prune", "--size", "0"]] {
            let outcome = try await ToolProcess(["cache", verb[0], folder] + verb.dropFirst()).outcome()
            #expect(outcome.status == 4 && outcome.errors.contains(folder), "\(verb): \(outcome)")
          }
        }
        for arguments in [["fetch", "http://a"], ["proxy", "--upstream", "http://a"]] {
          let outcome = try await ToolProcess(arguments + ["--cache", foreign]).outcome()
          #expect(outcome.status == 4 && outcome.errors.contains("other files than a cache"), "\(outcome)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: foreign) == ["file"])
        #expect(!FileManager.default.fileExists(atPath: none))
      }

      @Test func refusesWrongUsage() async throws {
        for arguments in [
          ["ls"], ["rm", "folder"], ["rm", "folder", "http://a", "--all"], ["rm", "folder", "nonsense"],
          ["show", "folder"], ["prune", "folder"], ["prune", "folder", "--size", "-1"],
          ["prune", "folder", "--unused", "nan"],
        ] {
          let outcome = try await ToolProcess(["cache"] + arguments).outcome()
          #expect(outcome.status == 2, "\(arguments): \(outcome)")
        }
      }
    #else
      @Test func withoutTheTraitTheVerbsNameIt() async throws {
        for arguments in [
          ["cache", "ls", "folder"], ["cache", "rm", "folder", "--all"],
          ["fetch", "http://a", "--cache", "folder"],
          ["proxy", "--upstream", "http://a", "--cache", "folder"],
        ] {
          let outcome = try await ToolProcess(arguments).outcome()
          #expect(outcome.status == 2 && outcome.errors.contains("\"SQLite\""), "\(arguments): \(outcome)")
        }
      }
    #endif
  }
#endif
