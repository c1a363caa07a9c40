#if Tool
  import StagecoachOrigin

  /// Runs a test with a server of its own, and stops it.
  func withHandlerServer(
    _ handler: @escaping HandlerServer.Handler,
    _ body: (HandlerServer) async throws -> Void
  ) async throws {
    let server = try await HandlerServer.start(handler)
    do {
      try await body(server)
    } catch {
      await server.stop(patience: .zero)
      throw error
    }
    await server.stop(patience: .zero)
  }

  extension HandlerServer {
    /// Sends bytes, line ends as CR LF, and returns what comes until the server ends the connection.
    func exchange(_ text: String) async throws -> String {
      let peer = try Peer(port: port)
      try await peer.send(text.replacing("\n", with: "\r\n"))
      return String(decoding: try await peer.receiveToEnd(), as: UTF8.self)
    }
  }

  /// The status of a response as text; 0 if it is none.
  func status(of text: String) -> Int {
    text.hasPrefix("HTTP/1.1 ") ? Int(text.dropFirst(9).prefix(3)) ?? 0 : 0
  }
#endif
