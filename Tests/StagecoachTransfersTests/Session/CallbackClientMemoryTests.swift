import Dispatch
import Foundation
import HTTPTypes
import Stagecoach
import StagecoachTransfers
import TestSupport
import Testing

#if Tool
  import StagecoachOrigin
#endif

/// Nothing is left of a client that was dropped (C4, and what hurt users most).
@Suite(.timeLimit(.minutes(15))) struct CallbackClientMemoryTests {
  private static func makeAPI(_ transport: GatedReplies) throws -> CallbackClient {
    try CallbackClient(callbackQueue: CallbackQueue(DispatchQueue(label: "test"))) {
      try Client(owning: Pipeline(over: transport, stages: []), base: "http://h/v1/")
    }
  }

  @Test func aDroppedClientLetsRunningTransfersEnd() async throws {
    let alive = Counter()
    weak var api: CallbackClient?
    let log = HandlerLog<Bytes>()
    do {
      let transport = GatedReplies(alive: alive)
      do {
        let made = try Self.makeAPI(transport)
        api = made
        made.get("a", as: .data, success: log.success, failure: log.failure)
      }
      #expect(api == nil)
      await transport.arrived(1)
      transport.open()
      #expect(try await log.value() == "body")
    }
    await released(alive)
  }

  @Test func pausedTransfersGoWithTheirClient() async throws {
    let alive = Counter()
    let log = HandlerLog<Bytes>()
    weak var transfer: Transfer<Bytes>?
    do {
      let transport = GatedReplies(alive: alive)
      let api = try Self.makeAPI(transport)
      let made = api.get("a", as: .data, success: log.success, failure: log.failure, progress: log.progress)
      await transport.arrived(1)
      made.pause()
      transfer = made
      // Waits for a transfer that never ends.
      api.invalidate(cancelling: false)
    }
    await released(alive)
    #expect(transfer == nil)
    #expect(log.ends == 0)
  }

  @Test func aThousandDroppedClientsAreFreed() async throws {
    let alive = Counter()
    for index in 0..<1000 {
      let transport = GatedReplies(alive: alive)
      transport.open()
      let api = try Self.makeAPI(transport)
      let log = HandlerLog<Bytes>()
      switch index % 4 {
      case 0: continue
      case 1:
        api.get("a", as: .data, success: log.success, failure: log.failure)
        _ = try await log.value()
      case 2: api.get("a", as: .data, success: log.success, failure: log.failure)
      default:
        api.get("a", as: .data, success: log.success, failure: log.failure)
        api.invalidate(cancelling: index % 8 == 3)
      }
    }
    await released(alive)
  }

  /// Waits until everything that is counted is released, which ends with the last task that used it.
  private func released(_ alive: Counter) async {
    while alive.value > 0 { await Task.yield() }
  }

  #if Tool && os(Linux)
    /// In a process of its own, so that its descriptors, threads and memory are those of these clients alone.
    @Test func aThousandClientsLeaveNoDescriptorThreadOrMemoryBehind() async {
      await #expect(processExitsWith: .success) {
        func count(_ folder: String) -> Int {
          (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)").count) ?? 0
        }
        /// The resident memory in pages.
        func memory() -> Int {
          guard let file = fopen("/proc/self/statm", "r") else { return 0 }
          defer { fclose(file) }
          var line = [CChar](repeating: 0, count: 256)
          guard fgets(&line, 256, file) != nil else { return 0 }
          let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
          return text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        }
        func eventually(_ condition: () -> Bool) async throws {
          for _ in 0..<3000 {
            if condition() { return }
            try await Task.sleep(for: .milliseconds(10))
          }
          Issue.record("not within 30 s: \(count("fd")) descriptors, \(count("task")) threads")
        }
        let origin = try await Origin.start()
        let url = origin.url
        /// Half are dropped after a request, a quarter during one, a quarter without one.
        func makeAndDrop(_ clients: Int) async throws {
          for index in 0..<clients {
            let api = try CallbackClient { try Client(base: url) }
            let log = HandlerLog<JSONValue>()
            if index % 4 == 3 { continue }
            api.get("json", success: log.success, failure: log.failure)
            if index % 4 < 2 { _ = try await log.value() }
          }
          try await eventually { origin.openConnections == 0 }
        }
        // What the process makes once and keeps: event loops, pools of threads, caches.
        try await makeAndDrop(200)
        let (descriptors, pages) = (count("fd"), memory())
        let threads = count("task")
        try await makeAndDrop(1000)
        try await eventually { count("fd") <= descriptors && count("task") <= threads + 2 }
        let more = (memory() - pages) * 4
        print("1,000 clients: \(descriptors) descriptors, \(threads) threads before; \(more) KiB more after")
        // The sanitizers keep freed memory for a while.
        let program = dlopen(nil, RTLD_NOW)
        let isSanitized = dlsym(program, "__asan_init") != nil || dlsym(program, "__tsan_init") != nil
        #expect(isSanitized || more < 16 << 10, "\(more) KiB")
        try await origin.stop()
      }
    }
  #endif
}
