import HTTPTypes
import StagecoachCore
import StagecoachStages
import Synchronization

/// Fetches the content of a response into a store, and goes on from what is there when it was interrupted.
final class ResumableWork<Store: PartialStore>: TransferWork {
  /// How a reply ended.
  enum Reply: Sendable {
    /// The content is complete, and this is the outcome.
    case finished(Store.Output)
    /// The reply ended, and other parts are missing or under way.
    case more
    /// The received part is unusable, for this reason; the content is fetched from the start.
    case anew(String)
  }

  /// The maximum number of times that an attempt begins anew, because the content changes while it is fetched.
  private static var mostRestarts: Int { 3 }

  let client: Client
  let request: Request
  let store: Store
  let content: RequestContent?
  /// Whether the request was sent before, so that sending it again is a repetition.
  let wasSent: Atomic<Bool>

  /// - Parameter wasSent: Whether the work is restored from an archive, and was sent before.
  init(
    _ client: Client,
    _ request: Request,
    _ content: RequestContent?,
    _ store: Store,
    wasSent: Bool = false
  ) {
    self.wasSent = Atomic(wasSent)
    self.client = client
    self.request = request
    self.content = content
    self.store = store
  }

  func renewed() throws -> any TransferWork<Store.Output> {
    guard request.body.isAvailable else { throw bodyIsSpent }
    return ResumableWork(client, request, content, store.renewed())
  }

  func discard() async { await store.discard() }

  func run(_ report: TransferReport) async throws -> Store.Output {
    let tracker: ContentTracker
    do {
      tracker = ContentTracker(try await store.open())
    } catch {
      throw ExchangeError.wrapping(error, as: .file, stage: store.name, request: request)
    }
    do {
      return try await fetch(tracker, report)
    } catch {
      await store.close(tracker.content)
      throw error
    }
  }

  // MARK: The whole

  private func fetch(_ tracker: ContentTracker, _ report: TransferReport) async throws -> Store.Output {
    var restarts = 0
    var reason: String?
    while true {
      var reply: Reply
      if reason == nil, let kept = tracker.content, canContinue(kept) {
        report.meter.begin(at: kept.count, of: kept.total)
        reply = try await fetchRest(of: kept, tracker, report)
      } else {
        reply = try await fetchAnew(tracker, report, because: reason)
        reason = nil
      }
      if case .more = reply, tracker.content?.validator == nil {
        reply = .anew("the server sent a part, and nothing to ask for the rest by")
      }
      switch reply {
      case .finished(let output): return output
      case .more: continue
      case .anew(let why):
        restarts += 1
        guard restarts <= Self.mostRestarts else {
          throw failure(.protocolViolation, "the content could not be fetched in one version: \(why)", report)
        }
        if let older = try await store.goBack() {
          tracker.begin(older)
          report.meter.begin(at: older.count, of: older.total, isAnew: true)
        } else {
          reason = why
        }
      }
    }
  }

  /// Whether the rest of what is there can be asked for. It has a validator only if the request could have a Range.
  private func canContinue(_ kept: PartialContent) -> Bool {
    kept.count > 0 && kept.validator != nil && Self.isRangeable(request)
  }

  /// Whether a request may have a Range.
  static func isRangeable(_ request: Request) -> Bool {
    request.method == .get && request.body.isEmpty && !request.fields.contains(.range)
      && !request.fields.contains(.ifRange)
  }

  private func fetchAnew(
    _ tracker: ContentTracker,
    _ report: TransferReport,
    because reason: String?
  ) async throws -> Reply {
    if wasSent.exchange(true, ordering: .relaxed) {
      guard request.isIdempotent else {
        throw failure(
          .policy,
          "a \(request.method.rawValue) request cannot go on where it stopped, and is not sent a second time",
          report,
          advice: "set options.isIdempotent if sending it twice does no harm"
        )
      }
      guard request.body.isAvailable else { throw bodyIsSpent }
    }
    // What could be continued stays until there is something better.
    if let kept = tracker.content, !canContinue(kept) {
      tracker.clear()
      try await store.empty()
    }
    return try await send(request, part: nil, tracker, report, because: reason)
  }

  // MARK: Parts

  private func fetchRest(
    of kept: PartialContent,
    _ tracker: ContentTracker,
    _ report: TransferReport
  ) async throws -> Reply {
    var open = kept.spans.indices.filter { !kept.spans[$0].isComplete }
    // Whether something follows is for the server to say, also if all is there that was expected.
    if open.isEmpty { open = [kept.spans.count - 1] }
    guard store.parts > 1, open.count > 1 else {
      for index in open {
        let reply = try await fetchPart(index, tracker, report)
        if case .more = reply { continue }
        return reply
      }
      return .more
    }
    return try await fetchParts(open, tracker, report, beside: nil)
  }

  func send(
    _ request: Request,
    part: Int?,
    _ tracker: ContentTracker,
    _ report: TransferReport,
    because reason: String?
  ) async throws -> Reply {
    var request = request
    if store.asksForIdentity, !request.fields.contains(.acceptEncoding) {
      request.fields[.acceptEncoding] = "identity"
    }
    if store.keepsCoding { request.options.keepsContentCoding = true }
    request.options.monitors += [RequestBodyMeter(report.meter)]
    let capture = RequestContent((), RequestCapture(report))
    let reader = ReplyReader(work: self, part: part, tracker: tracker, report: report, reason: reason)
    do {
      return try await client.value(for: request, sending: content?.and(capture) ?? capture, as: reader)
    } catch let error as ExchangeError where error.kind == .status && part != nil {
      // The validation stage refused what the question for a part explains.
      guard let head = error.response, [412, 416].contains(head.status.code),
        let reply = try await reader.judge(refused: head)
      else { throw error }
      return reply
    }
  }

  // MARK: Errors

  func failure(
    _ kind: ExchangeError.Kind,
    _ message: String,
    _ report: TransferReport,
    advice: String? = nil
  ) -> any Error {
    ExchangeError.wrapping(
      ExchangeError(kind, message, advice: advice),
      stage: store.name,
      request: report.request ?? request,
      response: report.response
    )
  }

  private var bodyIsSpent: ExchangeError {
    var error = ExchangeError(
      .bodyNotReplayable,
      "the transfer sends its content again, which can be sent only once",
      advice: "create the body with .bytes, .file or .stream, which can be sent again"
    )
    error.stage = store.name
    return error
  }
}

/// Keeps the request of an attempt, whose exchange gets the events of the transfer.
private struct RequestCapture: RequestSerializer {
  let report: TransferReport

  init(_ report: TransferReport) {
    self.report = report
  }

  func serialize(_ input: Void, into request: inout Request) {
    report.request = request
  }
}

/// Counts the bytes of the request's content.
private struct RequestBodyMeter: EventMonitor {
  let meter: ProgressMeter

  init(_ meter: ProgressMeter) {
    self.meter = meter
  }

  func receive(_ event: Event) {
    if case .requestBodyProgress(let bytes, let total) = event.kind { meter.sent(bytes, of: total) }
  }
}
