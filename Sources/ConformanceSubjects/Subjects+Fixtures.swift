import Foundation
import Stagecoach
import StagecoachConformance
import StagecoachFixtures

extension Subjects {
  /// Replays what was recorded above a closure.
  static let replay = Subject(inProcess: "Replay") { RecordsAndReplays(HandlerTransport($0)) }

  /// A folder that does not exist.
  fileprivate static func scratchFolder() -> String {
    FileManager.default.temporaryDirectory.appending(path: "stagecoach-conformance-\(UUID())").path
  }
}

extension Subject {
  /// A stage that records above the transport: it deviates where the transport does.
  var recorded: Subject {
    let name = "\(name)+Recorder"
    @Sendable func recording(_ transport: any Transport) -> Pipeline {
      Pipeline(over: transport) {
        Recorder(folder: Subjects.scratchFolder(), bodyLimit: 1 << 20, commit: .finish)
      }
    }
    switch kind {
    case .wire(let make):
      return Subject(name, addedFields: addedFields, deviations: deviations) { recording(try make($0)) }
    case .inProcess(let make):
      return Subject(inProcess: name, deviations: deviations) { recording(make($0)) }
    }
  }
}

/// Records each request with its reply, and answers it from the recording.
private struct RecordsAndReplays: TransportWrapper {
  let transport: any Transport

  init(_ transport: HandlerTransport) { self.transport = transport }

  func send(_ request: Request) async throws -> Response {
    var request = request
    if request.body.bytes == nil { request.body = .bytes(try await content(of: request)) }
    let folder = Subjects.scratchFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let recorder = Recorder(folder: folder, commit: .finish)
    do {
      let recorded = try await Pipeline(over: transport) { recorder }.send(request)
      _ = try await recorded.body.collect(upTo: 1 << 30)
    } catch let error as ExchangeError where error.kind != .shutdown {
      // It is in the recording.
    }
    try await recorder.finish()
    return try await ReplayTransport(folder: folder).send(request)
  }

  private func content(of request: Request) async throws -> Bytes {
    let source = try request.body.makeSource()
    var content: [UInt8] = []
    while let chunk = try await source.next() { chunk.withUnsafeBytes { content += $0 } }
    return Bytes(content)
  }
}
