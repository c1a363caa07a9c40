import Foundation
import Testing

@testable import StagecoachConformance

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The peer of the checks, against clients that are no better than it.
@Suite struct WireServerTests {
  /// A client to the byte, connected to a server.
  private func client(of server: WireServer) throws -> WireSocket {
    let descriptor = socket(AF_INET, Self.stream, 0)
    try #require(descriptor >= 0)
    try connect(descriptor, to: server)
    return WireSocket(descriptor: descriptor)
  }

  @Test(arguments: ["-5", "-9223372036854775808"])
  func aNegativeLengthIsRefused(length: String) async throws {
    let server = try WireServer { _ = try $0.readRequest() }
    defer { server.stop() }
    let client = try client(of: server)
    defer { client.close() }
    try client.write(
      Array("PUT / HTTP/1.1\r\nContent-Length: \(length)\r\n\r\n".utf8),
      until: .now + .seconds(10)
    )
    #expect(try await server.wait { $0.first?.end != nil })
    #expect(server.connections.first?.end == .failed(.unexpected("a Content-Length of \(length)")))
  }

  @Test func aNegativeCountOfBytesIsRefused() async throws {
    let server = try WireServer { _ = try $0.read(-1) }
    defer { server.stop() }
    let client = try client(of: server)
    defer { client.close() }
    #expect(try await server.wait { $0.first?.end != nil })
    #expect(server.connections.first?.end == .failed(.unexpected("-1 bytes to read")))
  }

  @Test func reportsWhichSideEndedAConnection() async throws {
    let server = try WireServer { try $0.hold() }
    defer { server.stop() }
    let client = try client(of: server)
    #expect(try await server.wait { $0.count == 1 })
    let port = try #require(server.connections.first?.peerPort)
    #expect(OpenSockets.count(boundTo: [port]) == 1)
    #expect(server.connections.first?.wasEndedByPeer == false)
    client.close()
    #expect(try await server.wait { $0.allSatisfy(\.wasEndedByPeer) })
    #expect(OpenSockets.count(boundTo: [port]) == 0)
  }

  /// The trace of a client that keeps its end of what the server reset.
  @Test func aSocketOfAConnectionThatWasResetIsSeen() async throws {
    let server = try WireServer { $0.reset() }
    defer { server.stop() }
    let client = try client(of: server)
    #expect(try await server.wait { $0.first?.end != nil })
    #expect(throws: WireError.reset) { try client.read(atMost: 1, until: .now + .seconds(10)) }
    let port = try #require(server.connections.first?.peerPort)
    #expect(OpenSockets.count(boundTo: [port]) == 1)
    client.close()
    #expect(OpenSockets.count(boundTo: [port]) == 0)
  }

  @Test func connectionsAreNumberedInTheirOrder() async throws {
    let server = try WireServer { try $0.send("\($0.index)") }
    defer { server.stop() }
    for number in 0..<3 {
      let client = try client(of: server)
      defer { client.close() }
      #expect(try readToEnd(client) == "\(number)")
    }
    #expect(try await server.wait { $0.map(\.end) == [.finished, .finished, .finished] })
  }

  // MARK: Steps

  /// Cut where a reader that looks at one piece at a time would miss the end of the head.
  @Test func aRequestMayComeInPieces() async throws {
    let server = try WireServer { wire in
      _ = try wire.readRequest()
      try wire.send("ok")
    }
    defer { server.stop() }
    let client = try client(of: server)
    defer { client.close() }
    var sent = 0
    for piece in ["POST / HTTP/1.1\r\nContent-Length: 3\r\n\r", "\nab", "c"] {
      try client.write(Array(piece.utf8), until: .now + .seconds(10))
      sent += piece.utf8.count
      let count = sent
      #expect(try await server.wait { $0.first?.received == count })
    }
    #expect(try readToEnd(client) == "ok")
    #expect(server.requests.map(\.body) == [Array("abc".utf8)])
  }

  @Test func aHeadWithoutAnEndIsCutOff() async throws {
    let server = try WireServer { _ = try $0.read(through: [13, 10, 13, 10], limit: 100_000) }
    defer { server.stop() }
    let client = try client(of: server)
    defer { client.close() }
    // The server closes while this is sent, so that it may fail.
    try? client.write([UInt8](repeating: 0x61, count: 2 << 20), until: .now + .seconds(10))
    #expect(try await server.wait { $0.first?.end != nil })
    #expect(server.connections.first?.end == .failed(.unexpected("more than 100000 bytes without an end")))
  }

  @Test func afterAHalfCloseTheOtherDirectionIsOpen() async throws {
    let server = try WireServer { wire in
      try wire.send("bye")
      wire.halfClose()
      _ = try wire.read(4)
      try wire.readToEnd()
    }
    defer { server.stop() }
    let client = try client(of: server)
    defer { client.close() }
    #expect(try readToEnd(client) == "bye")
    try client.write(Array("123456".utf8), until: .now + .seconds(10))
    client.closeSending()
    #expect(try await server.wait { $0.first?.end == .finished })
    #expect(server.connections.first?.bytes == Array("123456".utf8))
  }

  @Test func silenceIsKept() async throws {
    let server = try WireServer { wire in
      _ = try wire.read(1)
      try wire.expectSilence(for: .milliseconds(50))
      try wire.send("quiet")
    }
    defer { server.stop() }
    let client = try client(of: server)
    defer { client.close() }
    try client.write([1], until: .now + .seconds(10))
    #expect(try readToEnd(client) == "quiet")
  }

  @Test(arguments: [true, false])
  func silenceIsBroken(atOnce: Bool) async throws {
    let server = try WireServer { wire in
      _ = try wire.read(1)
      try wire.expectSilence(for: .seconds(50))
    }
    defer { server.stop() }
    let client = try client(of: server)
    defer { client.close() }
    try client.write(atOnce ? [1, 2] : [1], until: .now + .seconds(10))
    if !atOnce {
      #expect(try await server.wait { $0.first?.received == 1 })
      try client.write([2], until: .now + .seconds(10))
    }
    #expect(try await server.wait { $0.first?.end != nil })
    #expect(server.connections.first?.end == .failed(.unexpected("the peer sent 1 bytes")))
  }

  @Test func aConnectionHasALimitOfTime() async throws {
    let server = try WireServer(limit: .milliseconds(150)) { try $0.readToEnd() }
    defer { server.stop() }
    let client = try client(of: server)
    defer { client.close() }
    try client.write([1], until: .now + .seconds(10))
    #expect(try readToEnd(client) == "")
    #expect(try await server.wait { $0.first?.end == .failed(.timedOut) })
  }

  @Test func aPeerThatNeverReadsStallsUntilItIsStopped() async throws {
    let server = try WireServer { try $0.stall() }
    defer { server.stop() }
    let client = try client(of: server)
    defer { client.close() }
    // More than the buffers of both sides hold.
    let block = [UInt8](repeating: 1, count: 64 << 20)
    #expect(throws: WireError.timedOut) { try client.write(block, until: .now + .milliseconds(300)) }
    #expect(try await server.wait { $0.map(\.received) == [0] })
    server.stop()
    #expect(try await server.wait { $0.first?.end == .failed(.stopped) })
  }

  #if os(Linux)
    @Test func aConnectionIsNotInheritedByPrograms() async throws {
      let server = try WireServer { try $0.hold() }
      defer { server.stop() }
      let client = try client(of: server)
      defer { client.close() }
      #expect(try await server.wait { $0.count == 1 })
      // The server's end is bound to the server's port, as its listener is.
      let open = (Int32(0)..<65_536).filter { OpenSockets.isBound($0, to: [server.port]) }
      #expect(open.count == 2)
      for descriptor in open { #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0) }
    }
  #endif

  /// Reads until the server ends its side.
  private func readToEnd(_ client: WireSocket) throws -> String {
    var all: [UInt8] = []
    while true {
      let bytes = try client.read(atMost: 4096, until: .now + .seconds(10))
      if bytes.isEmpty { return String(decoding: all, as: UTF8.self) }
      all += bytes
    }
  }

  private static var stream: Int32 {
    #if canImport(Glibc)
      Int32(SOCK_STREAM.rawValue)
    #else
      SOCK_STREAM
    #endif
  }

  private func connect(_ descriptor: Int32, to server: WireServer) throws {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(server.port).bigEndian
    try #require(inet_pton(AF_INET, "127.0.0.1", &address.sin_addr) == 1)
    let result = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        systemConnect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(result == 0)
  }
}

private func systemConnect(
  _ descriptor: Int32,
  _ address: UnsafePointer<sockaddr>,
  _ length: socklen_t
) -> Int32 {
  connect(descriptor, address, length)
}
