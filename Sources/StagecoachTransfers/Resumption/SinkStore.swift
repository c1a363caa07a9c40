import HTTPTypes
import StagecoachCore
import Synchronization

/// Passes the content to a sink of the user.
final class SinkStore<Sink: TransferSink>: PartialStore {
  private let sink: Sink
  private let content = Mutex<PartialContent?>(nil)

  init(_ sink: Sink) {
    self.sink = sink
  }

  var name: String { sink.name }
  var accepts: Acceptance { sink.accepts }
  var parts: Int { 1 }
  var asksForIdentity: Bool { true }

  func open() -> PartialContent? { content.withLock { $0 } }

  func empty() async throws {
    content.withLock { $0 = nil }
    try await sink.empty()
  }

  func keep(_ content: PartialContent) { self.content.withLock { $0 = content } }

  func write(_ bytes: Bytes, at position: Int64) async throws { try await sink.write(bytes) }

  func finish(_ response: Response, _ content: PartialContent) async throws -> Sink.Output {
    try await sink.finish(response.head)
  }

  func close(_ content: PartialContent?) { self.content.withLock { $0 = content } }

  func discard() async { try? await empty() }

  func limit(for options: RequestOptions) -> (bytes: Int64, option: String)? {
    options.fileBodyLimit.map { ($0, RequestOptions.fileBodyLimit.name) }
  }

  func archive(in work: inout ArchivedWork) throws {
    throw ExchangeError(
      .unsupported,
      "a transfer into the sink \(name) cannot be archived",
      advice: "archive what the sink has written, and make a new transfer"
    )
  }

  func renewed() -> SinkStore<Sink> { SinkStore(sink) }
}
