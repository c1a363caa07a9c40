import HTTPTypes
import Stagecoach
import StagecoachCache
import Synchronization
import TestSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A client with a cache over an origin that a closure plays, and what the origin has seen.
final class CacheBench: Sendable {
  typealias Handler = @Sendable (Request) async throws -> Response

  let time = ManualTime()
  let seen = Log<Request>()
  let events = Log<CacheEvent>()
  let cache: Cache
  let client: Client

  init(
    _ store: any CacheStore = MemoryCacheStore(),
    isShared: Bool = false,
    key: Cache.KeyFunction? = nil,
    pipeline: (any Transport, Cache) -> Pipeline = {
      .standard(over: $0, validation: nil, retry: nil, cache: $1)
    },
    _ handler: @escaping Handler
  ) throws {
    cache = Cache(store, isShared: isShared, key: key)
    let (seen, events) = (seen, events)
    let transport = HandlerTransport { request in
      seen.add(request)
      return try await handler(request)
    }
    let monitor = HandlerMonitor { event in
      if case .stage(let event as CacheEvent) = event.kind { events.add(event) }
    }
    client = try Client(
      pipeline(transport, cache),
      base: "http://h/",
      configuration: Client.Configuration(monitors: [monitor], clock: time)
    )
  }

  /// Sends a request and reads its body.
  func get(
    _ path: String = "a",
    _ fields: [String: String] = [:],
    mode: CacheMode = .default,
    method: HTTPRequest.Method = .get,
    set: (inout Request) -> Void = { _ in }
  ) async throws -> Answer {
    var request = Request(method, path)
    for (name, value) in fields { request.fields[HTTPField.Name(name)!] = value }
    request.options.cacheMode = mode
    set(&request)
    let response = try await client.send(request)
    let body = try await response.body.collect(upTo: 1 << 24)
    return Answer(response: response, body: String(decoding: body.array, as: UTF8.self))
  }

  struct Answer {
    let response: Response
    let body: String

    var source: Response.Source { response.source }
    var status: Int { response.status.code }
    subscript(_ name: String) -> String? { response.fields[HTTPField.Name(name)!] }
  }
}

extension Response {
  /// A response with text and fields, as an origin would send it.
  static func of(_ text: String, _ status: Int = 200, _ fields: [String: String] = [:]) -> Response {
    var head = HTTPFields()
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) { head[HTTPField.Name(name)!] = value }
    return Response(HTTPResponse.Status(code: status), fields: head, body: .bytes(Bytes(text)))
  }
}
