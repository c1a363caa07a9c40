import Foundation
import HTTPTypes
import Stagecoach
import StagecoachContentCoding
import Testing

/// Against the programs `gzip`, `brotli` and `zstd`.
@Suite(.timeLimit(.minutes(1))) struct InteroperabilityTests {
  private static let contents: [[UInt8]] = [
    [], [7], Vectors.plain, noise(200_000), [UInt8](repeating: 7, count: 200_000),
    noise(65_536) + Vectors.plain,
  ]

  /// Sends bytes through a program, by way of files so that neither end waits for the other.
  private func pipe(_ input: [UInt8], through arguments: String...) async throws -> [UInt8] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (inputFile, outputFile) = (folder.appendingPathComponent("i"), folder.appendingPathComponent("o"))
    try Foundation.Data(input).write(to: inputFile)
    try Foundation.Data().write(to: outputFile)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardInput = try FileHandle(forReadingFrom: inputFile)
    process.standardOutput = try FileHandle(forWritingTo: outputFile)
    let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
    process.terminationHandler = { _ in continuation.finish() }
    try process.run()
    for await _ in ended {}
    #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    // Not by `Data(contentsOf:)`, which leaks a buffer where the file is empty.
    return Array(try FileHandle(forReadingFrom: outputFile).readToEnd() ?? Foundation.Data())
  }

  @Test(arguments: contents)
  func whatGzipWritesIsDecoded(plain: [UInt8]) async throws {
    for level in ["-1", "-9"] {
      let coded = try await pipe(plain, through: "gzip", "-c", level)
      let request = Request.get("http://h/").with(\.decodingRatioLimit, nil)
      #expect(try await decode(pieces(coded, of: 999), as: "gzip", of: request) == Reading(bytes: plain))
    }
  }

  @Test(arguments: contents)
  func gzipReadsWhatIsCompressed(plain: [UInt8]) async throws {
    let stream = Request.Body.source(length: nil, isReplayable: false) {
      ScriptedSource(pieces(plain, of: 9999))
    }
    for body in [stream, .bytes(Bytes(plain))] {
      let request = try await compress(body)
      let sent = try await read(request.body)
      guard request.fields[.contentEncoding] == "gzip" else {
        #expect(sent == plain)
        continue
      }
      #expect(try await pipe(sent, through: "gzip", "-dc") == plain)
    }
  }

  #if Brotli
    @Test(arguments: contents)
    func whatBrotliWritesIsDecoded(plain: [UInt8]) async throws {
      for level in ["0", "5", "11"] {
        let coded = try await pipe(plain, through: "brotli", "-c", "-q", level)
        try await expect(coded, in: "br", toBe: plain)
      }
    }
  #endif

  #if Zstandard
    @Test(arguments: contents)
    func whatZstandardWritesIsDecoded(plain: [UInt8]) async throws {
      for level in ["-1", "-19"] {
        let coded = try await pipe(plain, through: "zstd", "-q", "-c", level)
        try await expect(coded, in: "zstd", toBe: plain)
      }
    }
  #endif

  private func expect(_ coded: [UInt8], in coding: String, toBe plain: [UInt8]) async throws {
    let request = Request.get("http://h/").with(\.decodingRatioLimit, nil)
    for size in [7, 999, 65_536, coded.count] {
      let reading = try await decode(pieces(coded, of: size), as: coding, of: request)
      #expect(reading == Reading(bytes: plain), "pieces of \(size)")
    }
  }
}
