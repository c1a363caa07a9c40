import HTTPTypes
import StagecoachCore

/// Pulls a response body through a parser: the position that a sequence of parts and their contents share.
actor MultipartReader {
  /// The maximum size and time for reading the epilogue after the closing boundary, which keeps the connection.
  private static let epilogue = (size: 16 * 1024, time: Duration.milliseconds(100))

  private let response: Response
  private var chunks: Response.Body.AsyncIterator
  private var parser: MultipartParser
  /// The part at hand, counted from 1.
  private var number = 0
  private var isInPart = false
  private var isAtEnd = false
  private var isBusy = false

  init(_ response: Response, limits: MultipartLimits) throws(MultipartError) {
    parser = try MultipartParser(mediaType: response.mediaType, limits: limits)
    chunks = response.body.makeAsyncIterator()
    self.response = response
  }

  func nextPart() async throws -> (number: Int, fields: HTTPFields)? {
    try await exclusively {
      while let event = try await self.nextEvent() {
        guard case .partStarted(let fields) = event else { continue }
        return (self.number, fields)
      }
      return nil
    }
  }

  func nextChunk(of number: Int) async throws -> Bytes? {
    try await exclusively {
      guard number == self.number else { throw self.misuse("part \(number) was left for the next part") }
      while self.isInPart, let event = try await self.nextEvent() {
        if case .content(let bytes) = event { return bytes }
      }
      return nil
    }
  }

  /// An actor lets others in while it waits, which would tear a chunk apart between two readers.
  private func exclusively<Value>(_ body: () async throws -> Value) async throws -> Value {
    guard !isBusy else { throw misuse("two tasks read the parts at the same time") }
    isBusy = true
    defer { isBusy = false }
    return try await body()
  }

  private func nextEvent() async throws -> MultipartParser.Event? {
    while true {
      do {
        if let event = try parser.next() {
          await note(event)
          return event
        }
      } catch {
        response.body.cancel()
        throw failure(error)
      }
      guard !isAtEnd else { return nil }
      try await pull()
    }
  }

  private func pull() async throws {
    // A copy, since an actor's property cannot be changed across a suspension; the state is a reference.
    var iterator = chunks
    let chunk = try await iterator.next()
    chunks = iterator
    if let chunk {
      parser.feed(chunk)
    } else {
      isAtEnd = true
      parser.finish()
    }
  }

  private func note(_ event: MultipartParser.Event) async {
    switch event {
    case .partStarted:
      number += 1
      isInPart = true
    case .content: break
    case .partEnded: isInPart = false
    case .ended: await readEpilogue()
    }
  }

  /// Reads the rest of the body, if it is short and comes soon, so that the connection can be used again.
  private func readEpilogue() async {
    let time: any TimeSource = response.request?.clock ?? SystemTime()
    let timer = time.timer(at: time.now.advanced(by: Self.epilogue.time)) { [body = response.body] in
      body.cancel()
    }
    defer { timer.cancel() }
    var left = Self.epilogue.size
    var iterator = chunks
    while left > 0, let chunk = try? await iterator.next() { left -= chunk.count }
    isAtEnd = true
    // Nothing happens if the end was reached.
    response.body.cancel()
  }

  private func misuse(_ what: String) -> any Error {
    ExchangeError(
      .bodyAlreadyRead,
      "\(what) (parts can be read only once, in order, by one task)",
      advice: "read or collect the content of a part before reading the next one"
    )
  }

  private func failure(_ error: MultipartError) -> any Error {
    let ours = ExchangeError.multipart(error)
    guard let request = response.request else { return ours }
    return ExchangeError.wrapping(
      ours,
      stage: "MultipartResponseSerializer",
      request: request,
      response: response.head
    )
  }
}

extension ExchangeError {
  /// Returns the error for a malformed multipart body, or one beyond a limit.
  static func multipart(_ error: MultipartError) -> ExchangeError {
    guard case .limit(let limit, let value) = error else {
      return ExchangeError(
        .serialization,
        "the body is not valid multipart: \(error)",
        advice: "compare Content-Type with the start of the body",
        underlying: error
      )
    }
    return .limit(
      .structure,
      "\(error)",
      advice: "raise limits.\(limit.rawValue) of the serializer if the peer is trusted",
      limit: ("limits.\(limit.rawValue)", "\(value)"),
      underlying: error
    )
  }
}
