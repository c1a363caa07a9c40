import ArgumentParser
import CCURLPeer
import Foundation
import Stagecoach
import StagecoachAsyncHTTPClient
import StagecoachCURL
import StagecoachURLSession

/// One large body, down and up: the standard chain over each transport, against the bare engine.
struct TransferRows {
  let quick: Bool
  let url: String
  let wants: (String) -> Bool

  /// The direction of a transfer.
  enum Kind: String, CaseIterable, ExpressibleByArgument {
    case download
    case upload

    func run(on side: any TransferSide, mebibytes: Int) async throws {
      switch self {
      case .download:
        guard try await side.download("bytes/\(mebibytes << 20)") == mebibytes << 20 else {
          throw ExchangeError(.incompleteBody, "the download is short")
        }
      case .upload: try await side.upload("upload", chunks: mebibytes * 16, of: 64 * 1024)
      }
    }
  }

  /// The engine below both sides.
  enum Engine: String, CaseIterable, ExpressibleByArgument {
    case asyncHTTPClient = "AsyncHTTPClient"
    case curl = "CURL"
    case urlSession = "URLSession"

    var peerName: String { self == .curl ? "libcurl, C" : rawValue }

    /// What is added to the names of rows.
    var suffix: String { self == .asyncHTTPClient ? "" : "/\(rawValue)" }

    func ours(_ url: String) throws -> any TransferSide {
      switch self {
      case .asyncHTTPClient: try Ours(url: url, over: AsyncHTTPClientTransport())
      case .curl: try Ours(url: url, over: CURLTransport())
      case .urlSession: try Ours(url: url, over: URLSessionTransport())
      }
    }

    func peer(_ url: String) -> any TransferSide {
      switch self {
      case .asyncHTTPClient: Peer(url: url, connections: NetworkRows.defaultConnections)
      case .curl: CURLPeer(url: url)
      case .urlSession: URLSessionPeer(url: url)
      }
    }
  }

  /// One of the two sides.
  enum Which: String, ExpressibleByArgument {
    case ours
    case peer
  }

  func run() throws -> [Row] {
    try Engine.allCases.flatMap { engine in
      try Kind.allCases.flatMap { try rates($0, engine) } + Kind.allCases.flatMap { try peak($0, engine) }
    }
  }

  private func rates(_ kind: Kind, _ engine: Engine) throws -> [Row] {
    let name = "\(kind.rawValue)-100MB\(engine.suffix)"
    guard wants("\(name)/") else { return [] }
    let costs = try costsOfProcesses(
      quick ? 3 : 9,
      ["--transfer", kind.rawValue, "--engine", engine.rawValue, "--size", "100", "--url", url]
    )
    return [
      Row("\(name)/rate", unit: "MiB/s", peerName: engine.peerName, costs) { 100 / $0.wall },
      Row("\(name)/cpu", unit: "ms", peerName: engine.peerName, costs) { $0.cpu * 1e3 },
    ]
  }

  /// The peak of resident memory, each in a process of its own.
  private func peak(_ kind: Kind, _ engine: Engine) throws -> [Row] {
    let name = "peak-memory/\(kind.rawValue)\(engine.suffix)"
    guard wants(name) else { return [] }
    let size = quick ? 100 : 1024
    func value(_ which: Which) throws -> Double {
      median(
        try (0..<(quick ? 1 : 3)).map { _ in
          let text = try runAgain([
            "--transfer", kind.rawValue, "--engine", engine.rawValue, "--peak", which.rawValue, "--size",
            "\(size)",
            "--url", url,
          ])
          return Double(text) ?? .nan
        }
      )
    }
    let (ours, peer) = (try value(.ours), try value(.peer))
    return [
      Row(
        name: name,
        unit: "MiB, of \(size) MiB",
        ours: ours,
        peer: peer,
        peerName: engine.peerName,
        ratio: ours / peer
      )
    ]
  }

  /// The costs of both sides in this process, as JSON.
  static func costs(of kind: Kind, engine: Engine, size: Int, url: String) async throws -> String {
    let (ours, peer) = (try engine.ours(url), engine.peer(url))
    let costs = try await interleaved(rounds: 3, units: 1) {
      try await kind.run(on: ours, mebibytes: size)
    } peer: {
      try await kind.run(on: peer, mebibytes: size)
    }
    try await ours.shutdown()
    try await peer.shutdown()
    return try json(costs)
  }

  /// One transfer in this process, and its peak.
  static func peak(of kind: Kind, engine: Engine, which: Which, size: Int, url: String) async throws -> Double
  {
    let side = which == .ours ? try engine.ours(url) : engine.peer(url)
    try await kind.run(on: side, mebibytes: size)
    try await side.shutdown()
    return peakResidentMemory()
  }
}
