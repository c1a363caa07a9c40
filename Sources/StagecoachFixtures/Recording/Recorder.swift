import HTTPTypes
public import StagecoachCore
import StagecoachFormats

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A stage that writes each exchange to a scenario folder, just as it passes.
///
/// Put it above the transport: it records each hop, each challenge and each attempt. Bodies pass at once; a copy is kept
/// up to a limit. Credentials, cookies, tokens and other secrets are replaced by placeholders before anything is written.
///
/// Recorded again over itself, an unchanged service changes nothing: times, dates, instants, UUIDs, nonces, request
/// identifiers, chunks and boundaries stay as they were, and so do rules and other parts that were written by hand.
///
/// ```swift
/// import Stagecoach
/// import StagecoachFixtures
///
/// let recorder = Recorder(folder: "Fixtures/users/get-user")
/// let client = try Client(base: "https://api.example.com/") { transport in
///   Pipeline.standard(over: Pipeline(over: transport) { recorder })
/// }
/// let user = try await client.get("users/42", as: .text)
/// try await recorder.finish()
/// ```
public final class Recorder: Middleware {
  /// When the folder is written.
  public enum Commit: Sendable, Hashable {
    /// After each exchange that ended.
    case eachExchange
    /// By ``Recorder/finish()`` alone, for instance after a test that passed.
    case finish
  }

  private let store: RecordingStore
  private let calls = ExchangeState(RecordedCall())
  private let bodyLimit: Int

  /// Creates a recorder.
  ///
  /// - Parameters:
  ///   - folder: The folder of the scenario. Exchanges that it holds and that do not come again are removed.
  ///   - title: The title of the scenario.
  ///   - base: A URL that stands before all targets, such as `https://api.example.com/v1`: the scenario names it once. By
  ///     default the origin of each request.
  ///   - bodyLimit: The number of bytes of a body that are kept, 64 MiB by default and at most. Of a longer one its length is
  ///     recorded.
  ///   - redaction: Which values are secret, in addition to those that are found by themselves.
  ///   - infersRules: Whether members of JSON contents and parameters that differ from the older recording get rules for
  ///     their form: record a service twice to learn them.
  ///   - commit: When the folder is written.
  ///   - onOmission: Is told at once of what is not written, and why: an exchange of which only method and path are, since a
  ///     secret would be written with it; content beyond the limit; a reply that was refused on this side. A replay answers
  ///     the first two with ``ReplayFailure/omitted``.
  public init(
    folder: String,
    title: String? = nil,
    base: String? = nil,
    bodyLimit: Int = 64 << 20,
    redaction: RedactionOptions = RedactionOptions(),
    infersRules: Bool = false,
    commit: Commit = .eachExchange,
    onOmission: @escaping @Sendable (_ text: String) -> Void = { _ in }
  ) {
    self.bodyLimit = min(bodyLimit, Redactor.maxPartSize)
    store = RecordingStore(
      folder: folder,
      title: title,
      base: base,
      redaction: redaction,
      infersRules: infersRules,
      writesEach: commit == .eachExchange,
      onOmission: onOmission
    )
  }

  /// Passes the request on, and records it with its reply once the reply has ended.
  ///
  /// - Throws: What `next` throws, which is recorded as the outcome where the service caused it: a request that was refused
  ///   before it was sent, or a reply that exceeds a limit of the client, is not recorded.
  public func handle(_ request: Request, next: Next) async throws -> Response {
    let start = request.clock.now
    let sent = BodyCopy(limit: bodyLimit, clock: request.clock)
    var request = request
    let recorded = request
    if let bytes = request.body.bytes {
      if !bytes.isEmpty { sent.append(bytes) }
    } else {
      let body = request.body
      request.body = .source(
        length: body.length,
        isReplayable: body.isReplayable,
        hasTrailers: body.hasTrailers
      ) {
        sent.restart()
        return CopyingSource(try body.makeSource(), to: sent) { _ in }
      }
    }
    let position = store.begin(request)
    let cause = request.exchange?.withState(calls) { $0.add(position, hop: recorded.hop) } ?? nil
    let exchange = RecordedExchange(recorded, sent, start: start, position: position, cause: cause)
    request.options.informationalResponseHandler = { head in
      exchange.receive(informational: head)
      recorded.options.informationalResponseHandler?(head)
    }
    do {
      var response = try await next(request)
      request.exchange?.withState(calls) { $0.note(response.status.code, of: position) }
      let received = BodyCopy(limit: bodyLimit, clock: request.clock)
      let (head, arrival) = (response, request.clock.now)
      guard !response.body.isEmpty else {
        store.finish(exchange, exchange.reply(head, at: arrival, nil, Scenario.Outcome(.complete)))
        return response
      }
      let length = response.body.length
      let source = CopyingSource(BodyReader(response.body), to: received) { [store] error in
        let end = error.map { Scenario.Outcome($0) } ?? Scenario.Outcome(.complete)
        if let end {
          store.finish(exchange, exchange.reply(head, at: arrival, received, end))
        } else {
          store.refuse(exchange, because: error)
        }
      }
      response.body = Response.Body(transforming: source, length: length)
      return response
    } catch {
      if let outcome = Scenario.Outcome(error) { store.finish(exchange, exchange.reply(failing: outcome)) }
      throw error
    }
  }

  /// Writes what is not written yet.
  ///
  /// - Returns: What became of the secrets.
  /// - Throws: ``ScenarioError`` if the folder cannot be written, also of an exchange before.
  @discardableResult
  public func finish() async throws -> RedactionSummary {
    try await store.flush()
  }
}
