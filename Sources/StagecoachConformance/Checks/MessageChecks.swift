import HTTPTypes
import StagecoachCore
import Synchronization

extension Check {
  static let okay = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

  /// Throws unless making a request, or sending it, fails because it is invalid.
  private static func requireRefusal(
    _ trial: Trial,
    _ transport: any Transport,
    _ what: String,
    of make: () throws -> Request
  ) async throws {
    do {
      _ = try await trial.send(make(), over: transport)
    } catch let error as ExchangeError {
      return try require(error.kind == .invalidRequest, "\(what) fails as \(error.kind)")
    }
    throw CheckFailure("\(what) was sent")
  }

  /// Checks of the request line and the fields that scripts cannot express.
  static let messageChecks: [Check] = [
    Check("008-host", "Host is the authority: a port that is not the scheme's own stays") { trial in
      let server = try trial.server { wire in
        while true {
          _ = try wire.readRequest()
          try wire.send(okay)
        }
      }
      let transport = try trial.transport()
      _ = try await trial.send(.get("\(server.url)/"), over: transport).body.collect(upTo: 100)
      let hosts = server.requests.map { $0.values(of: "Host") }
      try require(hosts == [[server.authority]], "Host is \(hosts), expected \(server.authority)")
    },
    Check("009-ipv6-host", "the address of IPv6 stands in brackets in Host, and a zone is not sent") {
      trial in
      let server = try trial.server(host: "::1") { wire in
        while true {
          _ = try wire.readRequest()
          try wire.send(okay)
        }
      }
      let transport = try trial.transport()
      _ = try await trial.send(.get("\(server.url)/"), over: transport).body.collect(upTo: 100)
      let wanted = "[::1]:\(server.port)"
      let hosts = server.requests.map { $0.values(of: "Host") }
      try require(hosts == [[wanted]], "Host is \(hosts), expected \(wanted)")
    },
    Check("009b-ipv6-zone", "an address of IPv6 with a zone is connected to, and the zone is not sent") {
      trial in
      let server = try trial.server(host: "::1") { wire in
        while true {
          _ = try wire.readRequest()
          try wire.send(okay)
        }
      }
      let transport = try trial.transport()
      let request = Request.get("http://[::1%25lo]:\(server.port)/")
      _ = try await trial.send(request, over: transport).body.collect(upTo: 100)
      let wanted = "[::1]:\(server.port)"
      let hosts = server.requests.map { $0.values(of: "Host") }
      try require(hosts == [[wanted]], "Host is \(hosts), expected \(wanted)")
    },
    Check(
      "017-injection",
      "CR, LF and NUL in a value, a target or a method are refused before a byte is sent",
      level: .typedError
    ) { trial in
      let server = try trial.server { wire in try wire.hold() }
      let transport = try trial.transport()
      let evil = ["a\r\nX-Evil: 1", "a\nb", "a\rb", "a\0b"]
      for text in evil {
        try await requireRefusal(trial, transport, "the value \(text.debugDescription)") {
          var request = Request.get("\(server.url)/")
          try request.addField("X-A", text)
          return request
        }
        try await requireRefusal(trial, transport, "the target \(text.debugDescription)") {
          Request(
            head: HTTPRequest(method: .get, scheme: "http", authority: server.authority, path: "/\(text)")
          )
        }
        try require(HTTPRequest.Method(rawValue: text) == nil, "\(text.debugDescription) is a method")
      }
      try require(server.connections.allSatisfy { $0.received == 0 }, "bytes were sent")
    },
    Check("018-invalid-names", "refuses a field name that is not a token", level: .typedError) { trial in
      let server = try trial.server { wire in try wire.hold() }
      let transport = try trial.transport()
      for name in ["", "a b", "a:b", "caf\u{e9}", "a\r\nb", "(a)"] {
        do {
          var request = Request.get("\(server.url)/")
          try request.addField(name, "1")
          _ = try await trial.send(request, over: transport)
        } catch let error as ExchangeError {
          try require(error.kind == .invalidRequest, "\(name.debugDescription) fails as \(error.kind)")
          continue
        }
        throw CheckFailure("\(name.debugDescription) was sent")
      }
      try require(server.connections.isEmpty, "there was a connection")
    },
    Check(
      "038-one-shot-body",
      "a body that exists once is read once, and refused when it is sent again",
      runsInProcess: true
    ) { trial in
      let source = CountingSource(length: 100_000)
      let transport: any Transport
      let url: String
      if let inProcess = trial.inProcess({ request in
        try PatternedContent.require(Bytes(try await SeenRequest(request).body), at: 0)
        return Response(.ok)
      }) {
        (transport, url) = (inProcess, "http://127.0.0.1:8080/")
      } else {
        let server = try trial.server { wire in
          while true {
            _ = try wire.readRequest()
            try wire.send(okay)
          }
        }
        (transport, url) = (try trial.transport(), "\(server.url)/")
      }
      let request = Request.post(url, body: source.body(declared: 100_000))
      _ = try await trial.send(request, over: transport).body.collect(upTo: 100)
      try require(source.pulled == 100_000, "\(source.pulled) bytes were read")
      let error = try await trial.failure(of: request, over: transport)
      try require(error.kind == .bodyNotReplayable, "the second time it fails as \(error.kind)")
    },
    Check(
      "077c-informational-events",
      "informational responses are told as events, in order and before the response",
      level: .capability,
      needs: .informationalResponses
    ) { trial in
      let server = try trial.server { wire in
        _ = try wire.readRequest()
        try wire.send("HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n\(okay)")
        try wire.hold()
      }
      let heads = Mutex<[HTTPResponse]>([])
      let monitor = HandlerMonitor { event in
        switch event.kind {
        case .informationalResponse(let head), .responseHeadReceived(let head):
          heads.withLock { $0.append(head) }
        default: break
        }
      }
      let pipeline = Pipeline(over: try trial.transport(), stages: [])
      let response = try await Client(pipeline, configuration: .init(monitors: [monitor])).send(
        .get("\(server.url)/")
      )
      _ = try await response.body.collect(upTo: 100)
      let told = heads.withLock { $0 }
      let codes = told.map(\.status.code)
      try require(codes.starts(with: [102, 103, 200]), "what was told is \(codes)")
      let link = HTTPField.Name("Link").flatMap { told[1].headerFields[$0] }
      try require(link == "</a>", "the Link of 103 is \(link ?? "missing")")
    },
  ]
}
