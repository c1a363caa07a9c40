import AsyncHTTPClient
import Foundation
import NIOCore
import Stagecoach
import StagecoachAsyncHTTPClient
import StagecoachTransfers

/// One large file from nginx to the disk: a transfer, against its engine used bare to write a file, and against curl.
struct FileDownloadRows {
  private static let name = "file-1GB"

  let quick: Bool
  let wants: (String) -> Bool

  func run() throws -> [Row] {
    guard wants("\(Self.name)/") else { return [] }
    let folder = FileManager.default.temporaryDirectory.appending(path: "stagecoach-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let size = 1024
    let source = folder.appending(path: "source")
    guard FileManager.default.createFile(atPath: source.path, contents: nil),
      truncate(source.path, off_t(size << 20)) == 0
    else { throw CocoaError(.fileWriteUnknown) }
    let server = try NginxProcess(serving: folder)
    defer { server.stop() }
    let arguments = ["--file-download", folder.path, "--url", "\(server.url)/source"]
    let costs = try costsOfProcesses(quick ? 1 : 3, arguments)
    let curl = try costsOfProcesses(1, arguments + ["--against-curl"])
    return [
      Row("\(Self.name)/rate", unit: "MiB/s", peerName: "AsyncHTTPClient", costs) { Double(size) / $0.wall },
      Row("\(Self.name)/cpu", unit: "ms", peerName: "AsyncHTTPClient", costs) { $0.cpu * 1e3 },
      Row("\(Self.name)/curl", unit: "MiB/s", peerName: "curl -o", curl) { Double(size) / $0.wall },
    ]
  }

  /// The costs of both sides in this process, as JSON.
  static func costs(in folder: String, url: String, againstCURL: Bool) async throws -> String {
    let client = try Client(Pipeline.standard(over: AsyncHTTPClientTransport()))
    let engine = Peer(url: "", connections: 8).client
    let costs = try await interleaved(rounds: 5, units: 1) {
      _ = try await client.download(.get(url), to: .file("\(folder)/ours", existing: .overwrite)).value()
    } peer: {
      if againstCURL {
        _ = try runAgain(["-s", "-o", "\(folder)/peer", url], program: "/usr/bin/curl")
      } else {
        try await download(url, to: "\(folder)/peer", by: engine)
      }
    }
    await client.pipeline.shutdown()
    try await engine.shutdown()
    return try json(costs)
  }

  /// What somebody would write who has nothing but the engine, with the care for the disk that a transfer takes.
  private static func download(_ url: String, to path: String, by engine: HTTPClient) async throws {
    let response = try await engine.execute(HTTPClientRequest(url: url), timeout: .seconds(60))
    let file = open("\(path).part", O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    guard file >= 0 else { throw CocoaError(.fileWriteUnknown) }
    for try await chunk in response.body {
      let isWritten = chunk.withUnsafeReadableBytes { buffer in
        var rest = buffer[...]
        while !rest.isEmpty {
          let count = write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
          guard count > 0 else { return false }
          rest = rest.dropFirst(count)
        }
        return true
      }
      guard isWritten else { throw CocoaError(.fileWriteUnknown) }
    }
    guard fsync(file) == 0, close(file) == 0, rename("\(path).part", path) == 0 else {
      throw CocoaError(.fileWriteUnknown)
    }
  }
}
