import Stagecoach

/// Exchanges with the origin, ours against the peer, in turns.
struct NetworkRows {
  let quick: Bool
  let url: String
  let wants: (String) -> Bool

  private static let peerName = "AsyncHTTPClient"
  private static let mebibyte = 1 << 20

  func run() async throws -> [Row] {
    let ours = try Ours(url: url)
    let peer = Peer(url: url)
    var rows: [Row] = []
    for concurrency in [1, 16, 64] {
      rows += try await requests("get-small", concurrency, quick ? 1_000 : 4_000) { side in
        try await side.get("text")
      } on: {
        (ours, peer)
      }
      rows += try await requests("get-json-10KB", concurrency, quick ? 200 : 800) { side in
        try await side.decode("json/large?kb=10")
      } on: {
        (ours, peer)
      }
    }
    rows += try await transfers("download-100MB") { side in
      guard try await side.download("bytes/\(100 * Self.mebibyte)") == 100 * Self.mebibyte else {
        throw ExchangeError(.incompleteBody, "the download is short")
      }
    } on: {
      (ours, peer)
    }
    rows += try await transfers("upload-100MB") { side in
      try await side.upload("upload", chunks: 1600, of: 64 * 1024)
    } on: {
      (ours, peer)
    }
    try await ours.shutdown()
    try await peer.shutdown()
    return rows + (try peaks())
  }

  private func requests(
    _ name: String,
    _ concurrency: Int,
    _ count: Int,
    _ work: @escaping @Sendable (any Side) async throws -> Void,
    on sides: () -> (ours: any Side, peer: any Side)
  ) async throws -> [Row] {
    guard wants("\(name)/\(concurrency)/") else { return [] }
    let (ours, peer) = sides()
    let units = concurrency == 1 ? count / 2 : count
    let costs = try await interleaved(rounds: quick ? 5 : 15, units: units) {
      try await Self.flood(ours, count: units, concurrency: concurrency, work)
    } peer: {
      try await Self.flood(peer, count: units, concurrency: concurrency, work)
    }
    return [
      Row("\(name)/\(concurrency)/rate", unit: "requests/s", peerName: Self.peerName, costs) { 1 / $0.wall },
      Row("\(name)/\(concurrency)/cpu", unit: "µs/request", peerName: Self.peerName, costs) { $0.cpu * 1e6 },
      Row("\(name)/\(concurrency)/allocations", unit: "allocations/request", peerName: Self.peerName, costs) {
        $0.allocations
      },
      Row("\(name)/\(concurrency)/switches", unit: "sleeps/request", peerName: Self.peerName, costs) {
        $0.switches
      },
    ]
  }

  /// Keeps so many requests in flight until all are done.
  private static func flood(
    _ side: any Side,
    count: Int,
    concurrency: Int,
    _ work: @escaping @Sendable (any Side) async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<concurrency {
        group.addTask {
          for _ in 0..<(count / concurrency) { try await work(side) }
        }
      }
      try await group.waitForAll()
    }
  }

  private func transfers(
    _ name: String,
    _ work: (any Side) async throws -> Void,
    on sides: () -> (ours: any Side, peer: any Side)
  ) async throws -> [Row] {
    guard wants(name) else { return [] }
    let (ours, peer) = sides()
    let costs = try await interleaved(rounds: quick ? 5 : 15, units: 1) {
      try await work(ours)
    } peer: {
      try await work(peer)
    }
    return [
      Row("\(name)/rate", unit: "MiB/s", peerName: Self.peerName, costs) { 100 / $0.wall },
      Row("\(name)/cpu", unit: "ms", peerName: Self.peerName, costs) { $0.cpu * 1e3 },
    ]
  }

  /// The peak of resident memory, each in a process of its own.
  private func peaks() throws -> [Row] {
    let size = quick ? 100 : 1024
    let names = [("download", "peak-memory/download-\(size)MB"), ("upload", "peak-memory/upload-\(size)MB")]
    return try names.filter { wants($0.1) }.map { kind, name in
      var values: (ours: [Double], peer: [Double]) = ([], [])
      for _ in 0..<(quick ? 1 : 3) {
        values.ours.append(
          Double(try runAgain(["--peak", "ours-\(kind)", "--size", "\(size)", "--url", url])) ?? .nan
        )
        values.peer.append(
          Double(try runAgain(["--peak", "peer-\(kind)", "--size", "\(size)", "--url", url])) ?? .nan
        )
      }
      let (ours, peer) = (median(values.ours), median(values.peer))
      return Row(name: name, unit: "MiB", ours: ours, peer: peer, peerName: Self.peerName, ratio: ours / peer)
    }
  }

  /// One transfer in this process, and its peak.
  static func peak(of kind: String, size: Int, url: String) async throws -> Double {
    let side: any Side = kind.hasPrefix("ours") ? try Ours(url: url) : Peer(url: url)
    if kind.hasSuffix("download") {
      _ = try await side.download("bytes/\(size * mebibyte)")
    } else {
      try await side.upload("upload", chunks: size * 16, of: 64 * 1024)
    }
    try await side.shutdown()
    return peakResidentMemory()
  }
}
