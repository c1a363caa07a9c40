#if os(Linux)
  import Foundation
  import StagecoachStages
  import StagecoachSystem
  import Synchronization
  import Testing

  @testable import StagecoachCore

  /// Links and routes that come and go, in a network of the kernel's that nobody else is in.
  @Suite(.timeLimit(.minutes(1))) struct NetworkChangesTests {
    @Test(.enabled(if: NetworkNamespace.isPermitted, "a network namespace needs root"))
    func followsLinksAndRoutes() async {
      // In a process of its own: a thread that the runtime starts while it is called from the namespace
      // is in there for good, and would run other tests without a network.
      await #expect(processExitsWith: .success) {
        await Self.changeLinksAndRoutes()
      }
    }

    private static func changeLinksAndRoutes() async {
      let namespace = NetworkNamespace()
      defer { namespace.end() }
      let monitor = SystemNetworkMonitor()
      var statuses = await namespace.run { monitor.statuses }.makeAsyncIterator()
      func change(_ commands: String...) async {
        let failed = await namespace.run { commands.filter { system($0) != 0 } }
        #expect(failed.isEmpty)
      }
      #expect(await statuses.next() == .unknown)
      #expect(await statuses.next() == .offline)
      // A cable, of which the other end is here too.
      await change(
        "ip link add stage0 type veth peer name stage1",
        "ip address add 192.0.2.2/24 dev stage0",
        "ip link set stage0 up",
        "ip link set stage1 up",
        "ip route add default via 192.0.2.1 metric 100"
      )
      #expect(await statuses.next() == .wired)
      // It is pulled out, and the route stays.
      await change("ip link set stage1 down")
      #expect(await statuses.next() == .offline)
      await change("ip link set stage1 up")
      #expect(await statuses.next() == .wired)
      // A route of IPv6 is a way out, too: nothing changes until it is gone as well.
      await change(
        "ip link add stage2 type veth peer name stage3",
        "ip link set stage2 up",
        "ip link set stage3 up",
        "ip -6 route add default dev stage2 metric 200",
        "ip route del default"
      )
      await change("ip -6 route del default dev stage2")
      #expect(await statuses.next() == .offline)
      // The kernel takes the route back with its link, without a word.
      await change("ip route add default via 192.0.2.1")
      #expect(await statuses.next() == .wired)
      await change("ip link set stage0 down")
      #expect(await statuses.next() == .offline)
      await change("ip link set stage0 up", "ip route add default via 192.0.2.1")
      #expect(await statuses.next() == .wired)
      await change("ip link delete stage0")
      #expect(await statuses.next() == .offline)
    }
  }

  /// A thread in a network namespace of its own: what it and its children open is in there.
  private final class NetworkNamespace: Sendable {
    private let jobs = Mutex<[(@Sendable () -> Void)?]>([])
    private let arrivals = Arrivals()

    // Safe: made for being signalled and waited for by any thread.
    private struct Arrivals: @unchecked Sendable {
      let semaphore = DispatchSemaphore(value: 0)
    }

    /// Whether the system lets us make one.
    static let isPermitted: Bool = {
      let result = Mutex(false)
      let thread = Thread { result.withLock { $0 = leave() == 0 } }
      thread.start()
      while !thread.isFinished { usleep(1000) }
      return result.withLock { $0 } && system("command -v ip >/dev/null") == 0
    }()

    /// Moves the calling thread to a new namespace; 0 if the system lets it.
    private static func leave() -> Int32 {
      // Not among what the module of the C library shows.
      typealias Unshare = @convention(c) (Int32) -> Int32
      guard let unshare = dlsym(nil, "unshare") else { return -1 }
      let newNetwork: Int32 = 0x4000_0000  // CLONE_NEWNET
      return unsafeBitCast(unshare, to: Unshare.self)(newNetwork)
    }

    init() {
      Thread.detachNewThread { [self] in
        _ = Self.leave()
        while true {
          arrivals.semaphore.wait()
          guard let job = jobs.withLock({ $0.removeFirst() }) else { return }
          job()
        }
      }
    }

    func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
      await withCheckedContinuation { continuation in
        post { continuation.resume(returning: work()) }
      }
    }

    func end() { post(nil) }

    private func post(_ job: (@Sendable () -> Void)?) {
      jobs.withLock { $0.append(job) }
      arrivals.semaphore.signal()
    }
  }
#endif
