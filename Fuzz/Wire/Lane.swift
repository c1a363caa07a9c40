#if Tool && CURL
  import HTTPTypes
  import Stagecoach
  import StagecoachConformance
  import StagecoachOrigin
  import WireScripts

  /// Sends one input after the other to servers of its own. Lanes share transports, and with them what an engine uses
  /// again.
  final class Lane: Sendable {
    /// The transports that lanes share.
    struct Shared: Sendable {
      let engine: FuzzEngine
      let trust: Trust
      let plain, http2: any Transport

      init(_ engine: FuzzEngine) throws {
        self.engine = engine
        trust = Trust(roots: .only(try Certificate.fromPEM(WireScripts.certificate("ca.pem"))))
        var options = ConnectionOptions()
        plain = engine.transport(options, trust)
        if engine.http2 == .plain { options.versions = .http2 }
        http2 = engine.transport(options, trust)
      }

      func shutdown() async {
        await plain.shutdown()
        await http2.shutdown()
      }
    }

    private let shared: Shared
    private let script = LaneScript()
    private let hostile, honest: WireServer
    private let hostileFront, honestFront: TLSFront
    private let proxied, socks: any Transport

    init(_ shared: Shared) async throws {
      self.shared = shared
      hostile = try WireServer(limit: .seconds(20)) { [script] in try script.serve($0, isHonest: false) }
      honest = try WireServer(limit: .seconds(20)) { [script] in try script.serve($0, isHonest: true) }
      var front = TLSFront.Configuration(
        chainPEM: try WireScripts.certificate("server.pem"),
        keyPEM: try WireScripts.certificate("server.key")
      )
      front.protocols = ["h2"]
      hostileFront = try await TLSFront.start(front, to: hostile.port)
      honestFront = try await TLSFront.start(front, to: honest.port)
      var options = ConnectionOptions()
      options.proxy = .server(Proxy(.http, host: "127.0.0.1", port: hostile.port, user: "u", password: "p"))
      proxied = shared.engine.transport(options, shared.trust)
      options.proxy = .server(Proxy(.socks5, host: "127.0.0.1", port: hostile.port))
      socks = shared.engine.transport(options, shared.trust)
    }

    func end() async {
      await proxied.shutdown()
      await socks.shutdown()
      hostileFront.stop()
      honestFront.stop()
      hostile.stop()
      honest.stop()
    }

    /// Makes the call of an input.
    ///
    /// - Returns: What came of it, on one line; it begins with `wrong` where that is not what had to come.
    func call(_ input: Input) async -> String {
      script.begin(input, redirectsTo: hostile.url)
      let task = Task { await self.result(of: input) }
      if let pause = input.cancelsAfter {
        // A sleep that is cancelled is as good.
        try? await Task.sleep(for: .milliseconds(pause))
        task.cancel()
      }
      return verdict(on: await task.value, input)
    }

    // MARK: The call

    private enum Result: Sendable {
      case answer(Int, body: [UInt8])
      case failure(any Error)
    }

    private func result(of input: Input) async -> Result {
      do {
        let response = try await pipeline(for: input).send(request(for: input))
        var body = Bytes()
        switch input.reading {
        case .whole: body = try await response.body.collect(upTo: 1 << 20)
        case .chunk:
          var chunks = response.body.makeAsyncIterator()
          body = try await chunks.next() ?? Bytes()
        case .none: break
        }
        return .answer(response.status.code, body: body.withUnsafeBytes { Array($0) })
      } catch {
        return .failure(error)
      }
    }

    private func pipeline(for input: Input) -> Pipeline {
      let transport =
        switch input.route {
        case .direct, .redirected, .tls, .honest: shared.plain
        case .plainHTTP2, .honestHTTP2: shared.http2
        case .proxied: proxied
        case .socks: socks
        }
      return Pipeline(over: transport) {
        Redirects(limit: 4)
        Authentication()
        Cookies()
      }
    }

    private func request(for input: Input) throws -> Request {
      let origin =
        switch input.route {
        case .direct, .plainHTTP2: hostile.url
        case .tls: "https://localhost:\(hostileFront.port)"
        case .redirected, .honest: honest.url
        case .honestHTTP2:
          shared.engine.http2 == .plain ? honest.url : "https://localhost:\(honestFront.port)"
        case .proxied: input.number % 4 == 0 ? "https://origin.test" : "http://origin.test"
        case .socks: "http://127.0.0.1:9"
        }
      var request = Request(HTTPRequest.Method(input.method) ?? .get, "\(origin)/\(input.number)")
      if input.content > 0 { request.body = .bytes(Bytes([UInt8](repeating: 0x78, count: input.content))) }
      // Over AsyncHTTPClient a connection that fails before it can be used is tried again until then.
      let isPatient = [.direct, .redirected, .honest, .honestHTTP2].contains(input.route)
      request.options.connectTimeout = isPatient ? .seconds(3) : .milliseconds(500)
      request.options.poolTimeout = .seconds(3)
      request.options.headTimeout = .seconds(2)
      request.options.idleTimeout = .seconds(2)
      request.options.credential = Credential(user: "u", password: "p")
      return request
    }

    // MARK: What came of it

    private func verdict(on result: Result, _ input: Input) -> String {
      switch (result, input.outcome) {
      case (.answer(let status, let body), .complete):
        guard status == 200, body == Latin1.bytes(input.body) else {
          return
            "wrong: an honest answer came as \(status) with \(body.count) bytes, of \(input.body.utf8.count)"
        }
        return "200"
      case (.answer(let status, let body), .incomplete):
        return
          "wrong: an answer that was cut came as \(status) with \(body.count) bytes, as if it were complete"
      case (.answer(let status, _), .any): return "\(status)"
      case (.failure(let error), .complete) where !isForgivable(error):
        return "wrong: an honest answer failed as \(name(of: error)): \(error)"
      case (.failure(let error), _): return name(of: error)
      }
    }

    /// What a slow machine makes of an honest answer, or a connection that was closed as it was used again.
    private func isForgivable(_ error: any Error) -> Bool {
      switch (error as? ExchangeError)?.kind {
      case .timeout, .connectionReset: true
      default: false
      }
    }

    private func name(of error: any Error) -> String {
      guard let error = error as? ExchangeError else {
        return error is CancellationError ? "cancelled" : "wrong: an error without a kind: \(error)"
      }
      // `timeout(StagecoachCore.ExchangeError.Phase.head)` becomes `timeout(head)`.
      let text = "\(error.kind)"
      guard let open = text.firstIndex(of: "("), let dot = text.lastIndex(of: ".") else { return text }
      return String(text[...open] + text[text.index(after: dot)...])
    }
  }
#endif
