import AsyncHTTPClient
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import Stagecoach
import StagecoachAsyncHTTPClient

/// One of two clients that move one large body, each through its own interface.
protocol TransferSide: Sendable {
  /// Reads a response body and returns its length in bytes.
  func download(_ path: String) async throws -> Int
  /// Sends `chunks` times `size` bytes.
  func upload(_ path: String, chunks: Int, of size: Int) async throws
  func shutdown() async throws
}

/// One of the two clients that are compared: the same work, through each one's own interface.
protocol Side: TransferSide {
  func get(_ path: String) async throws
  func decode(_ path: String) async throws
}

/// The whole standard chain over a transport.
struct Ours: Side {
  let client: Client

  /// - Parameters:
  ///   - url: The base URL of the origin.
  ///   - connections: The limit of connections to the origin.
  ///   - isPlain: Whether it has no stages.
  init(url: String, connections: Int, isPlain: Bool = false) throws {
    var options = ConnectionOptions()
    options.connectionsPerOrigin = connections
    try self.init(url: url, over: AsyncHTTPClientTransport(connections: options), isPlain: isPlain)
  }

  init(url: String, over transport: some Transport, isPlain: Bool = false) throws {
    let pipeline = isPlain ? Pipeline(over: transport, stages: []) : .standard(over: transport)
    client = try Client(pipeline, base: url)
  }

  func get(_ path: String) async throws {
    _ = try await client.get(path, as: .data)
  }

  func decode(_ path: String) async throws {
    _ = try await client.get(path, as: .json(LargeDocument.self))
  }

  func download(_ path: String) async throws -> Int {
    var count = 0
    for try await chunk in try await client.send(.get(path)).body { count += chunk.count }
    return count
  }

  func upload(_ path: String, chunks: Int, of size: Int) async throws {
    let chunk = Bytes([UInt8](repeating: 0x61, count: size))
    var request = Request.post(path)
    request.body = .stream(length: Int64(chunks * size)) { Repeated(element: chunk, count: chunks) }
    _ = try await client.value(for: request, as: .data)
  }

  func shutdown() async throws {
    await client.pipeline.shutdown()
  }
}

/// AsyncHTTPClient alone, configured as ours is, bodies collected.
struct Peer: Side {
  let client: HTTPClient
  let url: String

  init(url: String, connections: Int) {
    self.url = url
    var configuration = HTTPClient.Configuration()
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
    configuration.tracing.tracer = nil
    configuration.redirectConfiguration = .disallow
    configuration.decompression = .disabled
    configuration.connectionPool.retryConnectionEstablishment = false
    client = HTTPClient(
      eventLoopGroupProvider: .shared(HTTPClient.defaultEventLoopGroup),
      configuration: configuration
    )
  }

  private func request(_ path: String) -> HTTPClientRequest {
    var request = HTTPClientRequest(url: "\(url)/\(path)")
    request.headers.add(
      name: "User-Agent",
      value: "stagecoach-benchmarks (Linux; Swift 6.3) Stagecoach/0.2.0"
    )
    request.headers.add(name: "Accept", value: "*/*")
    return request
  }

  func get(_ path: String) async throws {
    let response = try await client.execute(request(path), timeout: .seconds(30))
    _ = try await response.body.collect(upTo: 16 << 20)
  }

  func decode(_ path: String) async throws {
    let response = try await client.execute(request(path), timeout: .seconds(30))
    let body = try await response.body.collect(upTo: 16 << 20)
    _ = try JSONDecoder().decode(LargeDocument.self, from: Data(body.readableBytesView))
  }

  func download(_ path: String) async throws -> Int {
    let response = try await client.execute(request(path), timeout: .seconds(30))
    var count = 0
    for try await chunk in response.body { count += chunk.readableBytes }
    return count
  }

  func upload(_ path: String, chunks: Int, of size: Int) async throws {
    var request = request(path)
    request.method = .POST
    let chunk = ByteBuffer(repeating: 0x61, count: size)
    request.body = .stream(Repeated(element: chunk, count: chunks), length: .known(Int64(chunks * size)))
    let response = try await client.execute(request, timeout: .seconds(30))
    _ = try await response.body.collect(upTo: 16 << 20)
  }

  func shutdown() async throws {
    try await client.shutdown().get()
  }
}

/// The same element so many times, asynchronously.
struct Repeated<Element: Sendable>: AsyncSequence, Sendable {
  let element: Element
  let count: Int

  struct AsyncIterator: AsyncIteratorProtocol {
    let element: Element
    var left: Int

    mutating func next() async throws -> Element? {
      guard left > 0 else { return nil }
      left -= 1
      return element
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(element: element, left: count) }
}
