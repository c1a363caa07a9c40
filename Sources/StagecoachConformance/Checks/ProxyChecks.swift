import HTTPTypes
import StagecoachCore
import StagecoachStages
import Synchronization

extension Check {
  /// Proxies that are asked to lead on.
  static let proxyChecks: [Check] = [
    Check(
      "092j-who-asks",
      "a 407 is answered where a proxy sent it, and final where an origin did, in a tunnel and without a proxy"
    ) { trial in
      let challenge =
        "HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm=\"depot\"\r\nContent-Length: 0\r\n\r\n"
      let server = try trial.server { wire in
        var isOrigin = false
        while true {
          let request = try wire.readHead()
          let isForwarded = request.target.hasPrefix("http:")
          if request.method == "CONNECT" {
            isOrigin = true
            try wire.send("HTTP/1.1 200 OK\r\n\r\n")
          } else if isForwarded, !isOrigin, !request.values(of: "Proxy-Authorization").isEmpty {
            try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
          } else {
            try wire.send(challenge)
          }
        }
      }
      let proxy = Proxy(.http, host: "127.0.0.1", port: server.port, user: "driver", password: "hush")
      let plain = Proxy(.http, host: "127.0.0.1", port: server.port)
      var ways: [(ProxySetting, [String])] = [(.none, ["\(server.url)/1", "\(server.url)/2"])]
      if trial.capabilities.contains(.httpProxies) {
        let urls = ["a", "a", "b"].map { "http://\($0).stagecoach.invalid:81/" }
        ways.append((.server(plain), urls))
        var digest = plain
        digest.authentication = .digest
        if trial.capabilities.contains(.proxyDigest) { ways.append((.server(digest), urls)) }
      }
      for (way, urls) in ways {
        let transport = try trial.transport { $0.connections.proxy = way }
        let pipeline = Pipeline(over: transport, stages: [Authentication(proxy: proxy)])
        for url in urls {
          let before = server.requests.count
          var request = Request.get(url)
          request.options.expectedContent = Acceptance(statuses: [200..<201, 407..<408])
          let response = try await pipeline.send(request)
          await response.body.discard()
          let seen = server.requests[before...]
          let isForwarded = seen.contains { $0.target.hasPrefix("http:") }
          try require(
            response.status.code == (isForwarded ? 200 : 407),
            "\(url) by way of \(way) was answered with \(response.status.code)"
          )
          let requests = seen.filter { $0.method != "CONNECT" }
          try require(
            isForwarded || requests.count == 1,
            "a 407 of the origin was answered: \(requests.count) requests"
          )
        }
      }
      let revealed = server.requests.filter { request in
        !request.target.hasPrefix("http:") && !request.values(of: "Proxy-Authorization").isEmpty
      }
      try require(revealed.isEmpty, "what is for the proxy was sent with \(revealed.map(\.startLine))")
    },
    Check(
      "092e-proxy-digest",
      "a proxy that asks for Digest gets it for the tunnel, and for nothing else",
      level: .capability,
      needs: .proxyDigest
    ) { trial in
      let server = try trial.server { wire in
        while true {
          let request = try wire.readHead()
          if request.method != "CONNECT" {
            try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
          } else if request.values(of: "Proxy-Authorization").isEmpty {
            let challenge = "Digest realm=\"depot\", nonce=\"n1\", qop=\"auth\", algorithm=MD5"
            try wire.send(
              "HTTP/1.1 407 Who\r\nProxy-Authenticate: \(challenge)\r\nContent-Length: 0\r\n\r\n"
            )
          } else {
            try wire.send("HTTP/1.1 200 OK\r\n\r\n")
          }
        }
      }
      var proxy = Proxy(.http, host: "127.0.0.1", port: server.port, user: "driver", password: "hush")
      proxy.authentication = .digest
      let transport = try trial.transport { $0.connections.proxy = .server(proxy) }
      let response = try await trial.send(.get("http://stagecoach.invalid:81/x"), over: transport)
      let text = String(decoding: try await response.body.collect(upTo: 100))
      try require(text == "ok", "the body is \(text)")
      let requests = server.requests
      try require(requests.map(\.method) == ["CONNECT", "CONNECT", "GET"], "\(requests.map(\.method)) came")
      let answers = requests.map { $0.values(of: "Proxy-Authorization") }
      try require(
        answers[0].isEmpty && answers[2].isEmpty,
        "Proxy-Authorization came without a challenge"
      )
      let answer = answers[1].first ?? ""
      for part in ["Digest ", "username=\"driver\"", "uri=\"stagecoach.invalid:81\"", "nc=00000001"] {
        try require(answer.contains(part), "the answer to the challenge has no \(part)")
      }
      try require(requests[2].target == "/x", "the target is \(requests[2].target)")
    },
    Check(
      "092g-socks",
      "a SOCKS proxy gets the name of the host, and its refusal fails as one to connect, unsent",
      level: .capability,
      needs: .socksProxies
    ) { trial in
      let asked = Mutex<[SOCKSPeer]>([])
      let server = try trial.server { wire in
        let peer = try SOCKSPeer(wire)
        asked.withLock { $0.append(peer) }
        guard peer.port == 81 else { return try peer.refuse() }
        try peer.leadOn()
        try echoesTarget(wire)
      }
      let proxy = Proxy(.socks5h, host: "127.0.0.1", port: server.port)
      let transport = try trial.transport { $0.connections.proxy = .server(proxy) }
      for target in ["/1", "/2"] {
        let url = "http://stagecoach.invalid:81\(target)"
        let text = String(
          decoding: try await trial.send(.get(url), over: transport).body.collect(upTo: 100)
        )
        try require(text == target, "the body is \(text)")
      }
      let first = asked.withLock { $0 }
      let isAskedOnce = first.count == 1 && first[0].host == .name("stagecoach.invalid")
      try require(isAskedOnce && first[0].user == nil, "the proxy was asked for \(first.map(\.host))")
      let refused = Request.get("http://stagecoach.invalid:82/")
      let error = try await trial.failure(of: refused, over: transport)
      try require(
        error.kind == .connectionFailed || error.kind == .connectionRefused,
        "a refusal fails as \(error.kind): \(error.message)"
      )
      try require(error.requestMayHaveBeenSent == false, "it says that the request may have been sent")
    },
    Check(
      "092h-socks-password",
      "a SOCKS proxy that asks for name and password gets them, wrong ones once, or it is refused as unsupported",
      level: .capability,
      needs: .socksProxies
    ) { trial in
      let asked = Mutex<[SOCKSPeer]>([])
      let server = try trial.server { wire in
        let peer = try SOCKSPeer(wire, password: "hush")
        asked.withLock { $0.append(peer) }
        try peer.leadOn()
        try echoesTarget(wire)
      }
      for password in ["hush", "wrong"] {
        let proxy = Proxy(.socks5h, host: "127.0.0.1", port: server.port, user: "driver", password: password)
        let transport = try trial.transport { $0.connections.proxy = .server(proxy) }
        let before = server.connections.count
        let request = Request.get("http://stagecoach.invalid:81/a")
        let observation = try await Observation(of: request, over: retrying(transport), trial)
        let kind = (observation.error as? ExchangeError)?.kind
        if kind == .unsupported, trial.capabilities.contains(.socksProxies) {
          try require(server.connections.isEmpty, "it was refused, and there was a connection")
        } else if password == "hush" {
          try require(observation.body == Array("/a".utf8), "it was \(observation)")
        } else {
          try require(kind == .proxyRefused, "a wrong password: \(observation)")
          let count = server.connections.count - before
          try require(count == 1, "a wrong password was sent \(count) times")
        }
      }
      for peer in asked.withLock({ $0 }) {
        try require(
          peer.user == "driver" && peer.host == .name("stagecoach.invalid"),
          "\(peer.user ?? "nobody") asked for \(peer.host)"
        )
      }
    },
  ]
}
