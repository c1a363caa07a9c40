import Foundation
import HTTPTypes
import Stagecoach
import StagecoachContentCoding
import TestSupport
import Testing

@testable import StagecoachFixtures

/// Blocks that are not compressed are read by every decoder.
struct StoredCodingTests {
  private static let sizes = [0, 1, 3, 65_535, 65_536, 65_537, 131_072, 200_001]

  private func content(_ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 8) }
  }

  @Test(arguments: ContentDecoding.builtInCodings.map(\.name), sizes)
  func theLibrarysDecodersReadStoredCodings(coding: String, size: Int) async throws {
    let content = content(size)
    let coded = try #require(StoredCoding.encode(content, as: coding))
    let handler = HandlerTransport { _ in
      Response(.ok, fields: [.contentEncoding: coding], body: .bytes(Bytes(coded)))
    }
    let response = try await Pipeline(over: handler) { ContentDecoding() }.send(.get("http://a/"))
    #expect([UInt8](try await response.body.collect(upTo: 1 << 20)) == content)
  }

  @Test(arguments: [("gzip", "gzip"), ("zstd", "zstd"), ("br", "brotli")])
  func foreignDecodersReadStoredCodings(coding: String, program: String) throws {
    let path = "/usr/bin/\(program)"
    guard FileManager.default.isExecutableFile(atPath: path) else {
      return print("\(program) is not installed: it is not asked to read what is stored")
    }
    let folder = try ScratchDirectory()
    for size in Self.sizes {
      let content = content(size)
      let file = try folder.file("coded", try #require(StoredCoding.encode(content, as: coding)))
      let output = try folder.file("decoded", [])
      let process = Process()
      process.executableURL = URL(filePath: path)
      process.arguments = ["-dc"]
      process.standardInput = try FileHandle(forReadingFrom: URL(filePath: file))
      process.standardOutput = try FileHandle(forWritingTo: URL(filePath: output))
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      // Not by `Data(contentsOf:)`, which leaks a buffer where the file is empty.
      let decoded = try FileHandle(forReadingFrom: URL(filePath: output)).readToEnd() ?? Data()
      #expect([UInt8](decoded) == content, "\(coding) of \(size) bytes")
    }
  }

  @Test func refusesAnUnknownCoding() {
    #expect(StoredCoding.encode([1], as: "compress") == nil)
    #expect(StoredCoding.encode([1], as: "identity") == [1])
  }
}
