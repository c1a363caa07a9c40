import Foundation
import HTTPTypes
import Stagecoach
import StagecoachContentCoding
import StagecoachFixtures
import TestSupport
import Testing

struct RecorderTests {
  private let folder: ScratchDirectory

  init() throws { folder = try ScratchDirectory() }

  private var place: String { "\(folder.path)/scenario" }

  /// Sends requests through a recorder.
  private func record(
    _ requests: Request...,
    commit: Recorder.Commit = .eachExchange,
    _ handler: @escaping @Sendable (Request) async throws -> Response
  ) async throws -> Scenario {
    let recorder = Recorder(folder: place, title: "t", commit: commit)
    let pipeline = Pipeline(over: HandlerTransport(handler)) { recorder }
    for request in requests {
      if let response = try? await pipeline.send(request) {
        _ = try? await response.body.collect(upTo: 1 << 30)
      }
    }
    try await recorder.finish()
    return try Scenario(folder: place)
  }

  @Test func aSecretInThePathOfTheBaseIsNotWritten() async throws {
    let key = "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1"
    let recorder = Recorder(folder: place, base: "https://api.test/bot\(key)/v1")
    let pipeline = Pipeline(over: HandlerTransport { _ in Response(.ok) }) { recorder }
    for path in ["send", "get"] { _ = try await pipeline.send(.get("https://api.test/bot\(key)/v1/\(path)")) }
    try await recorder.finish()
    let scenario = try Scenario(folder: place)
    #expect(scenario.origins.map(\.origin) == ["https://api.test/botSECRET-TELEGRAM_TOKEN-1/v1"])
    #expect(scenario.exchanges.map(\.request.target) == ["{api}/send", "{api}/get"])
    let manifest = try String(contentsOfFile: "\(place)/scenario.json", encoding: .utf8)
    #expect(!manifest.contains("AAHdq"))
    let replay = try ReplayTransport(scenario)
    let client = Pipeline(over: replay) {}
    for path in ["botSECRET-TELEGRAM_TOKEN-1/v1/send", "botSECRET-TELEGRAM_TOKEN-1/v1/get"] {
      #expect(try await client.send(.get("https://api.test/\(path)")).status == .ok)
    }
    try replay.finish()
  }

  @Test(arguments: [
    ExchangeError.Kind.invalidRequest, .limit(.responseHead), .shutdown, .unsupported, .policy, .transport,
    .file,
    .timeout(.pool), .tls(.identity), .tls(.pinMismatch), .tls(.refused),
  ])
  func whatWasRefusedOnThisSideIsNotRecorded(kind: ExchangeError.Kind) async throws {
    let scenario = try await record(
      .get("https://api.test/a"),
      .get("https://api.test/b"),
      .get("https://api.test/c")
    ) {
      request in
      switch request.head.path {
      case "/a": throw ExchangeError(kind, "refused")
      case "/b":
        return Response(
          .ok,
          body: Response.Body(
            AsyncThrowingStream { chunks in
              chunks.yield(Bytes("b"))
              chunks.finish(throwing: ExchangeError(kind, "refused"))
            }
          )
        )
      default: return Response(.ok)
      }
    }
    #expect(scenario.exchanges.map(\.request.target) == ["{api}/c"])
  }

  @Test func anExchangeIsRecordedAndReplayed() async throws {
    let scenario = try await record(.post("https://api.test/a?x=1", body: .bytes(#"{"n":1}"#))) { request in
      let body = try await #require(request.body.makeSource().next())
      #expect(body == #"{"n":1}"#)
      return Response(.created, fields: [.contentType: "application/json"], body: .bytes(#"{"id":7}"#))
    }
    let exchange = try #require(scenario.exchanges.first)
    #expect(scenario.origins == [.init(name: "api", origin: "https://api.test")])
    #expect(
      exchange.id == "01" && exchange.request.method == "POST" && exchange.request.target == "{api}/a?x=1"
    )
    #expect(exchange.request.body?.bytes == #"{"n":1}"#)
    #expect(exchange.reply.head?.response.status.code == 201)
    #expect(exchange.reply.body?.bytes == #"{"id":7}"# && exchange.reply.outcome.kind == .complete)

    let replay = try ReplayTransport(scenario)
    let post = Request.post("https://api.test/a?x=1", body: .bytes(#"{"n":1}"#))
    let response = try await Pipeline(over: replay) {}.send(post)
    #expect(try await response.body.collect(upTo: 100) == #"{"id":7}"#)
    try replay.finish()
  }

  /// Secrets in them are replaced all the same.
  @Test func valuesThatAreNotUTF8AreRecordedAndReplayed() async throws {
    let (cookie, disposition) = (
      Array("lang=fr; name=Andr".utf8) + [0xe9], Array("a; filename=\"caf".utf8) + [0xe9, 0x22]
    )
    let token = "9f8e7d6c5b4a39281706"
    var request = Request.get("https://api.test/caf%e9")
    request.fields.append(HTTPField(name: .cookie, value: cookie))
    request.fields.append(HTTPField(name: .authorization, value: Array("Bearer \(token)".utf8) + [0xe9]))
    let scenario = try await record(request) { request in
      #expect(request.fields[fields: .cookie].first?.withUnsafeBytesOfValue { Array($0) } == cookie)
      return Response(.ok, fields: HTTPFields([HTTPField(name: .contentDisposition, value: disposition)]))
    }
    let exchange = try #require(scenario.exchanges.first)
    #expect(exchange.request.target == "{api}/caf%e9")
    let recorded = try #require(exchange.request.fields[fields: .cookie].first).withUnsafeBytesOfValue {
      Array($0)
    }
    // The values of cookies may be replaced, and nothing else.
    #expect(
      !String(decoding: recorded, as: UTF8.self).unicodeScalars.contains("\u{fffd}") || recorded == cookie
    )
    let text = try String(contentsOfFile: "\(place)/scenario.json", encoding: .utf8)
    #expect(!text.contains(token) && !text.contains("\u{fffd}"))

    let replay = try ReplayTransport(scenario)
    let response = try await Pipeline(over: replay) {}.send(request)
    let replayed = response.fields[fields: .contentDisposition].first
    #expect(replayed?.withUnsafeBytesOfValue { Array($0) } == disposition)
    try replay.finish()
  }

  @Test func repliesWithoutContentAreRecorded() async throws {
    let scenario = try await record(.head("http://a/"), .delete("http://a/1"), .get("http://a/2")) {
      request in
      Response(request.method == .get ? .notModified : .noContent)
    }
    #expect(scenario.exchanges.map(\.reply.head?.response.status.code) == [204, 204, 304])
    #expect(scenario.exchanges.allSatisfy { $0.reply.body == nil })
  }

  @Test func failuresAreRecorded() async throws {
    let scenario = try await record(.get("http://a/1"), .get("http://a/2")) { request in
      if request.head.path == "/1" { throw ExchangeError(.tls(.expired), "expired") }
      return Response(
        .ok,
        body: Response.Body(
          AsyncThrowingStream { chunks in
            chunks.yield(Bytes("ab"))
            chunks.finish(throwing: ExchangeError(.incompleteBody, "cut"))
          }
        )
      )
    }
    #expect(scenario.exchanges[0].reply.head == nil)
    #expect(scenario.exchanges[0].reply.outcome == .init(.tls, detail: "expired"))
    #expect(scenario.exchanges[1].reply.outcome == .init(.truncated))
    #expect(scenario.exchanges[1].reply.body?.bytes == "ab")
  }

  @Test func aStreamIsNotDelayed() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Bytes.self)
    let recorder = Recorder(folder: place)
    let pipeline = Pipeline(over: HandlerTransport { _ in Response(.ok, body: Response.Body(stream)) }) {
      recorder
    }
    let response = try await pipeline.send(.get("http://a/"))
    var chunks = response.body.makeAsyncIterator()
    for number in 0..<3 {
      continuation.yield(Bytes("\(number)"))
      #expect(try await chunks.next() == Bytes("\(number)"))
    }
    continuation.finish()
    #expect(try await chunks.next() == nil)
    try await recorder.finish()
    let body = try #require(try Scenario(folder: place).exchanges.first?.reply.body)
    #expect(body.bytes == "012" && body.chunks.map(\.bytes) == [1, 1, 1])
  }

  @Test func aDroppedBodyIsRecordedAsCancelled() async throws {
    let recorder = Recorder(folder: place)
    let stream = AsyncStream<Bytes> { $0.yield("ab") }
    let pipeline = Pipeline(over: HandlerTransport { _ in Response(.ok, body: Response.Body(stream)) }) {
      recorder
    }
    do {
      let response = try await pipeline.send(.get("http://a/"))
      var chunks = response.body.makeAsyncIterator()
      #expect(try await chunks.next() == "ab")
      response.body.cancel()
    }
    try await recorder.finish()
    let reply = try #require(try Scenario(folder: place).exchanges.first?.reply)
    #expect(reply.outcome.kind == .cancelled && reply.body?.bytes == "ab")
  }

  @Test func contentThatIsTooLongIsOmitted() async throws {
    let recorder = Recorder(folder: place, bodyLimit: 10)
    let pipeline = Pipeline(over: HandlerTransport { _ in Response(.ok, body: .bytes("12345678901")) }) {
      recorder
    }
    let response = try await pipeline.send(.get("http://a/"))
    #expect(try await response.body.collect(upTo: 100).count == 11)
    try await recorder.finish()
    let body = try #require(try Scenario(folder: place).exchanges.first?.reply.body)
    #expect(body.omission == .init(bytes: 11, reason: "longer than 10 bytes") && body.bytes.isEmpty)
  }

  @Test func writesNothingBeforeTheEndIfConfigured() async throws {
    let recorder = Recorder(folder: place, commit: .finish)
    let pipeline = Pipeline(over: HandlerTransport { _ in Response(.ok) }) { recorder }
    _ = try await pipeline.send(.get("http://a/"))
    #expect(!FileManager.default.fileExists(atPath: place))
    try await recorder.finish()
    #expect(try Scenario(folder: place).exchanges.count == 1)
  }

  @Test func exchangesAreWrittenInTheOrderOfTheRequests() async throws {
    let recorder = Recorder(folder: place)
    let pipeline = Pipeline(over: HandlerTransport { _ in Response(.ok, body: .bytes("a")) }) { recorder }
    var responses: [Response] = []
    for number in 0..<5 { responses.append(try await pipeline.send(.get("http://a/\(number)"))) }
    for response in responses.reversed() { _ = try await response.body.collect(upTo: 10) }
    try await recorder.finish()
    let targets = try Scenario(folder: place).exchanges.map(\.request.target)
    #expect(targets == (0..<5).map { "{api}/\($0)" })
  }

  @Test func aFolderThatCannotBeWrittenIsReported() async throws {
    let file = try folder.file("file", [])
    let recorder = Recorder(folder: "\(file)/scenario")
    _ = try await Pipeline(over: HandlerTransport { _ in Response(.ok) }) { recorder }.send(.get("http://a/"))
    await #expect(throws: ScenarioError.self) { try await recorder.finish() }
  }
}

extension RecorderTests {
  /// What the files of the scenario hold.
  private func written() throws -> String {
    try FileManager.default.contentsOfDirectory(atPath: place).map { name in
      String(decoding: try Data(contentsOf: URL(filePath: "\(place)/\(name)")), as: UTF8.self)
    }.joined()
  }

  @Test func aSecretHasTheNameOfTheRequestThatCameFirst() async throws {
    // Written at once, as after a test: many exchanges, so that none has its place by chance.
    let recorder = Recorder(folder: place, commit: .finish)
    let service = HandlerTransport { request in
      let number = request.head.path?.dropFirst(7) ?? ""
      return Response(
        .ok,
        fields: [.contentType: "application/json"],
        body: .bytes(Bytes(#"{"access_token":"tok-98765-\#(number)"}"#))
      )
    }
    let pipeline = Pipeline(over: service) { recorder }
    for number in 1...20 {
      for prefix in ["login", "maily"] {
        var request = Request.get("http://a/\(prefix)/\(number)")
        if prefix == "maily" { request.fields[.authorization] = "Bearer tok-98765-\(number)" }
        _ = try await pipeline.send(request).body.collect(upTo: 1000)
      }
    }
    try await recorder.finish()
    let scenario = try Scenario(folder: place)
    let bodies = scenario.exchanges.map { String(decoding: $0.reply.body?.bytes ?? Bytes()) }
    #expect(
      bodies
        == (1...20).flatMap { number in
          Array(repeating: "{\"access_token\":\"SECRET-ACCESS_TOKEN-\(number)\"}", count: 2)
        }
    )
  }

  @Test func secretsAreNotWrittenAndReplayAllTheSame() async throws {
    let token = "tok-8f2c9A7b1d3e"
    var login = Request.post(
      "https://api.test/login?api_key=k3y-9a8b7c6d5e",
      body: .bytes(#"{"password":"hunter22"}"#)
    )
    login.fields[.authorization] = "Basic YWRhOmh1bnRlcjIy"
    var page = Request.get("https://api.test/me")
    page.fields[.authorization] = "Bearer \(token)"
    _ = try await record(login, page) { request in
      guard request.head.path == "/me" else {
        let fields: HTTPFields = [
          .contentType: "application/json", .setCookie: "session=s3cr3t-s3ss10n; Path=/",
        ]
        return Response(.ok, fields: fields, body: .bytes(Bytes(#"{"access_token":"\#(token)"}"#)))
      }
      return Response(.ok, fields: [.contentType: "text/plain"], body: .bytes("hello ada"))
    }
    let text = try written()
    for secret in [token, "hunter22", "YWRhOmh1bnRlcjIy", "s3cr3t-s3ss10n", "k3y-9a8b7c6d5e"] {
      #expect(!text.contains(secret), "\(secret) is in \(text)")
    }
    #expect(text.contains("SECRET-") && text.contains("hello ada"))

    let replay = try ReplayTransport(folder: place)
    let pipeline = Pipeline(over: replay) {}
    let answer = try await pipeline.send(login)
    #expect(try await answer.body.collect(upTo: 1000).count > 0)
    let other = try await pipeline.send(page)
    #expect(try await other.body.collect(upTo: 100) == "hello ada")
    try replay.finish()
  }

  #if ContentCoding
    @Test func codedContentIsWrittenDecodedAndReplayedCoded() async throws {
      let coded = Bytes(try #require(Data(base64Encoded: Self.gzip)))
      let scenario = try await record(.get("http://a/")) { _ in
        let fields: HTTPFields = [
          .contentType: "text/plain", .contentEncoding: "gzip", .contentLength: "\(coded.count)",
        ]
        return Response(.ok, fields: fields, body: .bytes(coded))
      }
      let body = try #require(scenario.exchanges.first?.reply.body)
      #expect(body.codings == ["gzip"] && String(decoding: body.bytes).hasPrefix("coach coach"))

      let pipeline = Pipeline(over: try ReplayTransport(scenario)) { ContentDecoding() }
      let response = try await pipeline.send(.get("http://a/"))
      #expect(try await response.body.collect(upTo: 100_000) == body.bytes)
    }
  #endif

  @Test func codedContentThatCannotBeReadIsLeftOut() async throws {
    let scenario = try await record(.get("http://a/")) { _ in
      Response(.ok, fields: [.contentEncoding: "compress"], body: .bytes("secret"))
    }
    let body = try #require(scenario.exchanges.first?.reply.body)
    #expect(body.bytes.isEmpty && body.omission?.bytes == 6)
    #expect(body.omission?.reason == "coded with compress, which cannot be searched for secrets")
    let pipeline = Pipeline(over: try ReplayTransport(scenario)) {}
    let error = try await #require(throws: ExchangeError.self) { try await pipeline.send(.get("http://a/")) }
    #expect("\(error.kind)" == "replay.omitted")
  }

  /// "coach " a hundred times.
  private static let gzip = "H4sIAAAAAAACA0vOT0zOUEgeJUdJqpIAXG495lgCAAA="
}
