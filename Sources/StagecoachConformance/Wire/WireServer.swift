import Foundation
import StagecoachCore
import Synchronization

/// A server on a socket that calls a closure for each connection, with control over every byte: for peers that violate
/// the protocol, stall, or end early.
///
/// ```swift
/// let server = try WireServer { wire in
///   _ = try wire.readRequest()
///   try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
///   wire.close()
/// }
/// defer { server.stop() }
/// let response = try await transport.send(Request(.get, "\(server.url)/"))
/// ```
///
/// Each connection has its own thread, and ends with the closure. No wait exceeds the limit.
public final class WireServer: Sendable {
  private struct State {
    var logs: [WireLog] = []
    var open: [Int: WireConnection] = [:]
    var isStopped = false
  }

  /// The TCP port; 0 on a Unix domain socket.
  public let port: Int
  /// The host and the port as in a URL, such as `127.0.0.1:8080`.
  public let authority: String
  /// The base URL without a trailing slash.
  public var url: String { "http://\(authority)" }

  private let listener: WireSocket
  private let limit: Duration
  private let state = Mutex(State())
  private let serve: @Sendable (WireConnection) throws -> Void

  /// Creates a server on a free port.
  ///
  /// - Parameters:
  ///   - host: The address to listen on; `127.0.0.1` by default.
  ///   - limit: The maximum time of a connection; 60 s by default.
  ///   - serve: Serves a connection, on a thread of its own.
  /// - Throws: ``WireError`` if it cannot listen.
  public init(
    host: String = "127.0.0.1",
    limit: Duration = .seconds(60),
    serve: @escaping @Sendable (WireConnection) throws -> Void
  ) throws {
    (listener, port) = try WireSocket.listening(on: host)
    authority = "\(host.contains(":") ? "[\(host)]" : host):\(port)"
    self.limit = limit
    self.serve = serve
    start()
  }

  /// Creates a server on a Unix domain socket, replacing a file at the path.
  public init(
    path: String,
    limit: Duration = .seconds(60),
    serve: @escaping @Sendable (WireConnection) throws -> Void
  ) throws {
    listener = try WireSocket.listening(atPath: path)
    port = 0
    authority = "localhost"
    self.limit = limit
    self.serve = serve
    start()
  }

  /// The logs of all connections so far, in the order of acceptance.
  public var connections: [WireLog] { state.withLock { $0.logs } }

  /// All requests so far, by connection.
  public var requests: [SeenRequest] { connections.flatMap(\.requests) }

  /// Waits until a condition on the logs is met, up to 15 s by default.
  ///
  /// - Returns: Whether it was met within the time.
  public func wait(
    within duration: Duration = .seconds(15),
    until holds: @Sendable ([WireLog]) -> Bool
  ) async throws -> Bool {
    let deadline = ContinuousClock.now + duration
    while !holds(connections) {
      guard .now < deadline else { return false }
      try await Task.sleep(for: .milliseconds(5))
    }
    return true
  }

  /// Ends all connections and stops listening. Further calls do nothing.
  public func stop() {
    let open = state.withLock { state -> [WireConnection] in
      guard !state.isStopped else { return [] }
      state.isStopped = true
      // Before its thread can notice and close it.
      listener.interrupt()
      return Array(state.open.values)
    }
    for connection in open { connection.interrupt() }
  }

  private func start() {
    // The thread only retains the server for one turn, so that it ends when it is released.
    let listener = listener
    Thread.detachNewThread { [weak self] in
      while self?.isStopped == false {
        let socket: WireSocket
        do {
          guard let accepted = try listener.accept(until: .now + .milliseconds(100)) else { continue }
          socket = accepted
        } catch {
          // For example if this process has no descriptors left: the connection waits, and retrying immediately would
          // use all of a core.
          Thread.sleep(forTimeInterval: 0.02)
          continue
        }
        guard let self else {
          socket.close()
          break
        }
        self.open(socket)
      }
      listener.close()
    }
  }

  private var isStopped: Bool { state.withLock { $0.isStopped } }

  private func open(_ socket: WireSocket) {
    let connection = state.withLock { state -> WireConnection? in
      // It would not be interrupted any more.
      guard !state.isStopped else { return nil }
      let index = state.logs.count
      state.logs.append(WireLog(index: index, peerAddress: socket.peerAddress, peerPort: socket.peerPort))
      let connection = WireConnection(socket, index: index, deadline: .now + limit) { [weak self] change in
        self?.state.withLock { change(&$0.logs[index]) }
      }
      state.open[index] = connection
      return connection
    }
    guard let connection else { return socket.close() }
    let serve = serve
    Thread.detachNewThread { [weak self] in
      let end: WireLog.End
      do {
        try serve(connection)
        end = .finished
      } catch {
        end = .failed(error as? WireError ?? .unexpected("\(error)"))
      }
      connection.close()
      self?.state.withLock { state in
        state.open[connection.index] = nil
        state.logs[connection.index].end = end
      }
    }
  }
}

/// The log of a connection.
public struct WireLog: Sendable {
  /// The way that serving a connection ended.
  public enum End: Sendable, Hashable {
    /// The closure returned.
    case finished
    /// The closure threw an error.
    case failed(WireError)
  }

  /// The number of the connection, from 0 in the order of acceptance.
  public let index: Int
  /// The IP address of the peer; empty on a Unix domain socket.
  public let peerAddress: String
  /// The TCP port of the peer; 0 on a Unix domain socket.
  public let peerPort: Int
  /// The requests that were read.
  public internal(set) var requests: [SeenRequest] = []
  /// The number of bytes read.
  public internal(set) var received = 0
  /// The bytes that were read, up to the first 256 KiB.
  package internal(set) var bytes: [UInt8] = []
  /// The number of bytes written.
  public internal(set) var sent = 0
  /// The way it ended; `nil` while it is open.
  public internal(set) var end: End?

  /// Whether the peer ended the connection.
  public var wasEndedByPeer: Bool {
    switch end {
    case .failed(.closed), .failed(.reset): true
    default: false
    }
  }
}
