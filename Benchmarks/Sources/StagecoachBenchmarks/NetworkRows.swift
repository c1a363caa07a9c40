import ArgumentParser
import Foundation
import Stagecoach

/// Exchanges with the origin, ours against the peer, in turns.
struct NetworkRows {
  let quick: Bool
  let url: String
  let wants: (String) -> Bool

  private static let peerName = "AsyncHTTPClient"

  /// The limit of connections to the origin that both sides have unless somebody sets it.
  static let defaultConnections = ConnectionOptions().connectionsPerOrigin

  func run() async throws -> [Row] {
    var rows: [Row] = []
    for concurrency in [1, 16, 64] {
      for kind in Exchanges.allCases {
        rows += try requests(kind, concurrency)
        if concurrency == 1 {
          rows += try requests(kind, concurrency, mayProcessorsSleep: true)
        } else if kind != .policy {
          rows += try requests(kind, concurrency, connections: concurrency)
        }
      }
    }
    return rows
  }

  /// What is asked for again and again.
  enum Exchanges: String, CaseIterable, ExpressibleByArgument {
    case small = "get-small"
    case json = "get-json-10KB"
    /// Small ones too, with the stages of the standard chain and without any.
    case policy = "policy-stages"

    var peerName: String { self == .policy ? "no stages" : NetworkRows.peerName }
    var count: Int {
      switch self {
      case .small, .policy: 4_000
      case .json: 800
      }
    }

    func peer(_ url: String, _ connections: Int) throws -> any Side {
      self == .policy
        ? try Ours(url: url, connections: connections, isPlain: true)
        : Peer(url: url, connections: connections)
    }

    func run(on side: any Side) async throws {
      switch self {
      case .small, .policy: try await side.get("text")
      case .json: try await side.decode("json/large?kb=10")
      }
    }
  }

  /// Many exchanges, measured in several processes: how the threads of a process and of the origin happen to fall into
  /// step lasts as long as its connections do, and makes a third of the result.
  ///
  /// - Parameters:
  ///   - kind: What is asked for.
  ///   - concurrency: How many are in flight.
  ///   - connections: The limit of connections of both sides. Where it is below `concurrency` the queues of the two
  ///     sides are compared too, and the peer's is the slower one.
  ///   - mayProcessorsSleep: Whether processors sleep where there is nothing to do, as they do with one in flight
  ///     unless that is prevented; see ``AwakeProcessors``.
  private func requests(
    _ kind: Exchanges,
    _ concurrency: Int,
    connections: Int = defaultConnections,
    mayProcessorsSleep: Bool = false
  ) throws -> [Row] {
    var name = "\(kind.rawValue)/\(concurrency)" + (mayProcessorsSleep ? "/asleep" : "")
    if connections != Self.defaultConnections { name += "/\(connections)-connections" }
    guard wants("\(name)/") else { return [] }
    let processors = concurrency == 1 && !mayProcessorsSleep ? try AwakeProcessors() : nil
    defer { processors?.stop() }
    let count = kind.count / (quick ? 4 : 1) / (concurrency == 1 ? 2 : 1)
    let costs = try costsOfProcesses(
      quick ? 3 : 9,
      [
        "--requests", kind.rawValue, "--concurrency", "\(concurrency)", "--connections", "\(connections)",
        "--size", "\(count)", "--url", url,
      ]
    )
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

  /// The costs of both sides in this process, as JSON.
  static func costs(of kind: Exchanges, count: Int, concurrency: Int, connections: Int, url: String)
    async throws
    -> String
  {
    let ours = try Ours(url: url, connections: connections)
    let peer = try kind.peer(url, connections)
    let costs = try await interleaved(rounds: 3, units: count) {
      try await flood(ours, count: count, concurrency: concurrency) { try await kind.run(on: $0) }
    } peer: {
      try await flood(peer, count: count, concurrency: concurrency) { try await kind.run(on: $0) }
    }
    try await ours.shutdown()
    try await peer.shutdown()
    return try json(costs)
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
}
