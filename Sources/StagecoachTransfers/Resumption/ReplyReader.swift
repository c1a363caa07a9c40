import HTTPTypes
import StagecoachCore

/// Reads one reply of a transfer into its store.
struct ReplyReader<Store: PartialStore>: ResponseSerializer {
  typealias Work = ResumableWork<Store>

  /// The length that a part has at least.
  private static var leastPart: Int64 { 1 << 20 }

  let work: Work
  /// The number of the part that was asked for; `nil` for the whole.
  let part: Int?
  let tracker: ContentTracker
  let report: TransferReport
  /// Why the content is fetched anew.
  let reason: String?

  var name: String { work.store.name }
  var accepts: Acceptance { work.store.accepts }

  func serialize(_ response: Response) async throws -> Work.Reply {
    report.response = response.head
    guard let part, let content = tracker.content else {
      return try await readWhole(response, because: reason)
    }
    if ![200, 206, 412, 416].contains(response.status.code) { try check(response) }
    let decision = ReplyDecision(
      response.head,
      length: length(of: response),
      askedFor: content.spans[part],
      of: content
    )
    switch decision {
    case .append:
      tracker.learn(total: response.fields.first(of: .contentRange).flatMap { ContentRange($0) }?.total)
      report.meter.begin(at: content.count, of: tracker.content?.total)
      report.emit(.resumed(at: content.spans[part].next))
      return try await read(response, into: part)
    case .complete: return try await complete(part, response)
    case .anew(let reason):
      response.body.cancel()
      return .anew(reason)
    case .refuse(let reason): throw refusal(reason, response)
    case .whole:
      guard content.spans.count == 1 else {
        response.body.cancel()
        let isSame = content.validator?.isShared(by: response.head) == true
        if isSame { tracker.isSequential = true }
        return .anew(isSame ? "the server sent the whole instead of a part" : "the content changed")
      }
      return try await readWhole(response, because: "the content changed")
    }
  }

  /// Judges a reply that a validation stage refused; `nil` if it was right to.
  func judge(refused head: HTTPResponse) async throws -> Work.Reply? {
    guard let part, let content = tracker.content else { return nil }
    report.response = head
    switch ReplyDecision(head, length: nil, askedFor: content.spans[part], of: content) {
    case .anew(let reason): return .anew(reason)
    case .append, .whole, .refuse: return nil
    case .complete:
      var response = Response(head: head)
      if let request = report.request { response.answer(request) }
      do {
        return try await complete(part, response)
      } catch {
        throw ExchangeError.wrapping(
          error,
          as: .serialization,
          stage: name,
          request: report.request ?? work.request,
          response: head
        )
      }
    }
  }

  // MARK: The whole

  private func readWhole(_ response: Response, because reason: String?) async throws -> Work.Reply {
    try check(response)
    if let kept = tracker.content {
      if let reason = ReplyDecision.refusal(asWhole: response.head, length(of: response), kept) {
        throw refusal(reason, response)
      }
      if let validator = work.store.older?.validator, validator.isComparable(with: response.head),
        validator.isShared(by: response.head)
      {
        response.body.cancel()
        return .anew("the server sent the earlier version again")
      }
      try await work.store.replace(kept)
    }
    let content = content(of: response)
    tracker.begin(content)
    try await work.store.keep(content)
    let isAnew = report.meter.progress.received.bytes > 0
    report.meter.begin(at: 0, of: content.total, isAnew: isAnew)
    report.emit(reason.map(TransferEvent.Kind.restarted) ?? .started)
    guard content.spans.count > 1 else { return try await read(response, into: 0) }
    let others = Array(content.spans.indices.dropFirst())
    return try await work.fetchParts(others, tracker, report) { try await read(response, into: 0) }
  }

  /// Whether the request, with its content, may have a Range, or has one from the transfer.
  private var isRangeable: Bool { part != nil || Work.isRangeable(report.request ?? work.request) }

  /// The length of the content as the store gets it, if it is known.
  private func length(of response: Response) -> Int64? { response.isDecoded ? nil : response.body.length }

  /// The version and length of the content, from the head of its response.
  private func content(of response: Response) -> PartialContent {
    let total = length(of: response)
    let ranges = response.fields[values: .acceptRanges].joined(separator: ",").lowercased()
    let canResume =
      !response.isDecoded && isRangeable && response.status == .ok
      && !ranges.split(separator: ",").contains { $0 == "none" }
    let validator = canResume ? RepresentationValidator(response.head) : nil
    var parts = 1
    if validator != nil, ranges.contains("bytes"), let total, !tracker.isSequential {
      parts = Int(max(1, min(Int64(work.store.parts), total / Self.leastPart)))
    }
    return PartialContent(
      validator: validator,
      total: total,
      digest: response.isDecoded ? nil : response.fields.first(of: .reprDigest),
      coding: response.isDecoded ? nil : ReplyDecision.coding(of: response.head),
      parts: parts
    )
  }

  /// Refuses a response that a chain without validation let pass.
  private func check(_ response: Response) throws {
    if response.status == .partialContent, isRangeable {
      throw ExchangeError(.protocolViolation, "the server sent a part (206), but the whole was asked for")
    }
    let expected = response.request?.options.expectedContent ?? accepts
    guard !expected.accepts(status: response.status.code) else { return }
    throw ExchangeError(.status, "unexpected status \(Format.status(response.status))")
  }

  /// The error of a reply that is neither a part nor the whole of the content.
  private func refusal(_ reason: String, _ response: Response) -> ExchangeError {
    ExchangeError(
      response.status == .ok ? .validation : .status,
      reason,
      advice: "see what the server sends for this URL; what was received before is kept until it is discarded"
    )
  }

  // MARK: Bodies

  private func read(_ response: Response, into part: Int) async throws -> Work.Reply {
    do {
      // A source that waits for its peer may not know of the task.
      return try await withTaskCancellationHandler {
        try await readBody(of: response, into: part)
      } onCancel: {
        response.body.cancel()
      }
    } catch {
      try Task.checkCancellation()
      throw error
    }
  }

  private func readBody(of response: Response, into part: Int) async throws -> Work.Reply {
    guard let span = tracker.span(part) else { return .more }
    let failure = try await withTaskExecutorPreference(work.store.executor) {
      try await write(response, into: part, span)
    }
    try Task.checkCancellation()
    if let failure {
      tracker.rewind(part, to: span.next)
      throw failure.error(of: "the content of the reply")
    }
    if response.status != .partialContent { tracker.end(part) }
    return try await finished(response)
  }

  /// Writes the body of a reply.
  ///
  /// - Returns: How it contradicts its Content-Digest, if it does.
  private func write(_ response: Response, into part: Int, _ span: PartialContent.Span) async throws
    -> ChecksumFailure?
  {
    // The end of the reply, which may come before that of the part, or after it.
    let end =
      response.status == .partialContent
      ? response.fields.first(of: .contentRange).flatMap { ContentRange($0)?.bytes?.upperBound }
      : tracker.content?.total
    let isCut = span.end.map { $0 < end ?? .max } ?? false
    let last = isCut ? span.end : end
    let limit = work.store.limit(for: response.request?.options ?? work.request.options)
    try check(tracker.content?.total ?? 0, limit)
    let expected = response.isDecoded ? nil : response.fields.first(of: .contentDigest)
    var digest = DigestCheck(expected)
    var position = span.next
    for try await chunk in response.body {
      let room = last.map { $0 - position } ?? Int64.max
      guard Int64(chunk.count) <= room || isCut else {
        throw ExchangeError(
          .protocolViolation,
          "the server sent more than the bytes up to \(last ?? 0) that it declared"
        )
      }
      let bytes = Int64(chunk.count) <= room ? chunk : chunk.prefix(Int(room))
      try check(position + Int64(bytes.count), limit)
      try await work.store.write(bytes, at: position)
      digest?.update(bytes)
      position += Int64(bytes.count)
      report.meter.received(more: bytes.count)
      if let content = tracker.advance(part, by: bytes.count) { try await work.store.keep(content) }
      if isCut, position == last {
        // The parts after it are fetched on their own, and the digest is that of the whole reply.
        response.body.cancel()
        return nil
      }
    }
    return digest?.failure
  }

  private func complete(_ part: Int, _ response: Response) async throws -> Work.Reply {
    tracker.end(part)
    return try await finished(response)
  }

  private func finished(_ response: Response) async throws -> Work.Reply {
    guard let content = tracker.claimComplete() else { return .more }
    let output = try await work.store.finish(response, content)
    report.emit(.completed)
    return .finished(output)
  }

  private func check(_ size: Int64, _ limit: (bytes: Int64, option: String)?) throws {
    guard let limit, size > limit.bytes else { return }
    throw ExchangeError.limit(
      .body,
      "the response body is at least \(size) bytes long (limit \(limit.bytes) bytes)",
      advice: "raise options.\(limit.option)",
      limit: (limit.option, "\(limit.bytes) bytes")
    )
  }
}

extension HTTPField.Name {
  /// `Repr-Digest` (RFC 9530 3).
  static let reprDigest = HTTPField.Name("Repr-Digest")!
  /// `Content-Digest` (RFC 9530 2).
  static let contentDigest = HTTPField.Name("Content-Digest")!
}
