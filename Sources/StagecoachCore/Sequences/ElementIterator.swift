package import HTTPTypes

/// Makes elements of the bytes of a body.
package protocol ElementDecoder {
  associatedtype Element

  /// How many elements came before the one that is being read.
  var index: Int { get }

  /// Hands in the next chunk, once ``next()`` has returned nil.
  mutating func append(_ chunk: Bytes)

  /// The next complete element; nil if that needs another chunk.
  mutating func next() throws -> Element?

  /// The element that the end of the body completes, if there is one.
  mutating func finish() throws -> Element?

  /// Whether ``finish()`` has more to give.
  var hasRest: Bool { get }
}

extension ElementDecoder {
  package var hasRest: Bool { false }
}

/// Pulls elements out of a body, chunk by chunk, at the pace of the reader.
///
/// The transfer is cancelled when the last copy goes away before the end, and when an element is refused.
package struct ElementIterator<Decoder: ElementDecoder> {
  package private(set) var decoder: Decoder
  private var chunks: Response.Body.AsyncIterator
  private let transfer: Transfer
  private var isDone = false
  private var hasEnded = false

  package init(_ source: ElementSource, _ decoder: Decoder) {
    self.decoder = decoder
    (transfer, chunks) = Transfer.claim(source)
  }

  /// The next element, nil at the end and after an error.
  package mutating func next() async throws -> Decoder.Element? {
    guard !isDone else { return nil }
    do {
      while true {
        try Task.checkCancellation()
        if hasEnded { return try finish() }
        if let element = try decoder.next() { return element }
        let chunk: Bytes?
        do {
          chunk = try await chunks.next()
        } catch {
          // The body has wrapped it already.
          isDone = true
          throw BodyFailure(error: error)
        }
        guard let chunk else {
          hasEnded = true
          return try finish()
        }
        decoder.append(chunk)
      }
    } catch let failure as BodyFailure {
      throw failure.error
    } catch {
      isDone = true
      throw transfer.end(with: error, index: decoder.index)
    }
  }

  private mutating func finish() throws -> Decoder.Element? {
    let element = try decoder.finish()
    isDone = !decoder.hasRest
    return element
  }

  private struct BodyFailure: Error {
    let error: any Error
  }
}

/// A body to be read element by element, and what errors about it tell.
package struct ElementSource: Sendable {
  package let body: Response.Body
  package let stage: String
  package let request: Request?
  package let response: HTTPResponse?

  package init(_ response: Response, stage: String) {
    body = response.body
    self.stage = stage
    request = response.request
    self.response = response.head
  }

  /// A body that is that of no response.
  package init(_ body: Response.Body, stage: String) {
    self.body = body
    self.stage = stage
    request = nil
    response = nil
  }
}

/// The right to read a body: letting go of it ends the transfer.
private final class Transfer: Sendable {
  private let source: ElementSource
  private let isReader: Bool

  private init(_ source: ElementSource, isReader: Bool) {
    self.source = source
    self.isReader = isReader
  }

  static func claim(_ source: ElementSource) -> (Transfer, Response.Body.AsyncIterator) {
    guard case .stream(let stream) = source.body.storage else {
      return (Transfer(source, isReader: true), source.body.makeAsyncIterator())
    }
    // A second reader is refused, and must not end the transfer of the first.
    let isFirst = stream.claim()
    return (Transfer(source, isReader: isFirst), .init(state: .stream(stream, isFirst: isFirst)))
  }

  deinit {
    if isReader { source.body.cancel() }
  }

  /// Ends the transfer because an element was refused, and tells who observes.
  func end(with error: any Error, index: Int) -> any Error {
    let wrapped = wrap(error, index: index)
    if !(wrapped is CancellationError) {
      source.request?.emit(.serializationFailed(source.stage, wrapped))
    }
    if case .stream(let stream) = source.body.storage, isReader {
      stream.cancel(.cancelled, failure: wrapped)
    }
    return wrapped
  }

  private func wrap(_ error: any Error, index: Int) -> any Error {
    var error = error
    if let overflow = error as? ByteSplitter.Overflow {
      error = overflow.start.withUnsafeBytes {
        ElementError(.tooLarge(limit: overflow.limit), index: index, offset: overflow.offset, bytes: $0)
      }
    }
    if let element = error as? ElementError { error = element.asExchangeError }
    guard let request = source.request else {
      guard var ours = error as? ExchangeError else { return error }
      if ours.stage.isEmpty { ours.stage = source.stage }
      ours.response = ours.response ?? source.response.map { Redaction.head($0) }
      return ours
    }
    return ExchangeError.wrapping(
      error,
      as: .serialization,
      stage: source.stage,
      request: request,
      response: source.response
    )
  }
}
