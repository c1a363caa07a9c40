import Foundation
import StagecoachCore
import Synchronization

/// A server on a socket that does to the byte what a closure does with each connection: for peers that break the
/// protocol, stall, or end in the middle.
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
/// Each connection has a thread of its own, and ends with the closure. No wait lasts longer than the limit.
public final class WireServer: Sendable {
  private struct State {
    var logs: [WireLog] = []
    var open: [Int: WireConnection] = [:]
    var isStopped = false
  }

  /// The TCP port; 0 on a Unix domain socket.
  public let port: Int
  /// The host and the port as a URL has them, such as `127.0.0.1:8080`.
  public let authority: String
  /// The base URL without a slash at its end.
  public var url: String { "http://\(authority)" }

  private let listener: WireSocket
  private let limit: Duration
  private let state = Mutex(State())
  private let serve: @Sendable (WireConnection) throws -> Void

  /// A server on a port that the system chooses.
  ///
  /// - Parameters:
  ///   - host: The address to listen on; `127.0.0.1` by default.
  ///   - limit: The longest time a connection may last; 60 s by default.
  ///   - serve: Does what it likes with a connection, on a thread of its own.
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

  /// A server on a Unix domain socket; a file at the path is replaced.
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

  /// What was seen of all connections so far, in the order of acceptance.
  public var connections: [WireLog] { state.withLock { $0.logs } }

  /// All requests so far, by connection.
  public var requests: [SeenRequest] { connections.flatMap(\.requests) }

  /// Waits until something holds of what was seen, 15 s by default.
  ///
  /// - Returns: Whether it did, within the time.
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

  /// Ends all connections and listens no more. Further calls do nothing.
  public func stop() {
    let open = state.withLock { state -> [WireConnection] in
      guard !state.isStopped else { return [] }
      state.isStopped = true
      // Before its thread can know and close it.
      listener.interrupt()
      return Array(state.open.values)
    }
    for connection in open { connection.interrupt() }
  }

  private func start() {
    // The thread holds the server no longer than for a turn, so that one that is dropped ends.
    let listener = listener
    Thread.detachNewThread { [weak self] in
      while self?.isStopped == false {
        let socket: WireSocket
        do {
          guard let accepted = try listener.accept(until: .now + .milliseconds(100)) else { continue }
          socket = accepted
        } catch {
          // Such as when this process has no descriptors left: the connection waits, and to ask for it at once again
          // and again would keep a core busy.
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
      // Nobody would interrupt it any more.
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

/// What was seen of a connection.
public struct WireLog: Sendable {
  /// How serving it ended.
  public enum End: Sendable, Hashable {
    /// The closure returned.
    case finished
    /// The closure threw.
    case failed(WireError)
  }

  /// Its number, from 0, in the order of acceptance.
  public let index: Int
  /// The IP address of the peer; empty on a Unix domain socket.
  public let peerAddress: String
  /// The TCP port of the peer; 0 on a Unix domain socket.
  public let peerPort: Int
  /// The requests that were read.
  public internal(set) var requests: [SeenRequest] = []
  /// How many bytes were read.
  public internal(set) var received = 0
  /// How many bytes were written.
  public internal(set) var sent = 0
  /// How it ended; nil while it is open.
  public internal(set) var end: End?

  /// Whether the peer was the one that ended it.
  public var wasEndedByPeer: Bool {
    switch end {
    case .failed(.closed), .failed(.reset): true
    default: false
    }
  }
}
