import StagecoachCore

/// Replays what is recorded, and sends other requests to a transport that records them.
final class MissingRecorder: Transport {
  private let replay: ReplayTransport
  private let recording: any Transport

  init(_ replay: ReplayTransport, recording: any Transport) {
    self.replay = replay
    self.recording = recording
  }

  var name: String { recording.name }
  var capabilities: TransportCapabilities { recording.capabilities }
  var trust: Trust { recording.trust }
  var connections: ConnectionOptions { recording.connections }

  func send(_ request: Request) async throws -> Response {
    var request = request
    // Compared first and then sent: what can be read once is kept in memory.
    if !request.body.isReplayable {
      request.body = .bytes(try await request.content(upTo: Redactor.maxPartSize))
    }
    do {
      return try await replay.send(request)
    } catch let error as ExchangeError where error.isUnmatched {
      return try await recording.send(request)
    }
  }

  func shutdown() async {
    await replay.shutdown()
    await recording.shutdown()
  }
}
