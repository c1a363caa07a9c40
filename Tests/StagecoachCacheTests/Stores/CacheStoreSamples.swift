import Foundation
import HTTPTypes
import StagecoachCache
import StagecoachCore
import Testing

extension CacheStoreCheck {
  /// A head that `tag` tells from others.
  static func sample(_ tag: String, vary: [CachedResponse.Nominated] = []) throws -> CachedResponse {
    var head = HTTPResponse(status: .ok)
    head.headerFields.append(HTTPField(name: .eTag, value: tag))
    head.headerFields.append(HTTPField(name: try #require(.init("X-Case")), value: "1"))
    head.headerFields.append(HTTPField(name: try #require(.init("x-case")), value: "2"))
    let time = Date(timeIntervalSince1970: 1_790_000_000.25)
    return CachedResponse(head: head, vary: vary, requestTime: time, responseTime: time + 1)
  }

  /// Bytes that differ from those of another mark at every position.
  static func octets(_ count: Int, _ mark: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8 &+ mark) }
  }

  /// Reads the first `size` bytes, at most `count` at a time.
  static func read(_ content: any CacheContent, _ size: Int, _ count: Int) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < size {
      let piece = try await content.read(at: Int64(bytes.count), upTo: min(count, size - bytes.count))
      try #require(!piece.isEmpty && piece.count <= count)
      bytes += piece.array
    }
    return bytes
  }
}

extension CacheStore {
  /// The entries of a URL without partition.
  func entries(_ url: String) async throws -> [CacheEntry] { try await lookUp(CacheKey(url: url)).entries }

  /// The contents of all entries of a key.
  func bodies(_ key: CacheKey) async throws -> [[UInt8]] {
    var bodies: [[UInt8]] = []
    for entry in try await lookUp(key).entries {
      let content = try #require(await content(of: entry))
      bodies.append(try await CacheStoreCheck.read(content, Int(entry.length), 65_536))
    }
    return bodies
  }

  /// Stores a response, for a request that is sent now or after the look-up of `generation`.
  func put(
    _ key: CacheKey,
    _ response: CachedResponse,
    _ body: [UInt8],
    chunk: Int = 1 << 20,
    generation: UInt64? = nil
  ) async throws {
    let current = try await lookUp(key).generation
    let writer = try await makeWriter(for: key, response, generation: generation ?? current)
    for start in stride(from: 0, to: body.count, by: chunk) {
      try await writer.append(Bytes(body[start..<min(body.count, start + chunk)]))
    }
    let isKept = try await writer.commit(response)
    try #require(isKept)
  }
}
