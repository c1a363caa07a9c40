import Foundation
import HTTPTypes
import Stagecoach
import StagecoachConformance
import StagecoachURLSession
import Synchronization
import Testing

/// The names of the events of a request.
private final class Log: EventMonitor {
  private let all = Mutex<[String]>([])

  var kinds: [String] { all.withLock { $0 } }

  func receive(_ event: Event) {
    let name: String? =
      switch event.kind {
      case .requestBodyProgress(let bytes, _): "progress \(bytes)"
      case .requestSent: "sent"
      case .responseHeadReceived: "head"
      default: nil
      }
    if let name { all.withLock { $0.append(name) } }
  }
}

extension URLSessionTests {
  /// What goes out.
  @Suite struct RequestTests {
    let transport = URLSessionTransport()

    private func seen(_ make: (WireServer) -> Request) async throws -> SeenRequest {
      let server = try WireServer(answering: WireServer.ok)
      defer { server.stop() }
      _ = try await transport.answer(make(server))
      return try #require(server.requests.first)
    }

    @Test func aDumpShowsNoSecretOfTheTransport() async throws {
      var connections = ConnectionOptions()
      connections.proxy = .server(try Proxy("http://ada:hunter2@127.0.0.1:1"))
      let transport = URLSessionTransport(connections: connections)
      for value in [transport, Pipeline(over: transport, stages: []), [transport]] as [Any] {
        var text = "\(value)"
        dump(value, to: &text)
        #expect(!text.contains("hunter2"))
      }
      await transport.shutdown()
    }

    @Test(arguments: [HTTPRequest.Method.get, .head, .delete, .options])
    func addsNoFields(method: HTTPRequest.Method) async throws {
      let server = try WireServer { wire in
        _ = try wire.readRequest()
        try wire.send("HTTP/1.1 204 OK\r\n\r\n")
      }
      defer { server.stop() }
      _ = try await transport.answer(server.request("/", method))
      #expect(server.requests.first?.fields.map(\.name) == ["Host"])
    }

    @Test(arguments: [HTTPRequest.Method.post, .put, .patch])
    func noContentIsSaidWhereItIsExpected(method: HTTPRequest.Method) async throws {
      let request = try await seen { $0.request("/", method) }
      #expect(Set(request.fields.map(\.name)) == ["Host", "Content-Length"])
      #expect(request.values(of: "Content-Length") == ["0"])
    }

    @Test func keepsTheFieldsOfTheCaller() async throws {
      let request = try await seen { server in
        server.request(
          fields: [
            .userAgent: "me/1", .accept: "a/b", .acceptEncoding: "br", .acceptLanguage: "fr",
            .connection: "close",
          ]
        )
      }
      #expect(request.values(of: "User-Agent") == ["me/1"])
      #expect(request.values(of: "Accept") == ["a/b"])
      #expect(request.values(of: "Accept-Encoding") == ["br"])
      #expect(request.values(of: "Accept-Language") == ["fr"])
      #expect(request.values(of: "Connection") == ["close"])
    }

    @Test(arguments: [0, 1, 3_000_000])
    func streamsOfKnownLengthSayIt(length: Int) async throws {
      let chunk = Bytes([UInt8](repeating: 65, count: min(length, 100_000)))
      let chunks = chunk.isEmpty ? [] : [Bytes](repeating: chunk, count: length / chunk.count)
      let request = try await seen { server in
        server.request(
          "/",
          .put,
          body: .stream(length: Int64(length)) {
            AsyncStream { continuation in
              for chunk in chunks { continuation.yield(chunk) }
              continuation.finish()
            }
          }
        )
      }
      #expect(request.values(of: "Content-Length") == ["\(length)"])
      #expect(request.values(of: "Transfer-Encoding").isEmpty)
      #expect(request.values(of: "Expect").isEmpty)
      #expect(request.values(of: "Content-Type").isEmpty)
      #expect(request.body.count == length)
    }

    @Test(arguments: [0, 1, 30])
    func streamsOfUnknownLengthAreChunked(count: Int) async throws {
      let request = try await seen { server in
        server.request(
          "/",
          .put,
          body: .stream(length: nil) {
            AsyncStream { continuation in
              for _ in 0..<count { continuation.yield(Bytes([UInt8](repeating: 65, count: 100_000))) }
              continuation.finish()
            }
          }
        )
      }
      #expect(request.body.count == count * 100_000)
      #expect(request.values(of: "Transfer-Encoding") == (count == 0 ? [] : ["chunked"]))
    }

    /// The engine's own way of reading files stood still after some dozens of uploads.
    @Test(arguments: [nil, 2_000_000])
    func uploadsFromFilesDoNotStandStill(length: Int64?) async throws {
      let server = try WireServer { wire in
        while true {
          _ = try wire.readRequest()
          try wire.send(WireServer.ok)
        }
      }
      defer { server.stop() }
      for _ in 0..<40 {
        let body = Request.Body.stream(length: length) {
          AsyncStream { continuation in
            for _ in 0..<20 { continuation.yield(Bytes([UInt8](repeating: 65, count: 100_000))) }
            continuation.finish()
          }
        }
        #expect(try await transport.answer(server.request("/", .put, body: body)).text == "hello")
      }
      #expect(server.requests.allSatisfy { $0.body.count == 2_000_000 })
      let lengths = Set(server.requests.map { $0.values(of: "Content-Length") })
      #expect(lengths == [length.map { ["\($0)"] } ?? []])
    }

    @Test func theTemporaryFileOfALargeBodyIsGone() async throws {
      func files() throws -> Set<String> {
        let folder = FileManager.default.temporaryDirectory.path
        let all = try FileManager.default.contentsOfDirectory(atPath: folder)
        return Set(all.filter { $0.hasPrefix("stagecoach-body-") })
      }
      // A process that was killed leaves its own behind.
      let before = try files()
      let request = try await seen { server in
        server.request(
          "/",
          .put,
          body: .stream(length: nil) {
            AsyncStream { continuation in
              continuation.yield(Bytes([UInt8](repeating: 65, count: 2_000_000)))
              continuation.finish()
            }
          }
        )
      }
      #expect(request.body.count == 2_000_000)
      var left: Set<String> = ["not looked at yet"]
      for _ in 0..<1000 where !left.isEmpty {
        left = try files().subtracting(before)
        try await Task.sleep(for: .milliseconds(20))
      }
      #expect(left.isEmpty)
    }

    @Test func aBodyThatFailsSendsNothing() async throws {
      struct Broken: Error {}
      let server = try WireServer(answering: WireServer.ok)
      defer { server.stop() }
      let chunks = AsyncThrowingStream<Bytes, any Error> { $0.finish(throwing: Broken()) }
      let request = server.request("/", .put, body: .oneShot(chunks, length: nil))
      let error = await failure { _ = try await transport.send(request) }
      #expect(error?.kind == .requestBody)
      #expect(error?.underlying is Broken)
      #expect(server.connections.isEmpty)
    }

    @Test(arguments: [
      "/a%2fb%2Fc", "/%41%7e", "//a//b", "/a/%2e%2e/b", "/p?", "/p?a=1&a=2&b=+x", "/p??x",
      "/x;y=1,2:3@4!$&'()*+=~",
      "/%00", "/..a/...", "/p?/../x",
    ])
    func targetsArriveByteForByte(target: String) async throws {
      let request = try await seen { $0.request(target) }
      #expect(request.target == target)
    }

    @Test(arguments: [("/a[b]", "/a%5Bb%5D"), ("/%5b[", "/%5b%5B"), ("/a|\"b", "/a%7C%22b")])
    func encodesForbiddenOctetsOfTargets(target: String, encoded: String) async throws {
      let request = try await seen { $0.request(target) }
      #expect(request.target == encoded)
    }

    @Test(arguments: ["/a/./b", "/a/../b", "/a/..", "*", "/%zz", "/%"])
    func targetsThatWouldChangeAreRefused(target: String) async throws {
      let server = try WireServer(answering: WireServer.ok)
      defer { server.stop() }
      let error = await failure { _ = try await transport.send(server.request(target)) }
      #expect(error?.kind == .unsupported)
      #expect(server.connections.isEmpty)
    }

    @Test func addressesOfIPv6AreReachedInSpiteOfTheEngine() async throws {
      let server = try WireServer(host: "::1") { wire in
        _ = try wire.readRequest()
        try wire.send(WireServer.ok)
      }
      defer { server.stop() }
      let (_, text) = try await transport.answer(server.request())
      #expect(text == "hello")
      #expect(server.requests.first?.values(of: "Host") == ["[::1]:\(server.port)"])
    }

    @Test func reportsProgressAndTheEndOfTheRequest() async throws {
      let server = try WireServer(answering: WireServer.ok)
      defer { server.stop() }
      let kinds = Log()
      let client = try Client(over: transport, base: server.url, configuration: .init(monitors: [kinds]))
      _ = try await client.send(.post("/", body: .bytes("content"))).body.collect(upTo: 10)
      let order = kinds.kinds
      #expect(order.contains("progress 7"))
      let sent = try #require(order.firstIndex(of: "sent"))
      let head = try #require(order.firstIndex(of: "head"))
      #expect(sent < head)
    }
  }
}
