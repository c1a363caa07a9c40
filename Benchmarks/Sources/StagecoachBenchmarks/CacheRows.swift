import ArgumentParser
import Foundation
import HTTPTypes
import Stagecoach
import StagecoachCache

/// Hits of the cache against the same chain over a transport that answers at once, and against a server; and the memory
/// of a store that was filled again and again.
struct CacheRows {
  let quick: Bool
  let url: String
  let wants: (String) -> Bool

  private static let requests = 2_000

  func run() async throws -> [Row] {
    var rows: [Row] = []
    if wants("cache/hit-10KB/") { rows += try await hits("hit-10KB", MemoryCacheStore()) }
    if wants("cache/disk-hit-10KB/") {
      let folder = FileManager.default.temporaryDirectory.appending(path: "stagecoach-\(UUID())").path
      defer { try? FileManager.default.removeItem(atPath: folder) }
      rows += try await hits("disk-hit-10KB", DiskCacheStore(folder: folder))
    }
    if wants("cache/hits-16/") { rows += try await hitsAgainstServer() }
    for size in Filling.allCases where wants("cache/fill-\(size.rawValue)/") {
      rows.append(try fillings(size))
    }
    return rows
  }

  private static func response() -> Response {
    let fields: HTTPFields = [
      .contentType: "application/json", .contentLength: "10240", .cacheControl: "max-age=3600",
      .eTag: "\"5d8c72a5edda8d6a\"", .date: HTTPDate(Date())?.description ?? "",
      .lastModified: "Sun, 06 Nov 1994 08:49:37 GMT", .server: "nginx",
    ]
    return Response(.ok, fields: fields, body: .bytes(Bytes([UInt8](repeating: 0x61, count: 10_240))))
  }

  private static func flood(_ client: Client, _ path: String, _ count: Int) async throws {
    for _ in 0..<count {
      let response = try await client.send(.get(path))
      _ = try await response.body.collect(upTo: 1 << 20)
    }
  }

  /// One in flight, through the standard chain.
  private func hits(_ name: String, _ store: some CacheStore) async throws -> [Row] {
    let answer = Self.response()
    let transport = HandlerTransport(recordLimit: 0) { _ in answer }
    let cached = try Client(.standard(over: transport, cache: Cache(store)), base: "http://test/")
    let plain = try Client(.standard(over: transport), base: "http://test/")
    let costs = try await interleaved(rounds: quick ? 5 : 25, units: Self.requests) {
      try await Self.flood(cached, "a", Self.requests)
    } peer: {
      try await Self.flood(plain, "a", Self.requests)
    }
    return [
      Row("cache/\(name)/wall", unit: "µs/request", peerName: "HandlerTransport", costs) { $0.wall * 1e6 },
      Row("cache/\(name)/cpu", unit: "µs/request", peerName: "HandlerTransport", costs) { $0.cpu * 1e6 },
      Row("cache/\(name)/allocations", unit: "allocations/request", peerName: "HandlerTransport", costs) {
        $0.allocations
      },
    ]
  }

  /// 16 in flight, against the same GETs through AsyncHTTPClient alone.
  private func hitsAgainstServer() async throws -> [Row] {
    let answer = Self.response()
    let transport = HandlerTransport(recordLimit: 0) { _ in answer }
    let cached = try Client(.standard(over: transport, cache: Cache()), base: "http://test/")
    let peer = Peer(url: url, connections: 16)
    let count = Self.requests
    let costs = try await interleaved(rounds: quick ? 5 : 15, units: count) {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<16 { group.addTask { try await Self.flood(cached, "a", count / 16) } }
        try await group.waitForAll()
      }
    } peer: {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<16 {
          group.addTask { for _ in 0..<(count / 16) { try await peer.get("json/large?kb=10") } }
        }
        try await group.waitForAll()
      }
    }
    try await peer.shutdown()
    return [
      Row("cache/hits-16/rate", unit: "requests/s", peerName: "AsyncHTTPClient", costs) { 1 / $0.wall }
    ]
  }

  // MARK: Memory

  /// The size of the bodies that a store is filled with, in bytes.
  enum Filling: Int, CaseIterable, ExpressibleByArgument {
    case small = 200
    case large = 1_048_576
  }

  private static let capacity = 256 << 20

  /// The peak of a process whose store was filled ten times over that of one whose store is empty, as a part of the
  /// capacity.
  private func fillings(_ size: Filling) throws -> Row {
    func peak(_ count: Int) throws -> Double {
      Double(try runAgain(["--filling", "\(size.rawValue)", "--size", "\(count)"])) ?? .nan
    }
    let (full, empty) = (try peak(quick ? 3 : 10), try peak(0))
    let capacity = Double(Self.capacity >> 20)
    return Row(
      name: "cache/fill-\(size.rawValue)/memory",
      unit: "MiB",
      ours: full - empty,
      peer: capacity,
      peerName: "capacity",
      ratio: (full - empty) / capacity
    )
  }

  /// Fills a store so many times, in this process, and returns the peak of its memory.
  static func peak(of size: Filling, times: Int) async throws -> Double {
    let store = MemoryCacheStore(capacity: capacity)
    let transport = HandlerTransport(recordLimit: 0) { _ in
      var response = response()
      response.fields[.contentLength] = "\(size.rawValue)"
      response.body = .bytes(Bytes([UInt8](repeating: 0x61, count: size.rawValue)))
      return response
    }
    let client = try Client(.standard(over: transport, cache: Cache(store)), base: "http://test/")
    var number = 0
    for _ in 0..<times {
      // An entry of a small body takes about ten times its size.
      for _ in 0..<(capacity / max(size.rawValue, 2_000)) {
        number += 1
        try await flood(client, "items/\(number)", 1)
      }
    }
    return peakResidentMemory()
  }
}
