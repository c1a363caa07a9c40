import StagecoachCore

/// Replays what is recorded, and sends other requests to a transport that records them.
final class MissingRecorder: TransportWrapper {
  private let replay: ReplayTransport
  let transport: any Transport

  init(_ replay: ReplayTransport, recording: any Transport) {
    self.replay = replay
    transport = recording
  }

  func send(_ request: Request) async throws -> Response {
    var request = request
    // Compared first and then sent: what can be read once is kept in memory.
    if !request.body.isReplayable {
      request.body = .bytes(try await request.content(upTo: Redactor.maxPartSize))
    }
    do {
      return try await replay.send(request)
    } catch let error as ExchangeError where error.isUnmatched {
      return try await transport.send(request)
    }
  }

  func shutdown() async {
    await replay.shutdown()
    await transport.shutdown()
  }
}
