#if Redis
  import Foundation
  import StagecoachCore
  import TestSupport

  @testable import StagecoachCache

  /// A Redis server from the system's packages, with a Unix domain socket in a folder of its own.
  final class RedisProcess {
    static let executable = ["/usr/bin/redis-server", "/opt/homebrew/bin/redis-server"]
      .first { FileManager.default.isExecutableFile(atPath: $0) }

    let path: String
    private let folder: ScratchDirectory
    private let arguments: [String]
    private(set) var process: ChildProcess

    /// Starts a server and waits until it answers.
    ///
    /// - Parameter port: A port of loopback to listen on as well.
    init(port: Int = 0, password: String? = nil) async throws {
      guard let executable = Self.executable else { throw ServerFailure.notInstalled("redis-server") }
      folder = try ScratchDirectory()
      path = "\(folder.path)/s"
      arguments =
        [executable, "--port", "\(port)", "--bind", "127.0.0.1", "--unixsocket", path]
        + ["--save", "", "--appendonly", "no", "--dir", folder.path, "--logfile", "\(folder.path)/log"]
        + (password.map { ["--requirepass", $0] } ?? [])
      process = try ChildProcess(arguments)
      try await isListening()
    }

    /// Kills it and starts another one in its place, which has lost everything.
    func restart() async throws {
      process.stop()
      try? FileManager.default.removeItem(atPath: path)
      process = try ChildProcess(arguments)
      try await isListening()
    }

    private func isListening() async throws {
      for _ in 0..<3000 {
        // Whatever it answers, without a password: it is there.
        if (try? command("PING")) != nil { return }
        try await Task.sleep(for: .milliseconds(10))
      }
      throw ServerFailure.didNotStart(log: URL(fileURLWithPath: "\(folder.path)/log"))
    }

    func stop() { process.stop() }

    /// Runs a command over a connection that is not the store's.
    @discardableResult func command(_ arguments: Bytes...) throws -> RedisReply {
      let server = RedisServer(address: .unixSocket(path), password: nil, database: 0)
      let deadline = ContinuousClock.now + .seconds(10)
      return try RedisConnection(to: server, until: deadline).run(RedisCommand(arguments), until: deadline)
    }

    /// The keys that match a pattern.
    func keys(_ pattern: String) throws -> [Bytes] {
      guard case .array(let keys) = try command("KEYS", Bytes(pattern)) else { return [] }
      return keys.compactMap { if case .bytes(let key) = $0 { key } else { nil } }
    }

    /// A store whose calls have time to be slow, for tests that are not about time.
    func store(prefix: String = "stagecoach", password: String? = nil, database: Int = 0) -> RedisCacheStore {
      let server = RedisServer(address: .unixSocket(path), password: password, database: database)
      return RedisCacheStore(server, prefix: prefix, timeouts: .patient)
    }
  }

  extension RedisTimeouts {
    static let patient = RedisTimeouts(
      read: .seconds(20),
      write: .seconds(20),
      probe: .seconds(20),
      backOff: .milliseconds(1)...(.milliseconds(10))
    )
  }

  extension RedisCacheStore {
    /// Looks up again and again until the server answers.
    func lookUpWhenAvailable(_ key: CacheKey) async throws -> CacheLookup {
      while true {
        do { return try await lookUp(key) } catch is CacheStoreError {
          try await Task.sleep(for: .milliseconds(5))
        }
      }
    }

    /// The only content of a key; `nil` if there is none.
    func body(_ key: CacheKey) async throws -> [UInt8]? {
      guard let entry = try await lookUp(key).entries.first, let content = try await content(of: entry) else {
        return nil
      }
      return try await CacheStoreCheck.read(content, Int(entry.length), 65_536)
    }
  }
#endif
