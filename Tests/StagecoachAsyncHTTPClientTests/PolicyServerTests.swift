#if Tool
  import Foundation
  import HTTPTypes
  import Stagecoach
  import StagecoachAsyncHTTPClient
  import TestSupport
  import Testing

  /// The standard chain against servers that are not ours.
  @Suite(.serialized) struct PolicyServerTests {
    private static let credential = Credential(user: "driver", password: "secret")

    private func withClient(_ url: String, _ body: (Client) async throws -> Void) async throws {
      let store = MemoryCredentialStore()
      try store.set(Self.credential, for: url)
      var pipeline = Pipeline.standard(over: AsyncHTTPClientTransport())
      try pipeline.replace(Authentication.self, with: Authentication(store: store))
      let client = try Client(pipeline, base: url)
      do { try await body(client) } catch { Issue.record(error) }
      await client.pipeline.shutdown()
    }

    // MARK: Authentication

    @Test(.enabled(if: Apache.isInstalled, "Apache httpd is not installed"), arguments: [(300, 200), (0, 1)])
    func apacheAcceptsManyConcurrentDigestRequests(nonceLifetime: Int, atOnce: Int) async throws {
      let server = try Apache(nonceLifetime: nonceLifetime)
      defer { server.stop() }
      try await server.isListening()
      try await withClient(server.url) { client in
        #expect(try await client.get("basic/i", as: .text) == "ok\n")
        #expect(try await client.get("307", as: .text) == "ok\n")
        // A nonce count that comes out of order is refused without a word that the nonce was the reason.
        try await withThrowingTaskGroup(of: String.self) { group in
          for _ in 0..<atOnce {
            group.addTask { try await client.get("digest/i", as: .text) }
          }
          for try await text in group { #expect(text == "ok\n") }
        }
      }
    }

    @Test(.enabled(if: Apache.isInstalled, "Apache httpd is not installed"))
    func apacheNamesTheNextNonceOfEachRequest() async throws {
      let server = try Apache(nonceLifetime: 0)
      defer { server.stop() }
      try await server.isListening()
      try await withClient(server.url) { client in
        for number in 1...5 {
          let response = try await client.response(for: .get("digest/i"), as: .text)
          #expect(response.value == "ok\n")
          #expect(response.history.map { $0.response.status.code } == (number == 1 ? [401] : []))
        }
      }
    }

    @Test(.enabled(if: Apache.isInstalled, "Apache httpd is not installed"))
    func followsTheRedirectsOfApache() async throws {
      let server = try Apache()
      defer { server.stop() }
      try await server.isListening()
      try await withClient(server.url) { client in
        // So that no redirect is followed by a challenge.
        #expect(try await client.get("basic/i", as: .text) == "ok\n")
        for code in [301, 302, 303, 307, 308] {
          let response = try await client.response(for: .get("\(code)"), as: .text)
          #expect(response.value == "ok\n", "\(code)")
          #expect(response.history.map { $0.response.status.code } == [code])
        }
      }
    }

    @Test(.enabled(if: Lighttpd.executable != nil, "lighttpd is not installed"))
    func lighttpdTakesTheStrongest() async throws {
      let server = try Lighttpd()
      defer { server.stop() }
      try await server.isListening()
      try await withClient(server.url) { client in
        for path in ["basic/i", "sha/i", "many/i", "many/i"] {
          let text = try await client.get(path, as: .text)
          #expect(text == "ok\n", "\(path)")
        }
        var request = Request.get("basic/i")
        request.options.authenticationSchemes = ["Digest"]
        let error = await exchangeError { [request] in try await client.value(for: request, as: .text) }
        #expect(error?.response?.status == .unauthorized)
      }
    }

    @Test(.enabled(if: HTTPBin.isInstalled, "httpbin and gunicorn are not installed"))
    func httpbinIsServed() async throws {
      let server = try HTTPBin()
      defer { server.stop() }
      try await server.isListening()
      try await withClient(server.url) { client in
        for path in [
          "basic-auth/driver/secret", "digest-auth/auth/driver/secret/SHA-256",
          "digest-auth/auth-int/driver/secret/MD5",
        ] {
          let value: JSONValue = try await client.get(path)
          #expect(value["authenticated"] == true, "\(path)")
        }
        let response = try await client.response(for: .get("redirect/3"), as: .data)
        #expect(response.history.count == 3)
        let jar: JSONValue = try await client.get("cookies/set?coach=stage")
        #expect(jar["cookies"]?["coach"] == "stage")
        let posted: JSONValue = try await client.post(
          "redirect-to?url=/post&status_code=307",
          .json(["a": 1] as JSONValue)
        )
        #expect(posted["json"]?["a"] == 1)
      }
      // The server keeps in cookies how often a nonce was used, and calls it stale after the first time.
      try await withClient(server.url) { client in
        for _ in 0..<3 {
          let request = Request.get("digest-auth/auth/driver/secret/SHA-256/1")
          let response = try await client.response(for: request, as: .jsonValue)
          #expect(response.value["authenticated"] == true)
          #expect(response.history.map { $0.response.status.code } == [401])
        }
      }
    }

    @Test(.enabled(if: HTTPBin.isInstalled, "httpbin and gunicorn are not installed"))
    func httpbinSeesTheMethodAndTheContentOfTheNextHop() async throws {
      let server = try HTTPBin()
      defer { server.stop() }
      try await server.isListening()
      try await withClient(server.url) { client in
        for code in [301, 302, 303, 307, 308] {
          for method in [HTTPRequest.Method.get, .post, .put, .patch, .delete] {
            let url = "redirect-to?url=/anything&status_code=\(code)"
            let content = method == .get ? "" : "content"
            let request = Request(method, url, body: .bytes(Bytes(content)))
            let response = try await client.response(for: request, as: .jsonValue)
            let becomesGet = code == 303 || code < 303 && method == .post
            let expected = becomesGet ? "GET" : method.rawValue
            #expect(response.value["method"] == .string(expected), "\(code) \(method)")
            #expect(response.value["data"] == .string(becomesGet ? "" : content), "\(code) \(method)")
            #expect(response.history.map { $0.response.status.code } == [code])
          }
        }
      }
    }

    @Test(.enabled(if: HTTPBin.isInstalled, "httpbin and gunicorn are not installed"))
    func httpbinAnswersWithAnyStatus() async throws {
      let server = try HTTPBin()
      defer { server.stop() }
      try await server.isListening()
      var policy = RetryPolicy()
      policy.delay = .zero
      let retry = Retry(policy, budget: .unlimited)
      var pipeline = Pipeline.standard(over: AsyncHTTPClientTransport())
      try pipeline.replace(Retry.self, with: retry)
      let client = try Client(pipeline, base: server.url)
      for code in [200, 201, 202, 203, 204, 206] {
        let response = try await client.send(.get("status/\(code)"))
        #expect(response.status.code == code)
        await response.body.discard()
      }
      for code in [400, 401, 403, 404, 409, 410, 418, 429, 500, 501, 502, 503, 504, 505] {
        let error = await exchangeError { try await client.send(.get("status/\(code)")) }
        #expect(error?.kind == .status, "\(code)")
        #expect(error?.response?.status.code == code)
        #expect(error?.attempts == ([429, 502, 503, 504].contains(code) ? 3 : 1), "\(code)")
      }
      await client.pipeline.shutdown()
    }

    // MARK: nginx

    private static let directives = """
      location = /301 { return 301 /a.json; }
      location = /303 { return 303 /a.json; }
      location = /308 { return 308 /a.json?b; }
      location = /loop { return 302 /loop; }
      location = /insecure { return 302 http://localhost:1/; }
      location = /set { add_header Set-Cookie "coach=stage; Path=/"; return 302 /shown; }
      location = /shown { return 200 $http_cookie; }
      location = /busy { add_header Retry-After 0 always; return 503; }
      location /door/ { auth_basic "de\\"pot é"; auth_basic_user_file door.pw; alias www/; }
      """

    @Test(.enabled(if: Nginx.executable != nil, "nginx is not installed"))
    func followsTheRedirectsOfNginx() async throws {
      let nginx = try Nginx(directives: Self.directives)
      defer { nginx.stop() }
      try await nginx.isListening()
      try await withClient(nginx.url) { client in
        for path in ["301", "303", "308"] {
          let response = try await client.response(for: .get(path), as: .jsonValue)
          #expect(response.value["count"] == 7, "\(path)")
          #expect(response.history.map { "\($0.response.status.code)" } == [path])
        }
        let loop = await exchangeError { try await client.send(.get("loop")) }
        #expect(loop?.kind == .redirect(.tooMany))
        #expect(try await client.get("set", as: .text) == "coach=stage")
        let busy = await exchangeError { try await client.get("busy", as: .data) }
        #expect(busy?.response?.status == .serviceUnavailable)
        #expect(busy?.attempts == 3)
      }
      let trusting = try AsyncHTTPClientTransport(trust: .tests())
      let secure = try Client(over: trusting, base: nginx.secureURL)
      let downgrade = await exchangeError { try await secure.send(.get("insecure")) }
      #expect(downgrade?.kind == .redirect(.insecure))
      await secure.pipeline.shutdown()
    }

    @Test(.enabled(if: Nginx.executable != nil, "nginx is not installed"))
    func nginxOpensADoorWhoseRealmIsBroken() async throws {
      let nginx = try Nginx(
        directives: Self.directives,
        files: ["door.pw": "driver:$apr1$abcdefgh$h9FWgUz3n9YxylKLlR5SQ/\n"]
      )
      defer { nginx.stop() }
      try await nginx.isListening()
      try await withClient(nginx.url) { client in
        let value: JSONValue = try await client.get("door/a.json")
        #expect(value["count"] == 7)
      }
    }
  }
#endif
