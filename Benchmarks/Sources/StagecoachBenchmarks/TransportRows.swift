import CCURLPeer
import Foundation
import HTTPTypes
import Stagecoach
import StagecoachAsyncHTTPClient
import StagecoachCURL
import StagecoachURLSession

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Small exchanges through each transport, without a client, against its bare engine; and through the standard chain
/// against the same transport without it.
struct TransportRows {
  let quick: Bool
  let url: String
  let wants: (String) -> Bool

  /// As many connections as requests in flight, for both sides.
  private func options(_ concurrency: Int) -> ConnectionOptions {
    var options = ConnectionOptions()
    options.connectionsPerOrigin = concurrency
    return options
  }

  private typealias Flood = (_ count: Int, _ concurrency: Int) async throws -> Void

  func run() async throws -> [Row] {
    var rows: [Row] = []
    for concurrency in [1, 16, 64] {
      if wants("transport/CURL/\(concurrency)/") { rows += try await curl(concurrency) }
      if wants("transport/URLSession/\(concurrency)/") { rows += try await urlSession(concurrency) }
      if wants("transport/AsyncHTTPClient/\(concurrency)/") { rows += try await asyncHTTPClient(concurrency) }
      if wants("stack/\(concurrency)/") { rows += try await stack(concurrency) }
    }
    return rows
  }

  private func curl(_ concurrency: Int) async throws -> [Row] {
    let transport = CURLTransport(connections: options(concurrency))
    let rows = try await compare("transport/CURL", concurrency, with: "libcurl, C") {
      try await flood(Pipeline(over: transport, stages: []), $0, $1)
    } peer: {
      try curlFlood($0, $1)
    }
    let oneThread = try await compare("transport/CURL", concurrency, "one-thread/", with: "libcurl, C") {
      (count, concurrency) in
      try await withTaskExecutorPreference(transport.taskExecutor) {
        try await flood(Pipeline(over: transport, stages: []), count, concurrency)
      }
    } peer: {
      try curlFlood($0, $1)
    }
    await transport.shutdown()
    return rows + oneThread
  }

  private func curlFlood(_ count: Int, _ concurrency: Int) throws {
    let failures = curl_peer_get("\(url)/text", Int32(count), Int32(concurrency), Int32(concurrency))
    guard failures == 0 else { throw URLError(.badServerResponse) }
  }

  private func urlSession(_ concurrency: Int) async throws -> [Row] {
    let transport = URLSessionTransport(connections: options(concurrency))
    let session = try session(concurrency)
    let rows = try await compare("transport/URLSession", concurrency, with: "URLSession") {
      try await flood(Pipeline(over: transport, stages: []), $0, $1)
    } peer: {
      try await session.flood($0, $1)
    }
    session.end()
    await transport.shutdown()
    return rows
  }

  private func session(_ concurrency: Int) throws -> BareSession {
    guard let target = URL(string: "\(url)/text") else { throw URLError(.badURL) }
    return BareSession(target, connections: concurrency)
  }

  private struct BareSession {
    private let session: URLSession
    private let target: URL

    init(_ target: URL, connections: Int) {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.httpMaximumConnectionsPerHost = connections
      session = URLSession(configuration: configuration)
      self.target = target
    }

    func flood(_ count: Int, _ concurrency: Int) async throws {
      try await inParallel(count, concurrency) { [session, target] in _ = try await session.data(from: target)
      }
    }

    func end() {
      session.invalidateAndCancel()
    }
  }

  private func asyncHTTPClient(_ concurrency: Int) async throws -> [Row] {
    let transport = AsyncHTTPClientTransport(connections: options(concurrency))
    let peer = Peer(url: url, connections: concurrency)
    let rows = try await compare("transport/AsyncHTTPClient", concurrency, with: "AsyncHTTPClient") {
      try await flood(Pipeline(over: transport, stages: []), $0, $1)
    } peer: {
      try await inParallel($0, $1) { try await peer.get("text") }
    }
    try await peer.shutdown()
    await transport.shutdown()
    return rows
  }

  private func stack(_ concurrency: Int) async throws -> [Row] {
    let transport = AsyncHTTPClientTransport(connections: options(concurrency))
    let standard: Flood = { try await flood(Pipeline.standard(over: transport), $0, $1) }
    let session = try session(concurrency)
    var rows = try await compare("stack", concurrency, with: "the transport alone", ours: standard) {
      try await flood(Pipeline(over: transport, stages: []), $0, $1)
    }
    rows += try await compare("stack", concurrency, "URLSession/", with: "URLSession", ours: standard) {
      try await session.flood($0, $1)
    }
    rows += try await compare("stack", concurrency, "libcurl/", with: "libcurl, C", ours: standard) {
      try curlFlood($0, $1)
    }
    session.end()
    await transport.shutdown()
    return rows
  }

  private func compare(
    _ name: String,
    _ concurrency: Int,
    _ variant: String = "",
    with peerName: String,
    ours: Flood,
    peer: Flood
  ) async throws -> [Row] {
    let count = (quick ? 1_000 : 4_000) / (concurrency == 1 ? 2 : 1)
    let costs = try await interleaved(rounds: quick ? 5 : 15, units: count) {
      try await ours(count, concurrency)
    } peer: {
      try await peer(count, concurrency)
    }
    return [
      Row("\(name)/\(concurrency)/\(variant)rate", unit: "requests/s", peerName: peerName, costs) {
        1 / $0.wall
      },
      Row("\(name)/\(concurrency)/\(variant)cpu", unit: "µs/request", peerName: peerName, costs) {
        $0.cpu * 1e6
      },
    ]
  }

  private func flood(_ pipeline: Pipeline, _ count: Int, _ concurrency: Int) async throws {
    let request = Request.get("\(url)/text")
    try await inParallel(count, concurrency) {
      _ = try await pipeline.send(request).body.collect(upTo: 1 << 20)
    }
  }

}

/// Keeps so many calls in flight until all are done.
private func inParallel(
  _ count: Int,
  _ concurrency: Int,
  _ call: @escaping @Sendable () async throws -> Void
) async throws {
  try await withThrowingTaskGroup(of: Void.self) { group in
    for _ in 0..<concurrency {
      group.addTask {
        for _ in 0..<(count / concurrency) { try await call() }
      }
    }
    try await group.waitForAll()
  }
}
