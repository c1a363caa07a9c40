import Dispatch
import Foundation
import HTTPTypes
import Stagecoach
import StagecoachTransfers
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct CallbackClientTests {
  private func sent(
    _ call: (CallbackClient, HandlerLog<JSONValue>) -> Void
  ) async throws -> (Request, body: String) {
    let transport = HandlerTransport.json("{}")
    let log = HandlerLog<JSONValue>()
    call(try CallbackClient.test(transport), log)
    _ = try await log.value()
    let request = try #require(transport.requests.first)
    return (request, String(decoding: try await read(request.body)))
  }

  // MARK: Verbs (C3, 2.2, 2.3)

  private static let urlMethods:
    [(HTTPRequest.Method, @Sendable (CallbackClient, HandlerLog<JSONValue>) -> Void)] = [
      (.get, { $0.get("a?x=1", .parameters(["b": 2]), success: $1.success, failure: $1.failure) }),
      (.delete, { $0.delete("a?x=1", .parameters(["b": 2]), success: $1.success, failure: $1.failure) }),
    ]

  @Test(arguments: [0, 1])
  func parametersOfURLMethodsAreInTheQuery(index: Int) async throws {
    let (method, call) = Self.urlMethods[index]
    let (request, body) = try await sent { call($0, $1) }
    #expect(request.method == method)
    #expect(request.head.path == "/v1/a?x=1&b=2")
    #expect(body.isEmpty)
    #expect(request.fields[.contentType] == nil)
  }

  @Test func parametersOfOtherMethodsAreInTheBody() async throws {
    let form = RequestContent.parameters(["b": 2, "a": "é"])
    let calls: [(HTTPRequest.Method, (CallbackClient, HandlerLog<JSONValue>) -> Void)] = [
      (.post, { $0.post("a", form, success: $1.success, failure: $1.failure) }),
      (.put, { $0.put("a", form, success: $1.success, failure: $1.failure) }),
      (.patch, { $0.patch("a", form, success: $1.success, failure: $1.failure) }),
    ]
    for (method, call) in calls {
      let (request, body) = try await sent(call)
      #expect(request.method == method)
      #expect(request.head.path == "/v1/a")
      #expect(body == "a=%C3%A9&b=2")
      #expect(request.fields[.contentType] == "application/x-www-form-urlencoded")
    }
  }

  @Test func sendsContentOfOtherKinds() async throws {
    var (request, body) = try await sent {
      $0.post("a", .parameters(["k": "v"], in: .json), success: $1.success, failure: $1.failure)
    }
    #expect(body == #"{"k":"v"}"#)
    #expect(request.fields[.contentType] == "application/json")
    (request, body) = try await sent {
      $0.post("a", .parameters([:]), success: $1.success, failure: $1.failure)
    }
    #expect(body.isEmpty)
    #expect(request.fields[.contentType] == "application/x-www-form-urlencoded")
    (request, body) = try await sent { $0.post("a", success: $1.success, failure: $1.failure) }
    #expect(body.isEmpty)
    #expect(request.fields[.contentType] == nil)
    (request, body) = try await sent {
      let form = MultipartBody.form([.text("value", name: "key")])
      $0.post("a", .multipart(form), success: $1.success, failure: $1.failure)
    }
    #expect(request.fields[.contentType]?.hasPrefix("multipart/form-data; boundary=") == true)
    #expect(body.contains("name=\"key\"\r\n\r\nvalue\r\n"))
  }

  @Test func codersOfTheClientEncode() async throws {
    let transport = HandlerTransport.json("{}")
    var options = RequestOptions()
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    options.jsonCoders = JSONCoders(encoder: encoder)
    let log = HandlerLog<JSONValue>()
    struct Person: Codable, Sendable { var firstName = "ada" }
    try CallbackClient.test(transport, defaults: .init(options: options))
      .post("a", .json(Person()), success: log.success, failure: log.failure)
    _ = try await log.value()
    #expect(String(decoding: try await read(transport.requests[0].body)) == #"{"first_name":"ada"}"#)
  }

  @Test func fieldsOfACallReplaceDefaults() async throws {
    let transport = HandlerTransport.json("{}")
    let log = HandlerLog<JSONValue>()
    let defaults = Client.Defaults(fields: [.userAgent: "default", .acceptLanguage: "de"])
    try CallbackClient.test(transport, defaults: defaults)
      .get("a", fields: [.userAgent: "own"], success: log.success, failure: log.failure)
    _ = try await log.value()
    let fields = try #require(transport.requests.first?.fields)
    #expect(fields[values: .userAgent] == ["own"])
    #expect(fields[values: .acceptLanguage] == ["de"])
  }

  // MARK: Responses (2.7, C13)

  @Test func jsonIsTheDefault() async throws {
    let log = HandlerLog<JSONValue>()
    let transfer = try CallbackClient.test(HandlerTransport.json(#"{"a":[1]}"#)).get(
      "a",
      success: log.success,
      failure: log.failure
    )
    #expect(try await log.value()["a"]?[0]?.intValue == 1)
    #expect(transfer.response?.status == .ok)
    guard case .success(let id, _)? = log.calls.last else { return }
    #expect(id == transfer.id)
  }

  @Test func aResponseWithoutContentIsNull() async throws {
    let log = HandlerLog<JSONValue>()
    let api = try CallbackClient.test(HandlerTransport { _ in Response(.noContent) })
    api.delete("a", success: log.success, failure: log.failure)
    #expect(try await log.value() == .null)
  }

  @Test func decodesWithOtherSerializers() async throws {
    let api = try CallbackClient.test(HandlerTransport.json(#"["a","b"]"#))
    let (names, text) = (HandlerLog<[String]>(), HandlerLog<String>())
    api.get("a", as: .json([String].self), success: names.success, failure: names.failure)
    api.get("a", as: .text, success: text.success, failure: text.failure)
    #expect(try await names.value() == ["a", "b"])
    #expect(try await text.value() == #"["a","b"]"#)
  }

  @Test func headGetsTheHead() async throws {
    let transport = HandlerTransport { _ in Response(.ok, fields: [.eTag: "\"1\""]) }
    let tag: String? = await withCheckedContinuation { continuation in
      do {
        try CallbackClient.test(transport).head("a", .parameters(["b": 2])) { transfer in
          continuation.resume(returning: transfer.response?.headerFields[.eTag])
        } failure: { _, _ in
          continuation.resume(returning: nil)
        }
      } catch {
        continuation.resume(returning: nil)
      }
    }
    #expect(tag == "\"1\"")
    #expect(transport.requests.map(\.head.path) == ["/v1/a?b=2"])
    #expect(transport.requests.map(\.method) == [.head])
  }

  @Test func anErrorHasTheBody() async throws {
    let log = HandlerLog<JSONValue>()
    let transport = HandlerTransport { _ in
      Response(.notFound, fields: [.contentType: "application/json"], body: .bytes(#"{"why":"gone"}"#))
    }
    try CallbackClient.test(transport).get("a?token=s3", success: log.success, failure: log.failure)
    let error = NSError(bridging: try #require(await log.error()))
    #expect(error.domain == BridgedError.responseDomain)
    #expect(error.code == -1011)
    #expect((error.userInfo[BridgedError.responseKey] as? HTTPResponse)?.status == .notFound)
    #expect(error.userInfo[BridgedError.dataKey] as? Data == Data(#"{"why":"gone"}"#.utf8))
    let url = error.userInfo[NSURLErrorFailingURLErrorKey] as? URL
    #expect(url?.path == "/v1/a")
    #expect(url?.absoluteString.contains("s3") == false)
  }

  @Test func htmlIsReadWhereItIsAccepted() async throws {
    let transport = HandlerTransport { _ in
      Response(.ok, fields: [.contentType: "text/html; charset=utf-8"], body: .bytes("[1]"))
    }
    let api = try CallbackClient.test(transport)
    let (refused, accepted, optional) = (
      HandlerLog<JSONValue>(), HandlerLog<JSONValue>(), HandlerLog<JSONValue>()
    )
    api.get("a", success: refused.success, failure: refused.failure)
    let error = try #require(await refused.error() as? ExchangeError)
    #expect(error.kind == .mediaType)
    #expect(error.message.contains("text/html"))
    #expect(error.message.contains("application/json"))
    #expect(NSError(bridging: error).code == -1016)
    let html = try #require(MediaType("text/html"))
    api.get(
      "a",
      as: JSONValueResponseSerializer(accepting: Acceptance(.json, html)),
      success: accepted.success,
      failure: accepted.failure
    )
    #expect(try await accepted.value()[0]?.intValue == 1)
    let request = Request.get("a").with(\.expectedContent, Acceptance(.json, html))
    api.send(request, success: optional.success, failure: optional.failure)
    #expect(try await optional.value()[0]?.intValue == 1)
  }

  @Test func uploadsDataFilesAndStreams() async throws {
    let (transport, folder) = (HandlerTransport.json("{}"), try ScratchDirectory())
    let file = try folder.file("film.txt", Array("film".utf8))
    let stream = Request.Body.stream(length: 6) { chunks(["str", "eam"]) }
    let once = Request.Body.oneShot(chunks(["once"]), length: nil)
    let uploads: [(Request, RequestContent?, body: String, type: String?)] = [
      (.put("a"), .data(Bytes("data")), "data", "application/octet-stream"),
      (.put("a"), .file(file), "film", "text/plain"), (.put("a", body: stream), nil, "stream", nil),
      (.put("a", body: once), nil, "once", nil),
    ]
    let api = try CallbackClient.test(transport)
    for (request, content, body, type) in uploads {
      let log = HandlerLog<JSONValue>()
      api.upload(request, content, success: log.success, failure: log.failure)
      _ = try await log.value()
      let sent = try #require(transport.requests.last)
      #expect(String(decoding: try await read(sent.body)) == body)
      #expect(sent.fields[.contentType] == type)
    }
  }

  // MARK: Progress and order (2.14, 2.15)

  @Test func progressComesInOrderAndEndsBeforeTheSuccess() async throws {
    let body = Bytes([UInt8](repeating: 7, count: 1 << 20))
    let transport = HandlerTransport { request in
      let content = try await read(request.body)
      request.emit(.requestBodyProgress(bytes: Int64(content.count), of: Int64(content.count)))
      return Response(.ok, body: Response.Body(chunks((0..<8).map { _ in body }), length: 8 << 20))
    }
    let (queue, key) = (DispatchQueue(label: "test"), DispatchSpecificKey<Bool>())
    queue.setSpecific(key: key, value: true)
    let log = HandlerLog<Bytes>()
    try CallbackClient.test(transport, queue: queue).upload(
      .put("a"),
      .data(body),
      as: .data,
      success: { transfer, bytes in
        #expect(DispatchQueue.getSpecific(key: key) == true)
        log.success(transfer, bytes)
      },
      failure: log.failure,
      progress: { progress in
        #expect(DispatchQueue.getSpecific(key: key) == true)
        log.progress(progress)
      }
    )
    #expect(try await log.value().count == 8 << 20)
    await drain(queue)
    #expect(log.calls.last?.isEnd == true)
    let last = try #require(log.progress.last)
    #expect(last.received.fraction == 1)
    #expect(last.received.bytes == 8 << 20)
    #expect(last.sent.fraction == 1)
    for (earlier, later) in zip(log.progress, log.progress.dropFirst()) {
      #expect(later.received.bytes >= earlier.received.bytes)
      #expect(later.sent.bytes >= earlier.sent.bytes)
    }
  }

  @Test func aPausedQueryGoesOnWithARange() async throws {
    let source = ScriptedSource([.chunk("hello "), .wait])
    let transport = HandlerTransport { request in
      let fields: HTTPFields = [.eTag: "\"1\"", .contentType: "text/plain"]
      guard request.fields[.range] == "bytes=6-" else {
        return Response(.ok, fields: fields, body: Response.Body(source: source, length: 11))
      }
      var partial = fields
      partial[.contentRange] = "bytes 6-10/11"
      return Response(.partialContent, fields: partial, body: .bytes("world"))
    }
    let log = HandlerLog<String>()
    let transfer = try CallbackClient.test(transport)
      .get("a", .parameters(["q": 1]), as: .text, success: log.success, failure: log.failure)
    await source.pulled(2)
    #expect(transfer.pause())
    #expect(transfer.resume())
    #expect(try await log.value() == "hello world")
    #expect(transport.requests.map(\.head.path) == ["/v1/a?q=1", "/v1/a?q=1"])
  }
}
