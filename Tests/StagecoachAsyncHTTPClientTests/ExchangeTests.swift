#if Tool
  import Foundation
  import HTTPTypes
  import Stagecoach
  import StagecoachAsyncHTTPClient
  import StagecoachOrigin
  import Testing

  /// What goes out and what comes back over a real socket.
  @Suite struct ExchangeTests {
    struct Document: Decodable, Sendable, Equatable {
      var title: String
      var count: Int
    }

    @Test func aTypedCallComesBackAsAValue() async throws {
      try await withOrigin { origin, client in
        let document: Document = try await client.get("json")
        #expect(document.count == 3)
        let request = try await origin.nextRequest(path: "/json")
        #expect(request.method == "GET")
        #expect(request["Accept"] == "application/json, text/json, text/javascript")
        #expect(request["User-Agent"]?.contains("Stagecoach/") == true)
        #expect(request["Accept-Encoding"] == nil)
      }
    }

    @Test func aTypedCallGivesItsResponseToo() async throws {
      try await withOrigin { _, client in
        let answer = try await client.response(for: .get("json"), as: .json(Document.self))
        #expect(answer.status == .ok)
        #expect(answer.version == .http11)
        #expect(answer.fields[.contentType] == "application/json")
        #expect(answer.history.isEmpty)
        let timings = try #require(answer.timings)
        let sent = try #require(timings.requestSent)
        let head = try #require(timings.headReceived)
        let end = try #require(timings.bodyEnd)
        #expect(sent <= head && head <= end && end <= timings.total)
      }
    }

    @Test func fieldsKeepOrderCaseAndDuplicatesBothWays() async throws {
      try await withOrigin { origin, client in
        var request = Request.get("headers?X-Two=b&x-one=a&X-Two=c")
        try request.addField("X-Zeta", "1")
        try request.addField("x-alpha", "2")
        try request.addField("X-Zeta", "3")
        let response = try await client.send(request)
        let names = response.fields.map(\.name.rawName).filter { $0.lowercased().hasPrefix("x-") }
        #expect(names == ["X-Two", "x-one", "X-Two"])
        #expect(response.fields[values: HTTPField.Name("X-Two")!] == ["b", "c"])
        await response.body.discard()
        let seen = try await origin.nextRequest(path: "/headers")
        let sent = seen.fields.filter { $0.name.lowercased().hasPrefix("x-") }.map {
          "\($0.name)=\($0.value)"
        }
        #expect(sent == ["X-Zeta=1", "x-alpha=2", "X-Zeta=3"])
      }
    }

    @Test(arguments: [
      "echo?q=a%20b&c=%C3%BC", "echo?x=[]&y={}", "echo[%5B]?%25[",
      "echo/..;/x", "echo//double", "echo;p=1,2?a=b?c/d",
      "echo?", "echo?a=%2F%2f%7E~", "echo?%zz", "echo?a'b(c)*!$&+,;=:@", "echo?q=ü", "echo?a b",
    ])
    func theTargetArrivesOctetForOctet(_ reference: String) async throws {
      try await withOrigin { origin, client in
        _ = try? await client.get(reference, as: .data)
        let seen = try await origin.nextRequest()
        let expected = try TargetURI(parsing: origin.url).asBase.resolving(reference).requestTarget
        #expect(seen.target == expected)
      }
    }

    /// What the engine's URL type would encode, in the head of a request that no client made.
    @Test(arguments: ["/a%20b?x={y}|\\^`\"<>", "/%zz?%4", "/a[%5B]", "/?%"])
    func theTargetOfAHeadArrivesOctetForOctet(_ target: String) async throws {
      try await withOrigin { origin, _ in
        let transport = AsyncHTTPClientTransport()
        let url = try TargetURI(parsing: origin.url)
        let head = HTTPRequest(method: .get, scheme: "http", authority: url.authority, path: target)
        var request = Request(head: head)
        // A field of the name that the target travels under changes nothing.
        request.fields[try #require(HTTPField.Name("Stagecoach-Target"))] = "/other HTTP/1.1"
        request.fields[try #require(HTTPField.Name("Host"))] = "example.com"
        let response = try await Pipeline(over: transport, stages: []).send(request)
        await response.body.discard()
        let seen = try await origin.nextRequest()
        #expect(seen.target == target)
        #expect(seen.fields.contains { $0.name == "Stagecoach-Target" })
        await transport.shutdown()
      }
    }

    @Test(arguments: ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "REPORT"])
    func everyMethodIsSent(_ method: String) async throws {
      try await withOrigin { origin, client in
        let request = Request(try #require(HTTPRequest.Method(method)), "echo")
        let response = try await client.send(request)
        await response.body.discard()
        #expect(try await origin.nextRequest().method == method)
      }
    }

    @Test(arguments: [HTTPRequest.Method.get, .head, .post, .put, .delete])
    func anEmptyBodyIsFramedAsItsMethodAsks(_ method: HTTPRequest.Method) async throws {
      try await withOrigin { origin, client in
        _ = try await client.value(for: Request(method, "echo"), as: .data)
        let seen = try await origin.nextRequest()
        #expect(seen["Content-Length"] == ([.post, .put].contains(method) ? "0" : nil))
        #expect(seen["Transfer-Encoding"] == nil)
      }
    }

    @Test func headHasNoBodyAndKeepsItsConnection() async throws {
      try await withOrigin { origin, client in
        for _ in 0..<3 {
          let answer = try await client.head("json")
          #expect(answer.fields[.contentLength] != nil)
        }
        #expect(origin.acceptedConnections == 1)
      }
    }

    @Test(arguments: [204, 304])
    func statusesWithoutContentHaveNoBody(_ code: Int) async throws {
      try await withOrigin { origin, client in
        for _ in 0..<2 {
          let response = try await client.send(
            Request.get("status/\(code)").with(\.expectedContent, Acceptance(statuses: [200..<400]))
          )
          #expect(try await response.body.collect(upTo: 0).isEmpty)
        }
        #expect(origin.acceptedConnections == 1)
      }
    }

    @Test func interimResponsesAreSwallowed() async throws {
      try await withOrigin { _, client in
        let response = try await client.send(.get("early-hints"))
        #expect(response.status == .ok)
      }
    }

    @Test func redirectsComeBackAsTheyAre() async throws {
      try await withOrigin { origin, client in
        let request = Request.get("redirect/302?to=/json")
          .with(\.expectedContent, Acceptance(statuses: [300..<400]))
        let response = try await client.send(request)
        #expect(response.status.code == 302)
        #expect(response.fields[.location] == "/json")
        #expect(origin.requests.count <= 1)
      }
    }

    @Test func contentCodingsAreNotDecoded() async throws {
      try await withOrigin { _, client in
        let response = try await client.send(.get("gzip"))
        #expect(response.fields[.contentEncoding] == "gzip")
        #expect(try await response.body.collect(upTo: 1 << 20).array.prefix(2) == [0x1f, 0x8b])
      }
    }

    @Test func compoundChoosesByWhatTheServerDeclares() async throws {
      enum Answer: Sendable, Equatable { case document(Document), note(String) }
      try await withOrigin { _, client in
        let serializer = CompoundResponseSerializer<Answer> {
          TextResponseSerializer().map(Answer.note)
          JSONResponseSerializer(Document.self).map(Answer.document)
        }
        guard case .document(let document) = try await client.get("json", as: serializer) else {
          Issue.record("JSON was not read as JSON")
          return
        }
        #expect(document.count == 3)
        guard case .note(let page) = try await client.get("html", as: serializer) else {
          Issue.record("HTML was not read as text")
          return
        }
        #expect(page.contains("<html"))
      }
    }

    @Test(arguments: ["gbk", "big5", "shift_jis", "windows-1252", "utf-8", "utf-16"])
    func textIsReadInItsDeclaredCharset(_ charset: String) async throws {
      try await withOrigin { _, client in
        let text = try await client.get("text?charset=\(charset)", as: .text)
        #expect(text == Origin.sampleText(charset: charset))
      }
    }

    @Test func aRefusedStatusCarriesTheDecodedErrorBody() async throws {
      struct Problem: Decodable, Sendable { var title: String }
      try await withOrigin { _, client in
        var request = Request.get("problem")
        request.options.errorModel = ErrorModel(JSONResponseSerializer(Problem.self))
        let error = await exchangeError { try await client.value(for: request, as: .json(Document.self)) }
        #expect(error?.kind == .status)
        #expect(error?.stage == "Validation")
        #expect(error?.response?.status.code == 422)
        #expect(error?.decoded(as: Problem.self)?.title == "Out of stock")
      }
    }
  }
#endif
