#if CURL
  import Foundation
  import Stagecoach
  import StagecoachCURL
  import StagecoachConformance
  import Testing

  @Suite struct TaskExecutorTests {
    @Test func tasksRunOnOneThreadWithTheTransport() async throws {
      let peer = try WireServer { try $0.answer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello") }
      defer { peer.stop() }
      let transport = CURLTransport()
      try await withClient(transport, base: peer.url) { client in
        let threads = try await withTaskExecutorPreference(transport.taskExecutor) {
          try await withThrowingTaskGroup(of: [ObjectIdentifier].self) { group in
            for _ in 0..<20 {
              group.addTask {
                var threads = [Self.thread]
                for _ in 0..<5 {
                  let text = try await client.get("", as: .text)
                  #expect(text == "hello")
                  threads.append(Self.thread)
                }
                return threads
              }
            }
            return try await group.reduce(into: Set()) { $0.formUnion($1) }
          }
        }
        #expect(threads.count == 1)
        #expect(!threads.contains(Self.thread))
      }
    }

    @Test func tasksGoOnAfterTheShutdown() async throws {
      let transport = CURLTransport()
      let pipeline = Pipeline(over: transport) {}
      let sum = await withTaskExecutorPreference(transport.taskExecutor) {
        await Task.yield()
        await transport.shutdown()
        await #expect { try await pipeline.send(.get("http://127.0.0.1/")) } throws: {
          ($0 as? ExchangeError)?.kind == .shutdown
        }
        return await withTaskGroup(of: Int.self) { group in
          for number in 1...100 { group.addTask { number } }
          return await group.reduce(0, +)
        }
      }
      #expect(sum == 5050)
    }

    /// A number for the thread that asks.
    private static var thread: ObjectIdentifier { ObjectIdentifier(Thread.current) }
  }
#endif
