import Foundation
import HTTPTypes
import Stagecoach
import StagecoachConformance
import StagecoachURLSession
import Synchronization
import Testing

extension URLSessionTests {
  /// What kills the process or hangs for other users of URLSession on Linux.
  @Suite struct HazardTests {
    let transport = URLSessionTransport()

    @Test(arguments: [
      "Basic realm=\"x\"", "basic realm=x", "Digest realm=\"x\", nonce=\"1\"",
      "Digest realm=\"x\", Basic realm=\"y\"",
      "Bearer", "Negotiate", "Basic", "Basic realm=", "",
    ])
    func a401ReachesTheCallerWithItsOwnBody(challenge: String) async throws {
      let fields = challenge.isEmpty ? "" : "WWW-Authenticate: \(challenge)\r\n"
      let server = try WireServer(answering: "HTTP/1.1 401 U\r\n\(fields)Content-Length: 4\r\n\r\nnope")
      defer { server.stop() }
      try await withinAMinute {
        for _ in 0..<3 {
          let (head, text) = try await transport.answer(server.request())
          #expect(head.status == .unauthorized)
          #expect(text == "nope")
        }
      }
      #expect(server.connections.count == 1, "the connection goes on")
    }

    @Test(arguments: [301, 302, 303, 305, 307, 308])
    func aRedirectReachesTheCallerWithItsBody(status: Int) async throws {
      let server = try WireServer(
        answering: "HTTP/1.1 \(status) Go\r\nLocation: foo\r\nContent-Length: 4\r\n\r\nmove"
      )
      defer { server.stop() }
      let request = server.request("/a", .post, body: .bytes("form"))
      let (head, text) = try await transport.answer(request)
      #expect(head.status.code == status)
      #expect(head.headerFields[.location] == "foo")
      #expect(text == "move")
      #expect(server.requests.count == 1)
      #expect(server.requests.first?.body == Array("form".utf8))
    }

    @Test func theBodyOfARedirectToNowhereIsNotLostInSilence() async throws {
      let server = try WireServer(answering: "HTTP/1.1 301 Gone\r\nX: y\r\nContent-Length: 4\r\n\r\nmove")
      defer { server.stop() }
      let response = try await transport.send(server.request())
      #expect(response.status.code == 301)
      #expect(response.fields[.init("X")!] == "y")
      let error = await failure { _ = try await response.body.collect(upTo: 100) }
      #expect(error?.kind == .incompleteBody)
    }

    @Test func aRedirectToNowhereWithoutContentIsWhole() async throws {
      let server = try WireServer(answering: "HTTP/1.1 301 Gone\r\nContent-Length: 0\r\n\r\n")
      defer { server.stop() }
      let (head, text) = try await transport.answer(server.request())
      #expect(head.status.code == 301)
      #expect(text.isEmpty)
    }

    @Test func aRequestThatAsksForTrailersIsRefused() async throws {
      let server = try WireServer(answering: WireServer.ok)
      defer { server.stop() }
      let request = server.request(fields: [.te: "trailers"])
      let error = await failure { _ = try await transport.send(request) }
      #expect(error?.kind == .unsupported)
      #expect(server.connections.isEmpty)
    }

    @Test func aResponseThatAnnouncesTrailersIsRefusedBeforeTheyCome() async throws {
      let server = try WireServer { wire in
        _ = try wire.readRequest()
        try wire.send("HTTP/1.1 200 OK\r\nTrailer: X-T\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
        // The client is gone before it could read them.
        try wire.expectEnd(within: .seconds(5))
      }
      defer { server.stop() }
      let error = await failure { _ = try await transport.send(server.request()) }
      #expect(error?.kind == .unsupported)
      #expect(try await server.wait { $0.first?.end == .finished })
    }

    #if os(Linux)
      /// The engine takes a trailer field for the beginning of another head, and traps where that is not complete.
      @Test func trailersThatNothingAnnouncedEndTheProcess() async {
        await #expect(processExitsWith: .failure) {
          let server = try WireServer(
            answering:
              "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX-T: 1\r\n\r\n"
          )
          _ = try await URLSessionTransport().answer(server.request())
        }
      }

      @Test func aConnectionThatBreaksBehindTheLastChunkEndsTheProcess() async {
        await #expect(processExitsWith: .failure) {
          let server = try WireServer { wire in
            _ = try wire.readRequest()
            try wire.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX")
          }
          _ = try await URLSessionTransport().answer(server.request())
        }
      }

      /// libcurl takes a head of which a line is there for a whole one, and the engine knows of no response then.
      @Test(arguments: [
        "HTTP/1.1 200 OK\r\n", "HTTP/1.1 404 No\r\nX: y\r\nY", "HTTP/1.1 103 E\r\n\r\nHTTP/1.1 200 OK\r\n",
      ])
      func aConnectionThatBreaksInsideTheHeadEndsTheProcess(head: String) async {
        await #expect(processExitsWith: .failure) { [head] in
          let server = try WireServer(answering: head, closes: true)
          _ = try await URLSessionTransport().answer(server.request())
        }
      }

      /// The engine resolves a reference without a scheme by a URL of which it makes no URL any more.
      @Test func aRedirectToAnIPv6AddressWithoutASchemeEndsTheProcess() async {
        await #expect(processExitsWith: .failure) {
          let server = try WireServer(
            answering: "HTTP/1.1 302 Go\r\nLocation: //[::1]/x\r\nContent-Length: 0\r\n\r\n"
          )
          _ = try await URLSessionTransport().answer(server.request())
        }
      }

      /// Those above end only by what they are about.
      @Test func theSameWithoutTrailersDoesNotEndTheProcess() async {
        await #expect(processExitsWith: .success) {
          for location in ["", "Location: http://[::1]/x\r\n"] {
            let server = try WireServer(
              answering: "HTTP/1.1 302 OK\r\n\(location)Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
            )
            defer { server.stop() }
            _ = try await URLSessionTransport().send(server.request())
          }
        }
      }
    #endif

    @Test(arguments: [HTTPRequest.Method.get, .head])
    func contentWithAMethodThatCannotHaveItIsRefused(method: HTTPRequest.Method) async throws {
      let server = try WireServer(answering: WireServer.ok)
      defer { server.stop() }
      let error = await failure {
        _ = try await transport.send(server.request("/", method, body: .bytes("x")))
      }
      #expect(error?.kind == .unsupported)
      #expect(server.connections.isEmpty)
    }

    @Test func cancellingIsPromptWhateverTheEngineDoes() async throws {
      let server = try WireServer { try $0.hold() }
      defer { server.stop() }
      let task = Task { [transport] in _ = try await transport.send(server.request()) }
      #expect(try await server.wait { $0.count == 1 })
      let begin = ContinuousClock.now
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(ContinuousClock.now - begin < .seconds(30))
      #expect(try await server.wait { $0.allSatisfy(\.wasEndedByPeer) })
    }

    @Test func cancellingAnUploadWhoseProducerIsStuckIsPrompt() async throws {
      let server = try WireServer(answering: WireServer.ok)
      defer { server.stop() }
      let (chunks, producer) = AsyncStream<Bytes>.makeStream()
      producer.yield("first")
      let request = server.request("/", .put, body: .oneShot(chunks, length: nil))
      let task = Task { [transport] in _ = try await transport.send(request) }
      try await Task.sleep(for: .milliseconds(50))
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      producer.finish()
    }

    @Test func aReaderThatPausesGetsEveryByteOnce() async throws {
      let size = 4 << 20
      let server = try WireServer { wire in
        _ = try wire.readRequest()
        try wire.send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
        for index in 0..<(size / 4096) {
          try wire.send([UInt8](repeating: UInt8(truncatingIfNeeded: index), count: 4096))
        }
        try wire.hold()
      }
      defer { server.stop() }
      let response = try await transport.send(server.request())
      try await Task.sleep(for: .milliseconds(300))
      var bytes: [UInt8] = []
      for try await chunk in response.body { bytes += chunk.array }
      #expect(bytes.count == size)
      let isRight = bytes.enumerated().allSatisfy { $1 == UInt8(truncatingIfNeeded: $0 / 4096) }
      #expect(isRight)
      #expect(server.requests.count == 1, "the engine would send a request again to resume it")
    }

    @Test func pausedReadersDoNotBlockOthers() async throws {
      let server = try WireServer { wire in
        while true {
          guard try wire.readRequest().target == "/large" else {
            try wire.send(WireServer.ok)
            continue
          }
          try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 8000000\r\n\r\n")
          for _ in 0..<80 { try wire.send([UInt8](repeating: 0, count: 100_000)) }
        }
      }
      defer { server.stop() }
      let paused = URLSessionTransport()
      let responses = try await withThrowingTaskGroup(of: Response.self) { group in
        for _ in 0..<8 { group.addTask { try await paused.send(server.request("/large")) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      try await withinAMinute {
        let (_, text) = try await transport.answer(server.request())
        #expect(text == "hello")
      }
      for response in responses {
        #expect(try await response.body.collect(upTo: 8_000_000).count == 8_000_000)
      }
    }

    @Test func aReaderThatNeverReadsCostsNoMoreThanTheLimit() async throws {
      let server = try WireServer { wire in
        _ = try wire.readRequest()
        try wire.send("HTTP/1.1 200 OK\r\n\r\n")
        let block = [UInt8](repeating: 0, count: 1 << 20)
        while true { try wire.send(block) }
      }
      defer { server.stop() }
      let response = try await transport.send(server.request())
      #expect(try await server.wait(within: .seconds(20)) { $0.first?.wasEndedByPeer == true })
      var count = 0
      let error = await failure { for try await chunk in response.body { count += chunk.count } }
      #expect(error?.kind == .limit(.body))
      #expect(count > 60 << 20 && count <= 64 << 20)
    }

    @Test func contentIsDecodedOnceAndSaysSo() async throws {
      // gzip of "hello"
      let coded: [UInt8] = [
        0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 3, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 7, 0, 0x86, 0xa6, 0x10, 0x36, 5, 0,
        0,
        0,
      ]
      let server = try WireServer { wire in
        while true {
          let request = try wire.readRequest()
          try wire.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(coded.count)\r\n\r\n")
          if request.method == "GET" { try wire.send(coded) }
        }
      }
      defer { server.stop() }
      let (head, text) = try await transport.answer(server.request(fields: [.acceptEncoding: "gzip"]))
      #expect(text == "hello")
      #expect(head.headerFields[.contentEncoding] == nil)
      #expect(head.headerFields[.contentLength] == nil)
      let (bare, _) = try await transport.answer(server.request("/", .head))
      #expect(bare.headerFields[.contentEncoding] == "gzip")
      #expect(server.requests.first?.values(of: "Accept-Encoding") == ["gzip"])
    }
  }
}
