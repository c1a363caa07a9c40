import HTTPTypes
import Stagecoach
import StagecoachContentCoding
import Synchronization
import Testing

/// A body source that gives chunks, then fails or ends, and counts what is asked of it.
final class ScriptedSource: BodySource {
  private struct State {
    var chunks: ArraySlice<Bytes>
    var pulls = 0
    var isCancelled = false
  }

  let trailers: HTTPFields?
  private let failure: (any Error)?
  private let state: Mutex<State>

  init(_ chunks: [Bytes], trailers: HTTPFields? = nil, failure: (any Error)? = nil) {
    state = Mutex(State(chunks: chunks[...]))
    self.trailers = trailers
    self.failure = failure
  }

  var pulls: Int { state.withLock { $0.pulls } }
  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  func next() async throws -> Bytes? {
    let chunk = state.withLock { state in
      state.pulls += 1
      return state.chunks.popFirst()
    }
    if chunk == nil, let failure { throw failure }
    return chunk
  }

  func cancel() { state.withLock { $0.isCancelled = true } }
}

/// A body source that gives a chunk, then another without end, and counts what is asked of it. It gives up after 1000.
final class EndlessSource: BodySource {
  private let first: Bytes
  private let again: Bytes
  private let count = Atomic(0)

  init(_ first: Bytes, _ again: Bytes) {
    (self.first, self.again) = (first, again)
  }

  var pulls: Int { count.load(ordering: .relaxed) }

  func next() async throws -> Bytes? {
    let pull = count.wrappingAdd(1, ordering: .relaxed).newValue
    return pull > 1000 ? nil : pull == 1 && !first.isEmpty ? first : again
  }

  func cancel() {}
}

/// Bytes in pieces of a size.
func pieces(_ bytes: [UInt8], of size: Int) -> [Bytes] {
  stride(from: 0, to: bytes.count, by: size).map { Bytes(bytes[$0..<min($0 + size, bytes.count)]) }
}

/// What a stage makes of a response to a request.
func respond(
  with response: @autoclosure @escaping @Sendable () -> Response,
  to request: Request = .get("http://h/"),
  through stage: ContentDecoding = ContentDecoding()
) async throws -> Response {
  let transport = HandlerTransport { _ in response() }
  return try await Pipeline(over: transport, stages: [stage]).send(request)
}

/// A response in codings.
func coded(_ codings: String, _ chunks: [Bytes]) -> Response {
  Response(.ok, fields: [.contentEncoding: codings], body: Response.Body(source: ScriptedSource(chunks)))
}

/// What Accept-Encoding asks for, by the traits of the build.
let builtInNames = {
  var names = "gzip, deflate"
  #if Brotli
    names += ", br"
  #endif
  #if Zstandard
    names += ", zstd"
  #endif
  return names
}()

/// What came of reading a coded body: all that was read, and what ended it.
struct Reading: Equatable {
  var bytes: [UInt8] = []
  var failure: ExchangeError.Kind?
}

func decode(
  _ chunks: [Bytes],
  as codings: String,
  of request: Request = .get("http://h/"),
  through stage: ContentDecoding = ContentDecoding()
) async throws -> Reading {
  let response = try await respond(with: coded(codings, chunks), to: request, through: stage)
  var reading = Reading()
  do {
    for try await chunk in response.body {
      #expect(!chunk.isEmpty && chunk.count <= 65_536)
      chunk.withUnsafeBytes { reading.bytes.append(contentsOf: $0) }
    }
  } catch let error as ExchangeError {
    reading.failure = error.kind
    #expect(error.stage == "ContentDecoding")
    #expect(error.response?.status == .ok)
  }
  return reading
}

/// The same of a body that came as one piece.
func decode(
  _ bytes: [UInt8],
  as codings: String,
  of request: Request = .get("http://h/"),
  through stage: ContentDecoding = ContentDecoding()
) async throws -> Reading {
  try await decode(pieces(bytes, of: max(1, bytes.count)), as: codings, of: request, through: stage)
}

/// The request that leaves a stage that compresses.
func compress(
  _ body: Request.Body,
  fields: HTTPFields = [:],
  level: Int = 6,
  _ change: (inout RequestOptions) -> Void = { _ in }
) async throws -> Request {
  let transport = HandlerTransport { _ in Response(.ok) }
  var request = Request(.post, "http://h/", fields: fields, body: body)
  change(&request.options)
  _ = try await Pipeline(over: transport, stages: [RequestCompression(level: level)]).send(request)
  return try #require(transport.requests.first)
}

/// One member of gzip, made by zlib.
func gzip(_ bytes: [UInt8]) async throws -> [UInt8] {
  let request = try await compress(
    .source(length: nil, isReplayable: false) { ScriptedSource([Bytes(bytes)]) }
  )
  return try await read(request.body)
}

func read(_ body: Request.Body) async throws -> [UInt8] {
  let source = try body.makeSource()
  var all: [UInt8] = []
  while let chunk = try await source.next() { chunk.withUnsafeBytes { all.append(contentsOf: $0) } }
  return all
}

/// DEFLATE data that is stored in blocks (RFC 1951 3.2.4), made without zlib.
func stored(_ bytes: [UInt8]) -> [UInt8] {
  var blocks = pieces(bytes, of: 0xFFFF).map(\.array)
  if blocks.isEmpty { blocks = [[]] }
  return blocks.enumerated().flatMap { index, block in
    let low = UInt8(block.count & 0xFF), high = UInt8(block.count >> 8)
    return [index == blocks.count - 1 ? 1 : 0, low, high, ~low, ~high] + block
  }
}

/// Octets that nobody can foresee, the same every time.
func noise(_ count: Int) -> [UInt8] {
  var state: UInt64 = 0x9E37_79B9_7F4A_7C15
  return (0..<count).map { _ in
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return UInt8(truncatingIfNeeded: state >> 33)
  }
}

/// A monitor that keeps the events of content decoding, as text.
final class DecodingRecorder: EventMonitor {
  private let log = Mutex<[String]>([])
  var events: [String] { log.withLock { $0 } }

  func receive(_ event: Event) {
    guard case .stage(let event as ContentDecodingEvent) = event.kind else { return }
    log.withLock { $0.append(event.description) }
  }
}
