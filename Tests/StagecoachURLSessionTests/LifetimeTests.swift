import Foundation
import HTTPTypes
import Stagecoach
import StagecoachConformance
import StagecoachURLSession
import Synchronization
import Testing

extension URLSessionTests {
  /// Connections: how many, how long, and nothing left behind.
  @Suite struct LifetimeTests {
    @Test func aConnectionServesOneRequestAfterAnother() async throws {
      let server = try WireServer(answering: WireServer.ok)
      defer { server.stop() }
      let transport = URLSessionTransport()
      for _ in 0..<20 { #expect(try await transport.answer(server.request()).text == "hello") }
      #expect(server.connections.count == 1)
    }

    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    @Test func opensNoMoreConnectionsThanAllowedAndServesWaitersInOrder() async throws {
      let targets = Mutex<[String]>([])
      let server = try WireServer { wire in
        while true {
          let target = try wire.readRequest().target
          targets.withLock { $0.append(target) }
          wire.pause(.milliseconds(20))
          try wire.send(WireServer.ok)
        }
      }
      defer { server.stop() }
      var connections = ConnectionOptions()
      connections.connectionsPerOrigin = 1
      let transport = URLSessionTransport(connections: connections)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 0..<10 {
          // Each waits in the queue before the next one begins.
          group.addImmediateTask { _ = try await transport.answer(server.request("/\(index)")) }
        }
        try await group.waitForAll()
      }
      #expect(server.connections.count == 1)
      #expect(targets.withLock { $0 } == (0..<10).map { "/\($0)" })
    }

    @Test func waitingForAConnectionHasItsOwnTimeout() async throws {
      let server = try WireServer { try $0.hold() }
      defer { server.stop() }
      var connections = ConnectionOptions()
      connections.connectionsPerOrigin = 1
      let transport = URLSessionTransport(connections: connections)
      let first = Task { try await transport.send(server.request()) }
      #expect(try await server.wait { $0.count == 1 })
      var request = server.request()
      request.options.poolTimeout = .milliseconds(50)
      let error = await failure { _ = try await transport.send(request) }
      #expect(error?.kind == .timeout(.pool))
      #expect(error?.requestMayHaveBeenSent == false)
      let waiting = Task { try await transport.send(server.request()) }
      try await Task.sleep(for: .milliseconds(50))
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
      first.cancel()
      await #expect(throws: CancellationError.self) { try await first.value }
    }

    @Test func aFailedRequestGivesItsPlaceToAWaiter() async throws {
      let server = try WireServer { wire in
        let target = try wire.readRequest().target
        if target == "/stuck" { try wire.hold() }
        try wire.send(WireServer.ok)
      }
      defer { server.stop() }
      var connections = ConnectionOptions()
      connections.connectionsPerOrigin = 1
      let transport = URLSessionTransport(connections: connections)
      let stuck = Task { try await transport.send(server.request("/stuck")) }
      #expect(try await server.wait { $0.count == 1 })
      let next = Task { try await transport.answer(server.request("/next")).text }
      try await Task.sleep(for: .milliseconds(50))
      stuck.cancel()
      #expect(try await next.value == "hello")
    }

    @Test func idleConnectionsAreClosed() async throws {
      let server = try WireServer(answering: WireServer.ok)
      defer { server.stop() }
      var connections = ConnectionOptions()
      connections.idleTimeout = .milliseconds(100)
      let transport = URLSessionTransport(connections: connections)
      _ = try await transport.answer(server.request())
      #expect(try await server.wait { $0.first?.wasEndedByPeer == true })
      _ = try await transport.answer(server.request())
      #expect(server.connections.count == 2)
    }

    @Test func shutdownFailsWhatIsUnderWayAndWhatComes() async throws {
      let server = try WireServer { try $0.hold() }
      defer { server.stop() }
      var connections = ConnectionOptions()
      connections.connectionsPerOrigin = 1
      let transport = URLSessionTransport(connections: connections)
      let running = Task { await failure { _ = try await transport.send(server.request()) } }
      #expect(try await server.wait { $0.count == 1 })
      let waiting = Task { await failure { _ = try await transport.send(server.request()) } }
      try await Task.sleep(for: .milliseconds(50))
      await transport.shutdown()
      await transport.shutdown()
      #expect(await running.value?.kind == .shutdown)
      #expect(await waiting.value?.kind == .shutdown)
      let later = await failure { _ = try await transport.send(server.request()) }
      #expect(later?.kind == .shutdown)
      #expect(try await server.wait { $0.allSatisfy(\.wasEndedByPeer) })
    }

    @Test func aDroppedTransportClosesItsConnections() async throws {
      let server = try WireServer(answering: WireServer.ok)
      defer { server.stop() }
      for _ in 0..<50 { _ = try await URLSessionTransport().answer(server.request()) }
      #expect(server.connections.count == 50)
      #expect(try await server.wait { $0.allSatisfy(\.wasEndedByPeer) })
    }

    @Test func twoHundredConcurrentRequestsDoNotMix() async throws {
      let server = try WireServer { wire in
        while true {
          let target = try wire.readRequest().target
          try wire.send("HTTP/1.1 200 OK\r\nContent-Length: \(target.utf8.count)\r\n\r\n\(target)")
        }
      }
      defer { server.stop() }
      let transport = URLSessionTransport()
      let wrong = try await withThrowingTaskGroup(of: Bool.self) { group in
        for index in 0..<200 {
          group.addTask { try await transport.answer(server.request("/\(index)")).text != "/\(index)" }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(wrong == 0)
      #expect(server.connections.count <= 8)
    }
  }
}
