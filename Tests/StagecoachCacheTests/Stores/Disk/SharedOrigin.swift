#if SQLite
  import Foundation
  import HTTPTypes
  import StagecoachCore
  import TestSupport
  import Testing

  @testable import StagecoachCache

  /// An origin that several processes ask through one store. The version of each URL is in a file that they share.
  ///
  /// One process of each URL changes it: first at the origin, then it invalidates the URL, then it notes that no
  /// earlier version may be answered any more.
  final class SharedOrigin: Sendable {
    let store: DiskCacheStore
    private let versions: Int32
    /// The number of this process.
    private let number: Int
    let hits = Counter()
    /// Hits on what another process has stored.
    let foreignHits = Counter()
    let changes = Counter()

    static let urls = 300

    init(_ path: String, number: Int, capacity: Int64) throws {
      store = try DiskCacheStore(folder: "\(path)/cache", capacity: capacity)
      versions = open("\(path)/versions", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      self.number = number
      try #require(versions >= 0)
    }

    deinit { close(versions) }

    private func load(_ place: Int) -> Int {
      var value = 0
      _ = withUnsafeMutableBytes(of: &value) { pread(versions, $0.baseAddress, 8, off_t(place * 8)) }
      return value
    }

    private func save(_ value: Int, _ place: Int) {
      _ = withUnsafeBytes(of: value) { pwrite(versions, $0.baseAddress, 8, off_t(place * 8)) }
    }

    private static func body(_ url: Int, _ version: Int) -> [UInt8] {
      let mark = "\(url) \(version) "
      let size = [300, 5000, 40_000][url % 3]
      return Array(mark.utf8) + Array(repeating: UInt8((url * 7 + version) & 255), count: size)
    }

    /// Asks for a URL, or changes it.
    func step(_ random: inout SplitMix) async throws {
      // Most requests go to few URLs.
      let url = Int.random(in: 0..<Self.urls, using: &random) * Int.random(in: 0..<100, using: &random) / 100
      let key = CacheKey(url: "http://h/\(url)")
      let oldest = load(url * 2 + 1)
      let found = try await store.lookUp(key)
      if let entry = found.entries.first {
        let fields = entry.response.head.headerFields
        let version = try #require(fields[.eTag].flatMap { Int($0) })
        #expect(version >= oldest, "\(url) was invalidated at \(oldest)")
        if let content = try await store.content(of: entry) {
          let body = try await CacheStoreCheck.read(content, Int(entry.length), 1 << 20)
          #expect(body == Self.body(url, version))
          hits.add()
          if fields[.server] != "\(number)" { foreignHits.add() }
        }
      }
      if url % 2 == number, Int.random(in: 0..<40, using: &random) == 0 {
        let version = load(url * 2) + 1
        save(version, url * 2)
        try await store.invalidate(url: key.url)
        save(version, url * 2 + 1)
        changes.add()
      } else if found.entries.isEmpty || Int.random(in: 0..<30, using: &random) == 0 {
        let version = load(url * 2)
        var head = HTTPResponse(status: .ok)
        head.headerFields[.eTag] = "\(version)"
        head.headerFields[.server] = "\(number)"
        let response = CachedResponse(head: head, requestTime: Date(), responseTime: Date())
        let writer = try await store.makeWriter(for: key, response, generation: found.generation)
        try await writer.append(Bytes(Self.body(url, version)))
        _ = try await writer.commit(response)
      }
    }

    /// Takes steps in one task, since a change by another task of this process would have to wait for this one.
    func run(until end: () -> Bool, seed: UInt64) async throws {
      var random = SplitMix(state: seed)
      while !end() { for _ in 0..<20 { try await step(&random) } }
    }
  }
#endif
