#if SQLite
  import Foundation
  import HTTPTypes
  import StagecoachCore
  import TestSupport
  import Testing

  @testable import StagecoachCache

  /// What an origin has answered, as a log that outlives the process which writes it.
  struct CacheHistory: Sendable {
    let path: String

    static let capacity: Int64 = 1_600_000
    static let writers = 3
    static let keysPerWriter = 20

    static func key(_ number: Int) -> CacheKey { CacheKey(url: "http://h/\(number)") }

    static func size(_ version: Int) -> Int { [0, 200, 9000, 40_000, 150_000][version % 5] }

    /// The body of a version, of which no part is part of another one.
    static func body(_ version: Int) -> [UInt8] {
      let size = size(version)
      return (Array("\(version)".utf8) + Array(repeating: UInt8(version * 167 & 255), count: size)).suffix(
        size
      )
    }

    /// The head of a version after some updates.
    static func head(_ version: Int, _ update: Int) -> CachedResponse {
      var head = HTTPResponse(status: .ok)
      head.headerFields[.eTag] = "\(version)"
      head.headerFields[.age] = "\(update)"
      head.headerFields[.cacheControl] = "max-age=\(version * 31 + update)"
      head.headerFields[.server] = String(repeating: "s", count: version % 300)
      let time = Date(timeIntervalSince1970: Double(version % 1000) + Double(update))
      return CachedResponse(head: head, requestTime: time, responseTime: time)
    }

    /// The version and the number of updates of an entry, which must be one that the origin had.
    static func state(of entry: CacheEntry) throws -> State {
      let fields = entry.response.head.headerFields
      let version = try #require(fields[.eTag].flatMap { Int($0) })
      let update = try #require(fields[.age].flatMap { Int($0) })
      #expect(entry.response == head(version, update))
      return State(version: version, update: update)
    }

    struct State: Hashable {
      var version: Int
      var update: Int
    }

    /// A step of one writer: letters of begun steps are small.
    struct Step {
      let letter: Character
      let key: Int
      let state: State
    }

    var logPath: String { "\(path)/log" }
    var phasesPath: String { "\(path)/phases" }

    var steps: [Step] {
      guard let text = try? String(contentsOfFile: logPath, encoding: .utf8) else { return [] }
      // The last line may be cut.
      return text.split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ")
        guard words.count == 5, let letter = words[0].first, let key = Int(words[1]),
          let version = Int(words[2]),
          let update = Int(words[3])
        else { return nil }
        return Step(letter: letter, key: key, state: State(version: version, update: update))
      }
    }

    /// What each writer was doing: 1 during a body, 2 during a change of the index.
    var phases: [UInt8] { Array((try? Data(contentsOf: URL(filePath: phasesPath))) ?? Data()) }
  }

  extension CacheHistory {
    /// Writes to the store until the process is killed.
    func write(round: Int, seed: UInt64) async throws {
      let log = open(logPath, O_WRONLY | O_APPEND | O_CREAT, 0o600)
      let phases = open(phasesPath, O_RDWR | O_CREAT | O_TRUNC, 0o600)
      try #require(log >= 0 && phases >= 0)
      let store = try DiskCacheStore(folder: "\(path)/cache", capacity: Self.capacity)
      await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<Self.writers {
          group.addTask {
            var writer = Writer(store: store, number: number, log: log, phases: phases, seed: seed)
            writer.version = round * 1_000_000 + number * 100_000
            while true { try await writer.step() }
          }
        }
      }
    }

    private struct Writer {
      let store: DiskCacheStore
      let number: Int
      let log: Int32
      let phases: Int32
      var random: SplitMix
      var version = 0

      init(store: DiskCacheStore, number: Int, log: Int32, phases: Int32, seed: UInt64) {
        self.store = store
        self.number = number
        self.log = log
        self.phases = phases
        random = SplitMix(state: seed &+ UInt64(number))
      }

      private func note(_ letter: Character, _ key: Int, _ state: State) {
        let line = "\(letter) \(key) \(state.version) \(state.update) .\n"
        _ = line.withCString { systemWrite(log, $0, strlen($0)) }
      }

      private func enter(_ phase: UInt8) {
        withUnsafeBytes(of: phase) { _ = pwrite(phases, $0.baseAddress, 1, off_t(number)) }
      }

      mutating func step() async throws {
        let key =
          number * CacheHistory.keysPerWriter + Int.random(in: 0..<CacheHistory.keysPerWriter, using: &random)
        let cacheKey = CacheHistory.key(key)
        let found = try await store.lookUp(cacheKey)
        defer { enter(0) }
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<2:
          note("i", key, State(version: 0, update: 0))
          enter(2)
          try await store.invalidate(url: cacheKey.url)
          note("I", key, State(version: 0, update: 0))
        case 2..<6:
          guard let entry = found.entries.first else { return }
          _ = try await store.content(of: entry)
          var state = try CacheHistory.state(of: entry)
          state.update += 1
          note("u", key, state)
          enter(2)
          try await store.update(entry, of: cacheKey, to: CacheHistory.head(state.version, state.update))
          note("U", key, state)
        default:
          version += 1
          let state = State(version: version, update: 0)
          note("p", key, state)
          let body = CacheHistory.body(version)
          let head = CacheHistory.head(version, 0)
          let writer = try await store.makeWriter(for: cacheKey, head, generation: found.generation)
          for start in stride(from: 0, to: body.count, by: 30_000) {
            if start > 0 { enter(1) }
            try await writer.append(Bytes(body[start..<min(start + 30_000, body.count)]))
          }
          enter(2)
          if try await writer.commit(head) { note("P", key, state) }
        }
      }
    }
  }

  // A name of its own, because methods named `write` hide the function of the C library.
  private func systemWrite(_ descriptor: Int32, _ text: UnsafePointer<CChar>, _ count: Int) -> Int {
    write(descriptor, text, count)
  }
#endif
