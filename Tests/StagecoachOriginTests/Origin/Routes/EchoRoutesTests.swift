#if Tool
  import StagecoachOrigin
  import Testing

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  struct EchoRoutesTests {
    struct Echo: Decodable {
      let method: String
      let target: String
      let path: String
      let query: String?
      let version: String
      let fields: [[String]]
      let length: Int
      let encoding: String
      let body: String
      let trailers: [[String]]

      init(_ response: WireResponse) throws {
        self = try JSONDecoder().decode(Echo.self, from: Data(response.body))
      }
    }

    @Test func echoReportsTheRequest() async throws {
      try await withOrigin { origin in
        let fields = [("X-Twice", "1"), ("x-other", "\"quoted\\\""), ("X-Twice", "2")]
        let response = try await origin.exchange("PATCH", "/echo?a=1&b=%20c", fields, body: "Grüße\n")
        #expect(response.status == 200)
        #expect(response["content-type"] == "application/json")
        let echo = try Echo(response)
        #expect(echo.method == "PATCH")
        #expect(echo.target == "/echo?a=1&b=%20c")
        #expect(echo.path == "/echo")
        #expect(echo.query == "a=1&b=%20c")
        #expect(echo.version == "1.1")
        #expect(
          echo.fields == [
            ["Host", "localhost"], ["X-Twice", "1"], ["x-other", "\"quoted\\\""], ["X-Twice", "2"],
            ["Content-Length", "8"],
          ]
        )
        #expect(echo.length == 8)
        #expect(echo.encoding == "text")
        #expect(echo.body == "Grüße\n")
      }
    }

    @Test func echoGivesBinaryBodiesAsBase64AndTrailers() async throws {
      try await withOrigin { origin in
        let peer = try Peer(port: origin.port)
        try await peer.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        try await peer.send(Array("3\r\n".utf8) + [0xFF, 0x00, 0xFE] + Array("\r\n1\r\n!\r\n".utf8))
        try await peer.send("0\r\nX-Sum: 7\r\n\r\n")
        let echo = try Echo(try await peer.receiveResponse())
        #expect(echo.encoding == "base64")
        #expect(echo.body == "/wD+IQ==")
        #expect(echo.length == 4)
        #expect(echo.query == nil)
        #expect(echo.trailers == [["X-Sum", "7"]])
      }
    }

    @Test func echoRefusesABodyBeyondTheLimitAndKeepsTheConnection() async throws {
      var configuration = Origin.Configuration()
      configuration.echoedBodyLimit = 10
      try await withOrigin(configuration) { origin in
        let peer = try Peer(port: origin.port)
        try await peer.send("PUT /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\n12345678901")
        #expect(try await peer.receiveResponse().status == 413)
        try await peer.send("PUT /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n1234567890")
        #expect(try Echo(try await peer.receiveResponse()).body == "1234567890")
      }
    }

    @Test func echoTakesTheAbsoluteForm() async throws {
      try await withOrigin { origin in
        let echo = try Echo(try await origin.exchange("GET", "http://example.com/echo?x"))
        #expect(echo.target == "http://example.com/echo?x")
        #expect(echo.path == "/echo")
      }
    }

    @Test(arguments: [200, 201, 299, 404, 418, 500, 599, 999])
    func statusIsTheOneAskedFor(_ code: Int) async throws {
      try await withOrigin { origin in
        let response = try await origin.exchange("GET", "/status/\(code)")
        #expect(response.status == code)
        #expect(response.text == #"{"status":\#(code)}"#)
      }
    }

    @Test(arguments: [204, 304])
    func statusWithoutContentHasNoFraming(_ code: Int) async throws {
      try await withOrigin { origin in
        let peer = try Peer(port: origin.port)
        try await peer.send("GET /status/\(code) HTTP/1.1\r\nHost: a\r\n\r\n")
        let response = try await peer.receiveResponse()
        #expect(response.status == code)
        #expect(response["content-length"] == nil)
        #expect(response["transfer-encoding"] == nil)
        try await peer.send("GET /empty HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await peer.receiveResponse().status == 200)
      }
    }

    @Test(arguments: [
      "/status/199", "/status/1000", "/status/x", "/json/large?kb=0", "/bytes/-1", "/text?charset=x",
    ])
    func unusableValuesAreRefused(_ target: String) async throws {
      try await withOrigin { origin in
        let response = try await origin.exchange("GET", target)
        #expect(response.status == 400)
        #expect(response.text.contains("must be"))
      }
    }

    @Test(arguments: ["/nowhere", "/", "/status", "/status/200/x", "/json/", "*"])
    func unknownPathsAreNotFound(_ target: String) async throws {
      try await withOrigin { origin in
        let response = try await origin.exchange("OPTIONS", target)
        #expect(response.status == 404)
      }
    }

    @Test func headersKeepOrderAndDuplicates() async throws {
      try await withOrigin { origin in
        let response = try await origin.exchange(
          "GET",
          "/headers?X-B=1&x-a=two%20words&X-B=3&Content-Type=a/b"
        )
        #expect(response.fields.map(\.name).prefix(4) == ["X-B", "x-a", "X-B", "Content-Type"])
        #expect(response.values(of: "x-b") == ["1", "3"])
        #expect(response["x-a"] == "two words")
        #expect(response["content-type"] == "a/b")
        #expect(response.text == #"[["X-B","1"],["x-a","two words"],["X-B","3"],["Content-Type","a/b"]]"#)
      }
    }

    @Test(arguments: ["X=a%0D%0AY:1", "X%20=1", "=1", "Content-Length=5", "transfer-encoding=chunked"])
    func headersThatWouldBreakTheMessageAreRefused(_ query: String) async throws {
      try await withOrigin { origin in
        let response = try await origin.exchange("GET", "/headers?\(query)")
        #expect(response.status == 400)
      }
    }
  }
#endif
