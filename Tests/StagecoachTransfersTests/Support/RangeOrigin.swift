import HTTPTypes
import StagecoachCore
import Synchronization
import TestSupport

/// An origin with one resource that can be fetched in parts, cut off, held back and replaced.
final class RangeOrigin: Sendable {
  struct Resource: Sendable {
    var content: [UInt8]
    var tag: String? = "\"v1\""
    var lastModified: String?
    var date: String? = "Sun, 06 Nov 1994 08:49:37 GMT"
    var fields: HTTPFields = [:]
    var takesRanges = true
  }

  private struct State {
    var resource: Resource
    var cuts: [Int] = []
    var holds: [(after: Int, signal: Signal)] = []
    var requests: [Request] = []
    var answer: (@Sendable (Request) -> Response?)?
    var sent = 0
  }

  private let state: Mutex<State>
  /// The size of the chunks that bodies come in.
  let chunkSize: Int

  init(_ resource: Resource, chunkSize: Int = 1000) {
    state = Mutex(State(resource: resource))
    self.chunkSize = chunkSize
  }

  convenience init(count: Int, seed: UInt64 = 1, chunkSize: Int = 1000) {
    self.init(Resource(content: Self.content(count, seed: seed)), chunkSize: chunkSize)
  }

  static func content(_ count: Int, seed: UInt64) -> [UInt8] {
    var random = SplitMix(state: seed)
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next() >> 24) }
  }

  var content: [UInt8] { state.withLock { $0.resource.content } }
  var requests: [Request] { state.withLock { $0.requests } }
  /// The fields Range of the requests so far.
  var ranges: [String?] { requests.map { $0.fields[.range] } }
  /// The number of bytes of content that were sent.
  var sent: Int { state.withLock { $0.sent } }

  func change(_ change: @Sendable (inout Resource) -> Void) { state.withLock { change(&$0.resource) } }

  /// Cuts the next bodies off, each after this many bytes.
  func cut(after counts: Int...) { state.withLock { $0.cuts += counts } }

  /// Holds the next body back after this many bytes, until the transfer is cancelled.
  ///
  /// - Returns: Set once it is held back.
  func hold(after count: Int) -> Signal {
    let signal = Signal()
    state.withLock { $0.holds.append((count, signal)) }
    return signal
  }

  /// Answers the next requests instead of the resource; `nil` from the closure leaves it to the resource.
  func answer(_ answer: (@Sendable (Request) -> Response?)?) { state.withLock { $0.answer = answer } }

  func client(_ configuration: Client.Configuration = .init(), stages: [any Middleware] = []) throws -> Client
  {
    let pipeline = Pipeline(over: HandlerTransport { self.respond(to: $0) }, stages: stages)
    return try Client(pipeline, base: "http://origin.test/", configuration: configuration)
  }

  private func respond(to request: Request) -> Response {
    let (resource, answer) = state.withLock { state in
      state.requests.append(request)
      return (state.resource, state.answer)
    }
    if let response = answer?(request) { return response }
    var fields = resource.fields
    fields[.eTag] = resource.tag
    fields[.lastModified] = resource.lastModified
    fields[.date] = resource.date
    if resource.takesRanges { fields[.acceptRanges] = "bytes" }
    let total = resource.content.count
    guard resource.takesRanges, let range = request.fields[.range],
      isCurrent(request.fields[.ifRange], resource)
    else { return Response(.ok, fields: fields, body: body(resource.content[...])) }
    let ends = range.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
    let start = Int(ends[0]) ?? 0
    guard start < total else {
      fields[.contentRange] = "bytes */\(total)"
      return Response(.rangeNotSatisfiable, fields: fields)
    }
    let end = min(Int(ends[1]).map { $0 + 1 } ?? total, total)
    fields[.contentRange] = "bytes \(start)-\(end - 1)/\(total)"
    return Response(.partialContent, fields: fields, body: body(resource.content[start..<end]))
  }

  private func isCurrent(_ condition: String?, _ resource: Resource) -> Bool {
    guard let condition else { return true }
    return condition.hasPrefix("\"") ? condition == resource.tag : condition == resource.lastModified
  }

  private func body(_ content: ArraySlice<UInt8>) -> Response.Body {
    let (cut, hold) = state.withLock { state in
      (
        state.cuts.isEmpty ? nil : state.cuts.removeFirst(),
        state.holds.isEmpty ? nil : state.holds.removeFirst()
      )
    }
    var steps: [ScriptedSource.Step] = []
    let limit = min(cut ?? .max, hold?.after ?? .max, content.count)
    var position = 0
    while position < limit {
      let size = min(chunkSize, limit - position)
      let start = content.startIndex + position
      steps.append(.chunk(Bytes(Array(content[start..<start + size]))))
      position += size
    }
    if cut != nil { steps.append(.fail(ExchangeError(.connectionReset, "the peer reset the connection"))) }
    if hold != nil { steps.append(.wait) }
    state.withLock { $0.sent += position }
    let source = ScriptedSource(steps)
    if let hold {
      let pulls = steps.count
      Task {
        await source.pulled(pulls)
        hold.signal.set()
      }
    }
    return Response.Body(source: source, length: Int64(content.count))
  }
}
