#if AsyncHTTPClient
  import HTTPTypes
  import Stagecoach
  import Synchronization

  /// Reads another source, and lets a closure change what comes from it.
  final class ChangedSource: BodySource {
    typealias Change = @Sendable (any BodySource) async throws -> Bytes?

    private let source: any BodySource
    private let change: Change

    init(_ source: any BodySource, _ change: @escaping Change) {
      self.source = source
      self.change = change
    }

    func next() async throws -> Bytes? { try await change(source) }

    var trailers: HTTPFields? { source.trailers }

    func cancel() { source.cancel() }
  }

  /// A response body as a source.
  final class ResponseSource: BodySource {
    private let body: Response.Body
    private let iterator: Mutex<Response.Body.AsyncIterator>

    init(_ body: Response.Body) {
      self.body = body
      iterator = Mutex(body.makeAsyncIterator())
    }

    func next() async throws -> Bytes? {
      // One reader at a time.
      var iterator = iterator.withLock { $0 }
      let chunk = try await iterator.next()
      self.iterator.withLock { [iterator] in $0 = iterator }
      return chunk
    }

    var trailers: HTTPFields? { body.trailers }

    func cancel() { body.cancel() }
  }

  extension Response.Body {
    /// The body with its chunks read by a closure; its length stays.
    func reading(_ change: @escaping ChangedSource.Change) -> Response.Body {
      Response.Body(source: ChangedSource(ResponseSource(self), change), length: length)
    }

    /// The body with each chunk changed, which is given with its offset.
    func mapped(_ change: @escaping @Sendable (Bytes, Int) -> Bytes) -> Response.Body {
      let offset = Counting()
      return reading { try await ChangedSource.changed($0, offset, change) }
    }
  }

  extension ChangedSource {
    /// The next chunk, changed.
    static func changed(
      _ source: any BodySource,
      _ offset: Counting,
      _ change: (Bytes, Int) -> Bytes
    ) async throws -> Bytes? {
      guard let chunk = try await source.next() else { return nil }
      return change(chunk, offset.add(chunk.count))
    }
  }

  extension Request.Body {
    /// The body as a stream whose chunks are read by a closure.
    ///
    /// - Parameter length: The length that is declared; that of the body by default.
    func reading(length: Int64?? = nil, _ change: @escaping ChangedSource.Change) -> Request.Body {
      let body = self
      return .source(
        length: length ?? self.length,
        isReplayable: isReplayable,
        hasTrailers: hasTrailers
      ) { ChangedSource(try body.makeSource(), change) }
    }

    /// The body with each chunk changed, which is given with its offset.
    func mapped(_ change: @escaping @Sendable (Bytes, Int) -> Bytes) -> Request.Body {
      if let bytes { return .bytes(change(bytes, 0)) }
      let offset = Counting()
      return reading { try await ChangedSource.changed($0, offset, change) }
    }
  }

  /// A number that closures share.
  final class Counting: Sendable {
    private let value = Mutex(0)

    /// Adds to it.
    ///
    /// - Returns: The number before.
    @discardableResult
    func add(_ count: Int = 1) -> Int {
      value.withLock { value in
        defer { value += count }
        return value
      }
    }
  }

  /// A source without its trailer fields.
  final class Untrailed: BodySource {
    private let source: any BodySource

    init(_ source: any BodySource) {
      self.source = source
    }

    func next() async throws -> Bytes? { try await source.next() }

    func cancel() { source.cancel() }
  }

  /// A chunk that is kept back.
  final class Held: Sendable {
    private let chunk = Mutex<Bytes?>(nil)

    func put(_ bytes: Bytes?) { chunk.withLock { $0 = bytes } }

    func take() -> Bytes? {
      chunk.withLock { chunk in
        defer { chunk = nil }
        return chunk
      }
    }

    /// The chunks of a source but for the last one.
    func allButTheLast(of source: any BodySource) async throws -> Bytes? {
      let first = if let held = take() { held as Bytes? } else { try await source.next() }
      guard let first, let next = try await source.next() else { return nil }
      put(next)
      return first
    }

    /// The chunks of a source, each in two parts if it has two bytes.
    func halves(of source: any BodySource) async throws -> Bytes? {
      if let rest = take() { return rest }
      guard let chunk = try await source.next() else { return nil }
      guard chunk.count > 1 else { return chunk }
      put(chunk.dropFirst(chunk.count / 2))
      return chunk.prefix(chunk.count / 2)
    }
  }

  extension Bytes {
    /// The bytes with one of them changed, if they have so many.
    func flipped(at index: Int) -> Bytes {
      guard index >= 0, index < count else { return self }
      var bytes = array
      bytes[index] ^= 1
      return Bytes(bytes)
    }
  }

  /// The first of the values that it is given, whatever comes later.
  final class FirstValue<Value: Sendable>: Sendable {
    private let first = Mutex<Value?>(nil)

    func value(_ value: Value) -> Value {
      first.withLock { first in
        let kept = first ?? value
        first = kept
        return kept
      }
    }
  }
#endif
