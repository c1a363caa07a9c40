#if Tool
  import StagecoachOrigin

  extension Origin {
    /// Sends one request on a new connection and returns the response.
    func exchange(
      _ method: String = "GET",
      _ target: String,
      _ fields: [(String, String)] = [],
      body: String = ""
    ) async throws -> WireResponse {
      let peer = try Peer(port: port)
      var request = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n"
      for (name, value) in fields { request += "\(name): \(value)\r\n" }
      if !body.isEmpty { request += "Content-Length: \(body.utf8.count)\r\n" }
      try await peer.send(request + "\r\n" + body)
      return try await peer.receiveResponse(toHEAD: method == "HEAD")
    }
  }

  /// Runs a test with an origin of its own, and stops it.
  func withOrigin(
    _ configuration: Origin.Configuration = .init(),
    _ body: (Origin) async throws -> Void
  ) async throws {
    let origin = try await Origin.start(configuration)
    do {
      try await body(origin)
    } catch {
      try? await origin.stop()
      throw error
    }
    try await origin.stop()
  }

  /// Waits until a condition holds, at most five seconds.
  func eventually(_ condition: () -> Bool) async throws -> Bool {
    for _ in 0..<500 {
      if condition() { return true }
      try await Task.sleep(for: .milliseconds(10))
    }
    return condition()
  }
#endif
