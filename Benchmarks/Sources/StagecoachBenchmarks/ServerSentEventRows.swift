import CLines
import Foundation
import HTTPTypes
import Stagecoach
import Synchronization

/// Server-sent events against a loop in C that does no more than split the same bytes into lines.
struct ServerSentEventRows {
  let quick: Bool

  /// Events as a service sends them that answers bit by bit.
  private static func event(_ index: Int) -> String {
    """
    event: delta
    id: \(index)
    data: {"id":"msg_\(index)","object":"chunk","created":1767225600,"model":"coach-4","choices":[{"index":0,\
    "delta":{"role":"assistant","content":" and so on, word by word"},"finish_reason":null}]}


    """
  }

  private static let count = 20_000
  private static let chunkSize = 64 * 1024

  func run() async throws -> [Row] {
    let bytes = Array((0..<Self.count).map(Self.event).joined().utf8)
    let chunks = stride(from: 0, to: bytes.count, by: Self.chunkSize).map {
      Bytes(bytes[$0..<min($0 + Self.chunkSize, bytes.count)])
    }
    var lines = [line](repeating: line(), count: 4 * Self.count)
    let mebibytes = Double(bytes.count) / 1_048_576
    let costs = try await interleaved(rounds: quick ? 7 : 21, units: 1) {
      let body = Response.Body(source: Chunks(chunks))
      var read = 0
      for try await _ in try await ServerSentEventResponseSerializer().serialize(Response(.ok, body: body)) {
        read += 1
      }
      guard read == Self.count else { throw ExchangeError(.incompleteBody, "\(read) events were read") }
    } peer: {
      let found = lines_split(bytes, bytes.count, &lines, lines.count)
      guard found == 4 * Self.count else { throw ExchangeError(.incompleteBody, "\(found) lines were found") }
    }
    return [
      Row("sse/delta-events/rate", unit: "MiB/s", peerName: "lines in C", costs) { mebibytes / $0.wall },
      Row("sse/delta-events/cpu", unit: "ms", peerName: "lines in C", costs) { $0.cpu * 1e3 },
    ]
  }

  /// Hands out chunks that are in memory.
  private final class Chunks: BodySource {
    private let rest: Mutex<ArraySlice<Bytes>>

    init(_ chunks: [Bytes]) {
      rest = Mutex(chunks[...])
    }

    func next() async throws -> Bytes? {
      rest.withLock { $0.popFirst() }
    }

    func cancel() {
      rest.withLock { $0 = [] }
    }
  }
}
