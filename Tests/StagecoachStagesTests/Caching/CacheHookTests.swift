import HTTPTypes
import Stagecoach
import Synchronization
import TestSupport
import Testing

struct CacheHookTests {
  /// A stage that stores every answer to GET, and answers with it from then on.
  private final class Store: Middleware {
    private let entries = Mutex<[String: (HTTPResponse, Bytes)]>([:])

    func handle(_ request: Request, next: Next) async throws -> Response {
      let key = request.head.path ?? ""
      if let (head, body) = entries.withLock({ $0[key] }) {
        return Response(head.status, fields: head.headerFields, body: .bytes(body))
      }
      let response = try await next(request)
      guard let head = request.headToStore(response.head) else { return response }
      let body = try await response.body.collect(upTo: 1000)
      entries.withLock { $0[key] = (head, body) }
      return Response(response.status, fields: response.fields, body: .bytes(body))
    }
  }

  private let count = Counter()

  private final class Counter: Sendable {
    private let value = Mutex(0)
    func next() -> Int {
      value.withLock {
        $0 += 1
        return $0
      }
    }
  }

  private func pipeline(@StageBuilder _ stages: () -> [any Middleware]) -> Pipeline {
    let transport = HandlerTransport { [count] _ in
      Response(.ok, fields: [.cacheControl: "max-age=5"], body: .bytes(Bytes("\(count.next())")))
    }
    return Pipeline(over: transport, stages: stages())
  }

  private func answer(_ pipeline: Pipeline, _ path: String) async throws -> (text: String, lifetime: String?)
  {
    let response = try await pipeline.send(.get("http://h\(path)"))
    return (String(decoding: try await response.body.collect(upTo: 9)), response.fields[.cacheControl])
  }

  @Test func withoutAHookEverythingMayBeStored() async throws {
    let pipeline = pipeline { Store() }
    for _ in 0..<2 { #expect(try await answer(pipeline, "/a") == ("1", "max-age=5")) }
  }

  @Test func returningNilForbidsStoring() async throws {
    let pipeline = pipeline {
      CacheHook { response, request in request.head.path == "/secret" ? nil : response }
      Store()
    }
    #expect(try await answer(pipeline, "/secret").text == "1")
    #expect(try await answer(pipeline, "/secret").text == "2")
    #expect(try await answer(pipeline, "/open").text == "3")
    #expect(try await answer(pipeline, "/open").text == "3")
  }

  @Test func whatIsStoredCanBeChangedAndWhatTheCallerGetsStays() async throws {
    let pipeline = pipeline {
      CacheHook { response, _ in
        var response = response
        response.headerFields[.cacheControl]? += ", outer"
        return response
      }
      CacheHook { response, _ in
        var response = response
        response.headerFields[.cacheControl]? += ", inner"
        return response
      }
      Store()
    }
    #expect(try await answer(pipeline, "/").lifetime == "max-age=5")
    #expect(try await answer(pipeline, "/").lifetime == "max-age=5, inner, outer")
  }

  @Test func aHookThatForbidsEndsTheAsking() async throws {
    let asked = Counter()
    let pipeline = pipeline {
      CacheHook { response, _ in
        _ = asked.next()
        return response
      }
      CacheHook { _, _ in nil }
      Store()
    }
    #expect(try await answer(pipeline, "/").text == "1")
    #expect(try await answer(pipeline, "/").text == "2")
    #expect(asked.next() == 1)
  }

  @Test func aHookBelowTheCacheIsNotAsked() async throws {
    let pipeline = pipeline {
      Store()
      CacheHook { _, _ in nil }
    }
    for _ in 0..<2 { #expect(try await answer(pipeline, "/").text == "1") }
  }
}
