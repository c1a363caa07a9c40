import Dispatch
import HTTPTypes
import Stagecoach
import TestSupport
import Testing

/// A call from the main actor neither sends nor decodes on the main thread.
@Suite struct MainActorTests {
  /// Marks the main queue, which runs the main actor; on Linux no thread is its own.
  private static let mark: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  private static var isOnMainThread: Bool { DispatchQueue.getSpecific(key: mark) == true }

  private struct Where: ResponseSerializer {
    let accepts = Acceptance.any
    let places: Log<String>
    func serialize(_ response: Response) async throws -> Int {
      if MainActorTests.isOnMainThread { places.add("serializer") }
      _ = try await response.collectBody()
      if MainActorTests.isOnMainThread { places.add("serializer after the body") }
      return 1
    }
  }

  private struct Sends: RequestSerializer {
    let places: Log<String>
    func serialize(_ input: Int, into request: inout Request) throws {
      if MainActorTests.isOnMainThread { places.add("request serializer") }
    }
  }

  private struct Decoded: Decodable, Sendable {
    init(from decoder: any Decoder) throws {
      if MainActorTests.isOnMainThread { throw Foreign(text: "decoded on the main thread") }
    }
  }

  @Test @MainActor func nothingRunsOnTheMainThread() async throws {
    #expect(Self.isOnMainThread)
    let places = Log<String>()
    let note = { @Sendable (place: String) in if Self.isOnMainThread { places.add(place) } }
    let transport = HandlerTransport { _ in
      note("transport")
      await Task.yield()
      note("transport after a wait")
      let source = ScriptedSource(chunks: ["{", "}"])
      return Response(.ok, fields: [.contentType: "application/json"], body: Response.Body(source: source))
    }
    let stage = Stage { request, next in
      note("stage")
      let response = try await next(request)
      note("stage after next")
      return response
    }
    let client = try Client(
      Pipeline(over: transport, stages: [stage, Validation({ _ in note("predicate") })])
    )
    let content = RequestContent(1, Sends(places: places))
    _ = try await client.value(for: .get("http://h/"), sending: content, as: Where(places: places))
    _ = try await client.response(for: .get("http://h/"), sending: content, as: Where(places: places))
    _ = try await client.get("http://h/", content, as: Where(places: places))
    _ = try await client.post("http://h/", content, as: Where(places: places))
    _ = try await client.put("http://h/", content, as: Where(places: places))
    _ = try await client.patch("http://h/", content, as: Where(places: places))
    _ = try await client.delete("http://h/", content, as: Where(places: places))
    _ = try await client.get("http://h/") as Decoded
    _ = try await client.post("http://h/") as Decoded
    _ = try await client.head("http://h/")
    _ = try await client.send(.get("http://h/"))
    _ = try await client.send(.get("http://h/").with(\.totalTimeout, .seconds(60)))
    #expect(places.all == [])
    #expect(Self.isOnMainThread)
  }
}
