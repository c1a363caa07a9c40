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

  func send(_ request: Request) async throws -> Response {
    var request = request
    if !request.body.isReplayable { request.body = try await collected(request.body) }
    do {
      return try await replay.send(request)
    } catch let error as ExchangeError where error.isUnmatched {
      return try await recording.send(request)
    }
  }

  /// A body that can be compared and then sent.
  private func collected(_ body: Request.Body) async throws -> Request.Body {
    let source = try body.makeSource()
    var bytes: [UInt8] = []
    while let chunk = try await source.next() {
      guard bytes.count + chunk.count <= Redactor.maxPartSize else {
        source.cancel()
        throw ExchangeError.limit(
          .body,
          "the request body is larger than what is compared with a recording",
          limit: ("mode recordMissing", "\(Redactor.maxPartSize) bytes")
        )
      }
      chunk.withUnsafeBytes { bytes += $0 }
    }
    return .bytes(Bytes(bytes))
  }

  func shutdown() async {
    await replay.shutdown()
    await recording.shutdown()
  }
}
