import Foundation
import Stagecoach

/// Exchanges with the origin, ours against the peer, in turns.
struct NetworkRows {
  let quick: Bool
  let url: String
  let wants: (String) -> Bool

  private static let peerName = "AsyncHTTPClient"
  private static let mebibyte = 1 << 20

  func run() async throws -> [Row] {
    var rows: [Row] = []
    for concurrency in [1, 16, 64] {
      for kind in [Exchanges.small, .json, .policy] {
        rows += try requests(kind, concurrency)
        if concurrency == 1 { rows += try requests(kind, concurrency, mayProcessorsSleep: true) }
      }
    }
    for kind in [Exchanges.download, .upload] { rows += try transfers(kind) }
    return rows + (try peaks())
  }

  /// What is asked for again and again.
  enum Exchanges: String, CaseIterable {
    case small = "get-small"
    case json = "get-json-10KB"
    /// Small ones too, with the stages of the standard chain and without any.
    case policy = "policy-stages"
    case download = "download-100MB"
    case upload = "upload-100MB"

    var peerName: String { self == .policy ? "no stages" : NetworkRows.peerName }
    var count: Int {
      switch self {
      case .small, .policy: 4_000
      case .json: 800
      case .download, .upload: 1
      }
    }

    func peer(_ url: String) throws -> any Side {
      self == .policy ? try Ours(url: url, isPlain: true) : Peer(url: url)
    }

    func run(on side: any Side) async throws {
      switch self {
      case .small, .policy: try await side.get("text")
      case .json: try await side.decode("json/large?kb=10")
      case .download:
        guard try await side.download("bytes/\(100 * mebibyte)") == 100 * mebibyte else {
          throw ExchangeError(.incompleteBody, "the download is short")
        }
      case .upload: try await side.upload("upload", chunks: 1600, of: 64 * 1024)
      }
    }
  }

  /// Many exchanges, measured in several processes: how the threads of a process and of the origin happen to fall into
  /// step lasts as long as its connections do, and makes a third of the result.
  ///
  /// - Parameters:
  ///   - kind: What is asked for.
  ///   - concurrency: How many are in flight.
  ///   - mayProcessorsSleep: Whether processors sleep where there is nothing to do, as they do with one in flight unless
  ///     that is prevented; see ``AwakeProcessors``.
  private func requests(_ kind: Exchanges, _ concurrency: Int, mayProcessorsSleep: Bool = false) throws
    -> [Row]
  {
    let name = "\(kind.rawValue)/\(concurrency)" + (mayProcessorsSleep ? "/asleep" : "")
    guard wants("\(name)/") else { return [] }
    let processors = concurrency == 1 && !mayProcessorsSleep ? try AwakeProcessors() : nil
    defer { processors?.stop() }
    let count = kind.count / (quick ? 4 : 1) / (concurrency == 1 ? 2 : 1)
    let costs = try costs(of: kind, count: count, concurrency: concurrency)
    return [
      Row("\(name)/rate", unit: "requests/s", peerName: kind.peerName, costs) { 1 / $0.wall },
      Row("\(name)/cpu", unit: "µs/request", peerName: kind.peerName, costs) { $0.cpu * 1e6 },
      Row("\(name)/allocations", unit: "allocations/request", peerName: kind.peerName, costs) {
        $0.allocations
      },
      Row("\(name)/switches", unit: "sleeps/request", peerName: kind.peerName, costs) {
        $0.switches
      },
    ]
  }

  /// The costs of both sides in several processes.
  private func costs(of kind: Exchanges, count: Int, concurrency: Int) throws -> (ours: [Cost], peer: [Cost])
  {
    var costs: (ours: [Cost], peer: [Cost]) = ([], [])
    for _ in 0..<(quick ? 3 : 9) {
      let text = try runAgain([
        "--requests", kind.rawValue, "--concurrency", "\(concurrency)", "--size", "\(count)", "--url", url,
      ])
      let more = try JSONDecoder().decode([[Cost]].self, from: Data(text.utf8))
      costs.ours += more[0]
      costs.peer += more[1]
    }
    return costs
  }

  /// The costs of both sides in this process, as JSON.
  static func costs(of kind: String, count: Int, concurrency: Int, url: String) async throws -> String {
    guard let kind = Exchanges(rawValue: kind) else { throw CocoaError(.featureUnsupported) }
    let (ours, peer) = (try Ours(url: url), try kind.peer(url))
    let costs = try await interleaved(rounds: 3, units: count) {
      try await flood(ours, count: count, concurrency: concurrency) { try await kind.run(on: $0) }
    } peer: {
      try await flood(peer, count: count, concurrency: concurrency) { try await kind.run(on: $0) }
    }
    try await ours.shutdown()
    try await peer.shutdown()
    return String(decoding: try JSONEncoder().encode([costs.ours, costs.peer]), as: UTF8.self)
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

  private func transfers(_ kind: Exchanges) throws -> [Row] {
    let name = kind.rawValue
    guard wants("\(name)/") else { return [] }
    let costs = try costs(of: kind, count: kind.count, concurrency: 1)
    return [
      Row("\(name)/rate", unit: "MiB/s", peerName: Self.peerName, costs) { 100 / $0.wall },
      Row("\(name)/cpu", unit: "ms", peerName: Self.peerName, costs) { $0.cpu * 1e3 },
    ]
  }

  /// The peak of resident memory, each in a process of its own.
  private func peaks() throws -> [Row] {
    let size = quick ? 100 : 1024
    return try ["download", "upload"].filter { wants("peak-memory/\($0)") }.map { kind in
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
      return Row(
        name: "peak-memory/\(kind)",
        unit: "MiB, of \(size) MiB",
        ours: ours,
        peer: peer,
        peerName: Self.peerName,
        ratio: ours / peer
      )
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
