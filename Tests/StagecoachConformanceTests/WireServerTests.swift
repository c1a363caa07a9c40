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

  @Test func itTellsWhoEndedAConnectionAndFromWhichPort() async throws {
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

  #if os(Linux)
    @Test func aConnectionIsNotInheritedByPrograms() async throws {
      let server = try WireServer { try $0.hold() }
      defer { server.stop() }
      let client = try client(of: server)
      defer { client.close() }
      #expect(try await server.wait { $0.count == 1 })
      // The server's end is bound to the server's port, as its listener is.
      let open = (Int32(0)..<1024).filter { OpenSockets.isBound($0, to: [server.port]) }
      #expect(open.count == 2)
      for descriptor in open { #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0) }
    }
  #endif

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
