#if Tool
  import AsyncHTTPClient
  import Foundation
  import NIOSSL
  import Stagecoach
  import StagecoachAsyncHTTPClient
  import StagecoachOrigin
  import TestSupport
  import Testing

  /// Requests beyond the number of connections wait for one.
  struct QueueTests {
    /// An origin to which there is one connection, which a request to `/hang` holds.
    private func withHeldConnection(
      _ body: (Origin, Client, Task<Bytes, any Error>) async throws -> Void
    ) async throws {
      let origin = try await Origin.start()
      let transport = AsyncHTTPClientTransport { configuration in
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1
      }
      let client = try Client(bare(transport), base: origin.url)
      let holder = Task { try await client.get("hang", as: .data) }
      _ = try await origin.nextRequest(path: "/hang")
      try await body(origin, client, holder)
      holder.cancel()
      _ = try? await holder.value
      await client.pipeline.shutdown()
      try await origin.stop()
    }

    @Test func aWaiterIsSentWhenAConnectionIsFreed() async throws {
      try await withHeldConnection { origin, client, holder in
        let waiting = Task { try await client.get("text", as: .text) }
        try await Task.sleep(for: .milliseconds(50))
        #expect(origin.acceptedConnections == 1)
        holder.cancel()
        #expect(try await !waiting.value.isEmpty)
      }
    }

    @Test func aCancelledWaiterLetsTheNextPass() async throws {
      try await withHeldConnection { origin, client, holder in
        let first = Task { try await client.get("text?first", as: .text) }
        let second = Task { try await client.get("text?second", as: .text) }
        try await Task.sleep(for: .milliseconds(50))
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        holder.cancel()
        #expect(try await !second.value.isEmpty)
        _ = try await origin.nextRequest(path: "/text")
      }
    }

    @Test func aWaiterFailsAtItsTotalTimeout() async throws {
      try await withHeldConnection { origin, client, holder in
        var request = Request.get("text?late")
        request.options.totalTimeout = .milliseconds(150)
        let late = request
        let error = await exchangeError { try await client.value(for: late, as: .text) }
        LimitTests.check(error, .total)
        // It has left the queue: only who comes after it is sent.
        let next = Task { try await client.get("text?next", as: .text) }
        holder.cancel()
        let text = try await next.value
        #expect(!text.isEmpty)
        let sent = try await origin.nextRequest(path: "/text")
        #expect(sent.target == "/text?next")
        #expect(origin.acceptedConnections <= 2)
      }
    }

    @Test func manyFailuresInARowDoNotExhaustTheStack() async throws {
      let port = try freePort()
      let transport = AsyncHTTPClientTransport { configuration in
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1
      }
      let client = try Client(bare(transport), base: "http://127.0.0.1:\(port)/")
      let kinds = await withTaskGroup(of: ExchangeError.Kind?.self) { group in
        for _ in 0..<2000 {
          group.addTask { await exchangeError { try await client.get("x", as: .data) }?.kind }
        }
        return await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(kinds == [.connectionRefused])
      await client.pipeline.shutdown()
    }

    @Test func shutdownFailsWaiters() async throws {
      try await withHeldConnection { _, client, _ in
        let waiting = Task { try await client.get("text", as: .text) }
        try await Task.sleep(for: .milliseconds(50))
        await client.pipeline.shutdown()
        let error = await exchangeError { try await waiting.value }
        #expect(error?.kind == .shutdown)
      }
    }

    @Test func fewConnectionsServeAllWaiters() async throws {
      let origin = try await Origin.start()
      let transport = AsyncHTTPClientTransport { configuration in
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 2
      }
      let client = try Client(bare(transport), base: origin.url)
      try await withThrowingTaskGroup(of: String.self) { group in
        for number in 0..<200 {
          group.addTask { try await client.get("text?\(number)", as: .text) }
        }
        for try await text in group { #expect(!text.isEmpty) }
      }
      #expect(origin.acceptedConnections <= 2)
      await client.pipeline.shutdown()
      try await origin.stop()
    }
  }

  @Suite(.enabled(if: Nginx.executable != nil, "nginx is not installed: these tests are not run"))
  struct MultiplexedQueueTests {
    @Test func aServerThatMultiplexesServesMoreThanItsConnections() async throws {
      let nginx = try Nginx()
      let roots = try NIOSSLCertificate.fromPEMBytes(Array(TestCertificates.ca.utf8))
      let transport = AsyncHTTPClientTransport { configuration in
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates(roots)
        configuration.tlsConfiguration = tls
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1
      }
      let client = try Client(bare(transport), base: nginx.secureURL)
      try await nginx.isListening()
      // Unread bodies larger than any buffer: each holds its stream.
      var held: [Response] = []
      for _ in 0..<4 { held.append(try await client.send(.get("large"))) }
      #expect(held.allSatisfy { $0.version == .http2 })
      let text = try await client.get("a.xml", as: .text)
      #expect(text == "<a><b>7</b></a>")
      for response in held { response.body.cancel() }
      await client.pipeline.shutdown()
      nginx.stop()
    }
  }
#endif
