#if Redis
  import Synchronization

  /// A small pool of connections with one timeout. A command takes the one with the fewest commands before it.
  final class RedisLanes: Sendable {
    private let lanes: [RedisLane]
    private let loads: Mutex<[Int]>

    init(count: Int, timeout: Duration) {
      lanes = (0..<count).map { _ in RedisLane(timeout: timeout) }
      loads = Mutex(Array(repeating: 0, count: count))
    }

    func run(_ command: RedisCommand, on server: RedisServer) async throws(RedisFailure) -> RedisReply {
      let index = loads.withLock { loads in
        let index = loads.indices.min { loads[$0] < loads[$1] } ?? 0
        loads[index] += 1
        return index
      }
      defer { loads.withLock { $0[index] -= 1 } }
      return try await lanes[index].run(command, on: server)
    }
  }
#endif
