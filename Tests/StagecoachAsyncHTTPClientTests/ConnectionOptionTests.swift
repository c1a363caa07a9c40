#if Tool
  import Foundation
  import HTTPTypes
  import Stagecoach
  import StagecoachAsyncHTTPClient
  import StagecoachOrigin
  import Testing

  /// What is asked of connections and cannot be done fails; what is known of them is told.
  @Suite struct ConnectionOptionTests {
    struct Refusal: Sendable, CustomTestStringConvertible {
      let name: String
      let kind: ExchangeError.Kind
      let url: String
      let change: @Sendable (inout ConnectionOptions) -> Void
      var testDescription: String { name }

      init(
        _ name: String,
        _ kind: ExchangeError.Kind = .unsupported,
        url: String = "http://localhost/",
        _ change: @escaping @Sendable (inout ConnectionOptions) -> Void
      ) {
        (self.name, self.kind, self.url, self.change) = (name, kind, url, change)
      }
    }

    static let refusals = [
      Refusal("HTTP/2 alone") { $0.versions = .http2 },
      Refusal("HTTP/3 alone") { $0.versions = .http3 },
      Refusal("a proxy over TLS") { $0.proxy = .server(Proxy(.https, host: "localhost", port: 1)) },
      Refusal("SOCKS 4") { $0.proxy = .server(Proxy(.socks4, host: "localhost", port: 1)) },
      Refusal("SOCKS 4a") { $0.proxy = .server(Proxy(.socks4a, host: "localhost", port: 1)) },
      Refusal("SOCKS 5 with a password") {
        $0.proxy = .server(Proxy(.socks5, host: "localhost", port: 1, user: "u", password: "p"))
      },
      Refusal("a socket behind a proxy") {
        $0.unixSocket = "/tmp/socket"
        $0.proxy = .server(Proxy(.http, host: "localhost", port: 1))
      },
      Refusal("https behind a socket", url: "https://localhost/") { $0.unixSocket = "/tmp/socket" },
      Refusal("https to an address through a proxy", url: "https://127.0.0.1/") {
        $0.proxy = .server(Proxy(.http, host: "localhost", port: 1))
      },
      Refusal("https to an address that is overridden", url: "https://127.0.0.1/") {
        $0.addresses = ["127.0.0.1": "127.0.0.2"]
      },
      Refusal("an override that is no address", .invalidRequest) { $0.addresses = ["a": "localhost"] },
      Refusal("an own address that is none", .invalidRequest) { $0.localAddress = "localhost" },
      Refusal("a socket that is not there", .connectionRefused) {
        $0.unixSocket = "/tmp/stagecoach-there-is-no-such-socket"
      },
    ]

    @Test(arguments: refusals)
    func refusesUnsupportedOptions(refusal: Refusal) async throws {
      var connections = ConnectionOptions()
      refusal.change(&connections)
      let client = try Client(
        bare(AsyncHTTPClientTransport(connections: connections))
      )
      for _ in 0..<2 {
        let error = await exchangeError { try await client.get(refusal.url, as: .data) }
        #expect(error?.kind == refusal.kind, "\(error.map { "\($0)" } ?? "")")
        #expect(error?.message.isEmpty == false)
      }
      await client.pipeline.shutdown()
    }

    @Test func whatIsAskedOfTheNetworkIsRefused() async throws {
      try await withOrigin { origin, client in
        for use in [
          NetworkUse(allowsCellularAccess: false), NetworkUse(pipelines: true),
          NetworkUse(serviceType: .background),
        ] {
          var request = Request.get("json")
          request.options.networkUse = use
          let error = await exchangeError { try await client.send(request) }
          #expect(error?.kind == .unsupported)
        }
        var request = Request.get("json")
        request.options.networkUse = NetworkUse(allowsCellularAccess: true, serviceType: .standard)
        _ = try await client.value(for: request, as: .data)
        #expect(origin.requests.count == 1)
      }
    }

    @Test func thereAreAsManyConnectionsAsAllowed() async throws {
      let origin = try await Origin.start()
      var connections = ConnectionOptions()
      connections.connectionsPerOrigin = 2
      let client = try Client(
        bare(AsyncHTTPClientTransport(connections: connections)),
        base: origin.url
      )
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<20 { group.addTask { _ = try await client.get("json", as: .data) } }
        try await group.waitForAll()
      }
      #expect(origin.acceptedConnections == 2)
      await client.pipeline.shutdown()
      try await origin.stop()
    }

    @Test func anIdleConnectionIsClosedAfterItsTime() async throws {
      let origin = try await Origin.start()
      var connections = ConnectionOptions()
      connections.idleTimeout = .milliseconds(50)
      let client = try Client(
        bare(AsyncHTTPClientTransport(connections: connections)),
        base: origin.url
      )
      _ = try await client.get("json", as: .data)
      try await eventually { origin.openConnections == 0 }
      await client.pipeline.shutdown()
      try await origin.stop()
    }

    // MARK: What is told of connections

    @Test func aResponseTellsOfItsConnection() async throws {
      try await withOrigin { origin, client in
        let first = try await client.send(.get("json"))
        _ = try await first.body.collect(upTo: 10_000)
        let second = try await client.send(.get("json"))
        _ = try await second.body.collect(upTo: 10_000)
        let address = "127.0.0.1:\(origin.port)"
        #expect(first.connection?.remoteAddress == address)
        #expect(first.connection?.isReused == false)
        let connecting = try #require(first.connection?.connecting)
        #expect(connecting > .zero && connecting < .seconds(30))
        #expect(second.connection?.remoteAddress == address)
        #expect(second.connection?.isReused == true)
        #expect(second.connection?.connecting == nil)
      }
    }

    @Test func theConnectionIsAcquiredBeforeTheHeadIsSent() async throws {
      let log = EventLog()
      try await withOrigin(monitors: [log]) { _, client in
        _ = try await client.get("json", as: .data)
        _ = try await client.get("json", as: .data)
        let names = log.events.compactMap { event -> String? in
          switch event.kind {
          case .connection(.acquired(let connection)): connection.isReused == true ? "reused" : "new"
          case .requestHeadSent: "head"
          case .responseHeadReceived: "response"
          default: nil
          }
        }
        #expect(names == ["new", "head", "response", "reused", "head", "response"])
      }
    }

    @Test func reportsNoTimeThatMayBelongToAnotherRequest() async throws {
      try await withOrigin { origin, client in
        let responses = try await withThrowingTaskGroup(of: ConnectionInfo?.self) { group in
          for _ in 0..<8 {
            group.addTask {
              let response = try await client.send(.get("drip?bytes=10&duration=200"))
              _ = try await response.body.collect(upTo: 1000)
              return response.connection
            }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(origin.acceptedConnections > 1)
        // Who came first may have been alone.
        #expect(responses.count { $0?.connecting != nil } <= 1)
        let known = responses.compactMap(\.self).filter { $0.isReused == false }
        #expect(known.count <= origin.acceptedConnections)
      }
    }
  }
#endif
