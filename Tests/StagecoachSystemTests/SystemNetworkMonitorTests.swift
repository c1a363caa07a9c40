import TestSupport

#if os(Linux)
  import Foundation
  import Testing

  @testable import StagecoachCore
  @testable import StagecoachSystem
  import StagecoachStages

  @Suite(.timeLimit(.minutes(1))) struct SystemNetworkMonitorTests {
    /// Some sandboxes forbid the sockets of netlink.
    private static let isPermitted = NetworkWatch { _ in } != nil

    @Test(.enabled(if: isPermitted)) func reportsTheNetworkOfThisMachine() async {
      let monitor = SystemNetworkMonitor()
      #expect(monitor.status == .unknown)
      var seen: [NetworkStatus] = []
      for await status in monitor.statuses {
        seen.append(status)
        if status != .unknown { break }
      }
      #expect(seen.count == 2 && seen.first == .unknown)
      // Nobody watches any more.
      while monitor.status != .unknown { await Task.yield() }
    }

    @Test(.enabled(if: isPermitted)) func aSequenceIsEnoughToGoOn() async {
      let statuses = SystemNetworkMonitor().statuses
      for await status in statuses where status != .unknown { return }
      Issue.record("it ended")
    }

    @Test func shutdownEndsTheSequences() async {
      let monitor = SystemNetworkMonitor()
      let statuses = monitor.statuses
      monitor.shutdown()
      for await _ in statuses {}
      for await _ in monitor.statuses {}
      #expect(monitor.status == .unknown)
    }

    @Test(.enabled(if: isPermitted)) func aWatchLeavesNoDescriptorOpen() async throws {
      func sockets() -> [String] {
        let folder = "/proc/self/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap {
          try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
        }
      }
      for _ in 0..<20 {
        let closed = Signal()
        guard let watch = NetworkWatch(report: { _ in }, onClose: { closed.set() }) else {
          Issue.record("not permitted any more")
          return
        }
        let path = "/proc/self/fd/\(watch.descriptor)"
        let socket = try FileManager.default.destinationOfSymbolicLink(atPath: path)
        #expect(socket.hasPrefix("socket:") && sockets().contains(socket))
        watch.cancel()
        await closed.wait()
        #expect(!sockets().contains(socket))
      }
    }
  }
#endif
