import StagecoachCore

/// The elements of a body, read as they arrive: lines, JSON values, server-sent events, records of XML.
///
/// The body is read once, at the pace of the reader: a second iterator is refused. Leaving the loop before the end
/// cancels the transfer. A refused element is an ``ExchangeError`` with an underlying ``ElementError``, which has its
/// index and position.
///
/// ```swift
/// for try await line in try await client.get("log", as: .lines) where line.hasPrefix("E") {
///   print(line)
/// }
/// ```
public struct BodyElements<Element: Sendable>: AsyncSequence, Sendable {
  package let source: ElementSource
  private let makeDecoder: @Sendable () -> (any ElementDecoder<Element>, next: () throws -> Element?)

  /// - Parameter makeDecoder: Makes the decoder of an iterator.
  package init<Decoder: ElementDecoder & SendableMetatype>(
    _ source: ElementSource,
    _ makeDecoder: @escaping @Sendable () -> Decoder
  ) where Decoder.Element == Element {
    self.source = source
    self.makeDecoder = {
      let box = DecoderBox(makeDecoder())
      // A closure made here is compiled for the one decoder, a call by way of the protocol is not.
      return (box, { try box.next() })
    }
  }

  /// An iterator that reads the body.
  public func makeAsyncIterator() -> AsyncIterator {
    let (decoder, next) = makeDecoder()
    return AsyncIterator(source, decoder, next)
  }

  /// An iterator over the elements of a body.
  ///
  /// The transfer is cancelled when the last copy is released before the end, and when an element is refused.
  public struct AsyncIterator: AsyncIteratorProtocol {
    package private(set) var decoder: any ElementDecoder<Element>
    @usableFromInline let nextElement: () throws -> Element?
    private var chunks: Response.Body.AsyncIterator
    private let transfer: Transfer
    @usableFromInline var isDone = false
    @usableFromInline var hasEnded = false

    fileprivate init(
      _ source: ElementSource,
      _ decoder: any ElementDecoder<Element>,
      _ nextElement: @escaping () throws -> Element?
    ) {
      self.decoder = decoder
      self.nextElement = nextElement
      (transfer, chunks) = Transfer.claim(source)
    }

    /// Returns the next element; `nil` at the end and after an error.
    ///
    /// - Throws: ``ExchangeError``; `CancellationError` if the task is cancelled.
    @inlinable
    public mutating func next() async throws -> Element? {
      // Inlinable, so that the common case, an element that has arrived, is compiled for the type of the element.
      if !hasEnded, !isDone, !Task.isCancelled {
        do {
          if let element = try nextElement() { return element }
        } catch {
          throw refuse(error)
        }
      }
      return try await readOn()
    }

    @usableFromInline
    mutating func readOn() async throws -> Element? {
      guard !isDone else { return nil }
      do {
        while true {
          try Task.checkCancellation()
          if hasEnded { return try finish() }
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
          if let element = try nextElement() { return element }
        }
      } catch let failure as BodyFailure {
        throw failure.error
      } catch {
        throw refuse(error)
      }
    }

    /// Ends the transfer because of an element.
    @usableFromInline
    mutating func refuse(_ error: any Error) -> any Error {
      isDone = true
      return transfer.end(with: error, index: decoder.index)
    }

    private mutating func finish() throws -> Element? {
      let element = try decoder.finish()
      isDone = !decoder.hasRest
      return element
    }
  }
}

private struct BodyFailure: Error {
  let error: any Error
}

/// The right to read a body. Releasing it ends the transfer.
private final class Transfer: Sendable {
  private let source: ElementSource
  private let isReader: Bool

  private init(_ source: ElementSource, isReader: Bool) {
    self.source = source
    self.isReader = isReader
  }

  static func claim(_ source: ElementSource) -> (Transfer, Response.Body.AsyncIterator) {
    // A second reader is refused, and must not end the transfer of the first.
    let (iterator, isFirst) = source.body.claim()
    return (Transfer(source, isReader: isFirst), iterator)
  }

  deinit {
    if isReader { source.body.cancel() }
  }

  /// Ends the transfer because an element was refused, and emits that.
  func end(with error: any Error, index: Int) -> any Error {
    let wrapped = wrap(error, index: index)
    if !(wrapped is CancellationError) {
      source.request?.emit(.serializationFailed(source.stage, wrapped))
    }
    if isReader { source.body.cancel(becauseOf: wrapped) }
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
