import HTTPTypes
import StagecoachCore
import Synchronization

/// Passes the content to a sink of the user.
final class SinkStore<Sink: TransferSink>: PartialStore {
  private let sink: Sink
  private let state = Mutex<(content: PartialContent?, written: Int64)>((nil, 0))

  init(_ sink: Sink) {
    self.sink = sink
  }

  var name: String { sink.name }
  var accepts: Acceptance { sink.accepts }
  var parts: Int { 1 }
  var asksForIdentity: Bool { true }

  func open() -> PartialContent? { state.withLock { $0.content } }

  func empty() async throws {
    state.withLock { $0 = (nil, 0) }
    try await sink.empty()
  }

  /// Bytes that a sink has taken cannot be kept beside other content.
  func replace(_ kept: PartialContent) async throws { try await empty() }
  var older: PartialContent? { nil }
  func goBack() -> PartialContent? { nil }

  func keep(_ content: PartialContent) { state.withLock { $0.content = content } }

  func write(_ bytes: Bytes, at position: Int64) async throws {
    try await sink.write(bytes)
    state.withLock { $0.written += Int64(bytes.count) }
  }

  func finish(_ response: Response, _ content: PartialContent) async throws -> Sink.Output {
    try await sink.finish(response.head)
  }

  func close(_ content: PartialContent?) async {
    let isOurs = state.withLock { state in
      state.content = content
      return content.map { $0.count == state.written } ?? true
    }
    // What a sink has taken cannot be taken back in part.
    if !isOurs { await discard() }
  }

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
