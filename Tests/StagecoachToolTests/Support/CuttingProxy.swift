#if Tool
  import Foundation
  import StagecoachConformance
  import Synchronization

  /// A server on loopback that passes each request on to another one, and interferes with the responses.
  final class CuttingProxy: Sendable {
    /// What is done once so many bytes of responses have passed.
    enum Action: Sendable {
      /// Something beside the connections, before the next byte of any of them.
      case call(@Sendable () throws -> Void)
      /// Every connection is reset.
      case reset
      /// No connection gets another byte.
      case stall
    }

    private struct State {
      var passed = 0
      /// What is still to be done, the first first.
      var script: [(count: Int, action: Action)] = []
      /// What ended the connections.
      var end: Action?
      var server: WireServer?
      /// The values of Range in the requests, empty without one.
      var ranges: [String] = []
    }

    private let state = Mutex(State())
    private let upstream: Int

    /// - Parameter upstream: The port of the other server, on loopback.
    init(to upstream: Int) throws {
      self.upstream = upstream
      let server = try WireServer(limit: .seconds(600)) { [weak self] in try self?.serve($0) }
      state.withLock { $0.server = server }
    }

    var url: String { state.withLock { $0.server?.url ?? "" } }

    /// Takes the ranges that were asked for since the last call.
    func takeRanges() -> [String] {
      state.withLock { state in
        defer { state.ranges = [] }
        return state.ranges
      }
    }

    func stop() { state.withLock { $0.server }?.stop() }

    /// Counts from zero again.
    ///
    /// - Parameter script: What is done after so many bytes, in this order.
    func begin(_ script: [(count: Int, action: Action)] = []) {
      state.withLock {
        $0.passed = 0
        $0.script = script
        $0.end = nil
      }
    }

    private func serve(_ wire: WireConnection) throws {
      let request = try wire.readHead()
      state.withLock { $0.ranges.append(request.values(of: "Range").first ?? "") }
      let server = try LoopbackSocket(port: upstream)
      let fields = request.fields.filter { $0.name.lowercased() != "connection" }
      let lines =
        [request.startLine] + fields.map { "\($0.name): \($0.value)" } + ["Connection: close", "", ""]
      try server.send(Array(lines.joined(separator: "\r\n").utf8))
      while true {
        var rest = try server.receive()[...]
        if rest.isEmpty { return wire.halfClose() }
        while !rest.isEmpty {
          let (count, action) = try advance(atMost: rest.count)
          if count > 0 { try wire.send(Array(rest.prefix(count))) }
          rest = rest.dropFirst(count)
          switch action {
          case .reset: return wire.reset()
          case .stall: return try wire.hold()
          case .call, nil: break
          }
        }
      }
    }

    /// - Returns: How many bytes may pass, and what is to be done then.
    private func advance(atMost count: Int) throws -> (Int, Action?) {
      try state.withLock { state in
        if let end = state.end { return (0, end) }
        guard let next = state.script.first, next.count <= state.passed + count else {
          state.passed += count
          return (count, nil)
        }
        let some = max(0, next.count - state.passed)
        state.passed += some
        state.script.removeFirst()
        if case .call(let call) = next.action { try call() } else { state.end = next.action }
        return (some, next.action)
      }
    }
  }
#endif
