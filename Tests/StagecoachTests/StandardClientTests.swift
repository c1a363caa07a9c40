#if AsyncHTTPClient || CURL || canImport(Darwin)
  import Foundation
  import Stagecoach
  import StagecoachResilience
  import TestSupport
  import Testing

  /// A client that makes its own transport, against a server that codes what it sends.
  @Suite(.enabled(if: Nginx.executable != nil, "nginx is not installed: these tests are not run"))
  struct StandardClientTests {
    struct User: Codable, Sendable, Equatable { var id: Int, name: String }

    private func withNginx(_ body: (Nginx) async throws -> Void) async throws {
      let users = "[\((1...200).map { #"{"id":\#($0),"name":"Grüße"}"# }.joined(separator: ","))]"
      let nginx = try Nginx(
        directives: "gzip on; gzip_types application/json;",
        files: ["www/users.json": users]
      )
      defer { nginx.stop() }
      try await nginx.isListening()
      try await body(nginx)
    }

    private func users(_ client: Client) async throws -> [User] { try await client.get("users.json") }

    @Test func threeLinesReadCodedContent() async throws {
      try await withNginx { nginx in
        let client = try Client(base: nginx.url)
        let users: [User] = try await client.get("users.json")
        #expect(users.count == 200)
        #expect(users.last == User(id: 200, name: "Grüße"))

        var request = Request.get("users.json")
        request.fields[.acceptEncoding] = "gzip"
        // Who asks by hand gets it as it comes: it was coded before, too.
        let response = try await client.response(for: request, as: .data)
        #expect(response.fields[.contentEncoding] == "gzip")
        #expect(response.value.count < 4000)
      }
    }

    @Test func aClientHasTheStandardPipeline() throws {
      let client = try Client()
      let stages = "Validation ▸ ContentDecoding ▸ Redirects ▸ Retry ▸ Authentication ▸ Cookies"
      #expect("\(client.pipeline)".hasPrefix("\(stages) ▸ "))
    }

    /// A client whose transport is wrapped in what the caller passes in, which does not escape.
    private func client(wrapping wrap: (any Transport) -> any Transport) throws -> Client {
      try Client(base: "http://h/") { .standard(over: wrap($0), cookies: nil) }
    }

    private func client(under pipeline: (any Transport) throws -> Pipeline) throws -> Client {
      try Client(base: "http://h/", pipeline: pipeline)
    }

    @Test @MainActor func aClosureThatIsAParameterPutsStagesOverTheTransport() async throws {
      struct Wrapped: TransportWrapper {
        let transport: any Transport
        let name = "Wrapped"
        func send(_ request: Request) async throws -> Response { Response(.ok, body: .bytes("a")) }
      }
      var count = 0
      let wrapped = try client(wrapping: { transport in
        count += 1
        return Wrapped(transport: transport)
      })
      let own = try client(under: { transport in
        count += 1
        return Pipeline(over: Wrapped(transport: transport)) {}
      })
      #expect(count == 2)
      #expect("\(wrapped.pipeline)".hasSuffix(" ▸ Authentication ▸ Wrapped"))
      #expect("\(own.pipeline)" == "Wrapped")
      #expect(try await own.get("", as: .text) == "a")
    }

    @Test func stagesArePutOverTheTransportThatItMakes() async throws {
      try await withNginx { nginx in
        let client = try Client(base: nginx.url) { transport in
          var pipeline = Pipeline.standard(over: transport, contentDecoding: nil, cookies: nil)
          try pipeline.insert(ConcurrencyLimit(perOrigin: 1), after: Retry.self)
          return pipeline
        }
        #expect("\(client.pipeline)".hasPrefix("Validation ▸ Redirects ▸ Retry ▸ ConcurrencyLimit ▸ Auth"))
        #expect(try await users(client).count == 200)
      }
    }

    @Test func aDroppedClientLetsABodyEndAndClosesItsConnections() async throws {
      try await withNginx { nginx in
        func body() async throws -> Response.Body {
          try await Client(base: nginx.url).send(.get("large")).body
        }
        var count = 0
        for try await chunk in try await body() { count += chunk.count }
        #expect(count == 64 << 20)
        #if os(Linux)
          let deadline = ContinuousClock.now.advanced(by: .seconds(30))
          while try connections(to: nginx.port) > 0, .now < deadline {
            try await Task.sleep(for: .milliseconds(5))
          }
          #expect(try connections(to: nginx.port) == 0)
        #endif
      }
    }

    @Test func shutdownEndsWhatIsUnderWay() async throws {
      try await withNginx { nginx in
        let client = try Client(base: nginx.url)
        let body = try await client.send(.get("large")).body
        await client.shutdown()
        let error = await #expect(throws: ExchangeError.self) { for try await _ in body {} }
        #expect(error?.kind == .shutdown)
      }
    }

    @Test func rootsAreOneValueOfItsConfiguration() async throws {
      try await withNginx { nginx in
        var configuration = Client.Configuration()
        configuration.trust = Trust(roots: .only(try Certificate.fromPEM(TestCertificates.ca)))
        #expect(try await users(Client(base: nginx.secureURL, configuration: configuration)).count == 200)
        let stranger = try Client(base: nginx.secureURL)
        let error = await #expect(throws: ExchangeError.self) { try await users(stranger) }
        #expect(error?.kind == .tls(.untrusted))
      }
    }

    @Test func addressesAndProxiesAreValuesOfItsConfiguration() async throws {
      try await withNginx { nginx in
        var configuration = Client.Configuration()
        configuration.connections.addresses["api.example.test"] = "127.0.0.1"
        let url = nginx.url.replacing("127.0.0.1", with: "api.example.test")
        #expect(try await users(Client(base: url, configuration: configuration)).count == 200)

        configuration.connections.proxy = .server(try Proxy("http://127.0.0.1:1"))
        configuration.defaults.options.retryPolicy = RetryPolicy(attempts: 1)
        let proxied = try Client(base: nginx.url, configuration: configuration)
        let error = await #expect(throws: ExchangeError.self) { try await users(proxied) }
        #expect(error?.response == nil)
      }
    }

    @Test func userAgentNamesNoDistribution() async throws {
      try await withNginx { nginx in
        let client = try Client(base: nginx.url)
        _ = try await users(client)
        let line = try #require(try nginx.log().last)
        #expect(line.contains(" Stagecoach/"))
        #expect(!line.contains("Debian"))
      }
    }
  }
#endif
