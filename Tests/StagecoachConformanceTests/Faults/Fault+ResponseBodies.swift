#if AsyncHTTPClient
  import HTTPTypes
  import Stagecoach
  import Synchronization

  extension Fault {
    /// The content of responses.
    static let responseBodies: [Fault] = [
      .responseBody(
        "the first octet received is changed",
        noticedBy: ["066": "the body is", "082": "the body is"]
      ) {
        body in body.mapped { chunk, offset in chunk.flipped(at: -offset) }
      },
      .responseBody(
        "an octet behind the first 64 KiB received is changed",
        noticedBy: ["071": "the byte at offset 70000 is another one"]
      ) { body in body.mapped { chunk, offset in chunk.flipped(at: 70_000 - offset) } },
      .responseBody(
        "an octet behind the first MiB received is changed",
        noticedBy: ["071": "the byte at offset 2000000 is another one"]
      ) { body in body.mapped { chunk, offset in chunk.flipped(at: 2_000_000 - offset) } },
      .responseBody(
        "two octets of a large body change places",
        noticedBy: ["071": "the byte at offset 70000 is"]
      ) {
        body in
        body.mapped { chunk, offset in
          guard offset <= 70_000, offset + chunk.count > 70_001 else { return chunk }
          var bytes = chunk.array
          bytes.swapAt(70_000 - offset, 70_001 - offset)
          return Bytes(bytes)
        }
      },
      .responseBody("the last octet is lost", noticedBy: ["066": "the body is", "058b": "the length"]) {
        body in
        let held = Held()
        return body.reading { source in
          if let last = try await held.allButTheLast(of: source) { return last }
          guard let chunk = held.take(), chunk.count > 1 else { return nil }
          return chunk.prefix(chunk.count - 1)
        }
      },
      .responseBody("the last chunk is lost", noticedBy: ["066": "the body is"]) { body in
        let held = Held()
        return body.reading { try await held.allButTheLast(of: $0) }
      },
      .responseBody("the first chunk comes twice", noticedBy: ["066": "the body is"]) { body in
        let held = Held()
        let isFirst = Counting()
        return body.reading { source in
          if let again = held.take() { return again }
          let chunk = try await source.next()
          if isFirst.add() == 0 { held.put(chunk) }
          return chunk
        }
      },
      .responseBody("an empty chunk comes before the end", noticedBy: ["066": "a chunk of the body is empty"])
      {
        body in
        let ends = Counting()
        return body.reading { source in
          if let chunk = try await source.next() { return chunk }
          return ends.add() == 0 ? Bytes() : nil
        }
      },
      .sending(
        "a response has the body of the one before",
        noticedBy: ["084": "the next body is", "110": "got /token-"]
      ) {
        parts in
        let last = Held()
        return { request in
          var response = try await parts.inner.send(request)
          let body = try await response.body.collect(upTo: 16 << 20)
          response.body = .bytes(last.take() ?? body)
          last.put(body)
          return response
        }
      },
      .responseBody(
        "the length of a body is missing",
        noticedBy: ["058b": "the length is unknown, expected 5"]
      ) {
        body in
        let source = ChangedSource(ResponseSource(body)) { try await $0.next() }
        return Response.Body(source: source)
      },
      .responseBody(
        "the length of a body is one too many",
        noticedBy: ["058b": "has the length 6", "066": "length"]
      ) {
        body in
        let source = ChangedSource(ResponseSource(body)) { try await $0.next() }
        return Response.Body(source: source, length: body.length.map { $0 + 1 })
      },
      .responseBody(
        "an unknown length is 0",
        noticedBy: ["058b": "chunks: a body of 5 bytes has the length 0"]
      ) {
        body in
        let source = ChangedSource(ResponseSource(body)) { try await $0.next() }
        return Response.Body(source: source, length: body.length ?? 0)
      },
      .responseBody("trailer fields are not delivered", noticedBy: ["080c": "the trailers are []"]) {
        body in
        Response.Body(source: Untrailed(ResponseSource(body)), length: body.length)
      },
      .response("trailer fields become fields of the head", noticedBy: ["080c": "there is a field X-Sum"]) {
        response in
        var bytes: [UInt8] = []
        for try await chunk in response.body { bytes += chunk.array }
        response.fields.append(contentsOf: response.body.trailers ?? [:])
        response.body = .bytes(Bytes(bytes))
      },
      .response(
        "a body is collected before the response is returned",
        noticedBy: ["097c": "it was no response"]
      ) { response in response.body = .bytes(try await response.body.collect(upTo: 1 << 30)) },
      .responseBody(
        "a body is read ahead without a limit",
        noticedBy: ["101": "bytes were sent while the reader paused"]
      ) {
        body in
        let source = ResponseSource(body)
        let chunks = AsyncThrowingStream<Bytes, any Error> { continuation in
          let task = Task {
            do {
              while let chunk = try await source.next() { continuation.yield(chunk) }
              continuation.finish()
            } catch {
              continuation.finish(throwing: error)
            }
          }
          continuation.onTermination = { _ in task.cancel() }
        }
        return Response.Body(chunks, length: body.length)
      },
      .responseBody(
        "a body that is dropped is not cancelled",
        noticedBy: ["084b": "did not end", "096": "did not end"],
        within: .seconds(3)
      ) { body in
        // Its reader keeps it alive.
        let source = ResponseSource(body)
        return Response.Body(source: Undying(source), length: body.length)
      },
    ]

    private static func responseBody(
      _ name: String,
      noticedBy checks: KeyValuePairs<String, String>,
      within patience: Duration = .seconds(60),
      _ change: @escaping @Sendable (Response.Body) -> Response.Body
    ) -> Fault {
      response(name, noticedBy: checks, within: patience) { $0.body = change($0.body) }
    }

    /// The ends of bodies, and malformed messages.
    static let framing: [Fault] = [
      .end(
        "a body that ends before its length is complete",
        noticedBy: ["055": "a body of 3 bytes has the length 10"]
      ) {
        _ in nil
      },
      .end("a body that ends before its last chunk is complete", noticedBy: ["063": "expected a failure"]) {
        _ in nil
      },
      .end("a body that breaks under TLS is complete", noticedBy: ["057": "it was 200, 3 bytes"]) { _ in nil
      },
      .end("a malformed chunk ends the body", noticedBy: ["062": "expected a failure"]) { _ in nil },
      .end(
        "an incomplete body is reported as protocolViolation",
        noticedBy: ["055": "protocolViolation", "063": "protocolViolation"]
      ) {
        throw ExchangeError(.protocolViolation, $0.message)
      },
      .response(
        "what came before a failure is lost",
        noticedBy: ["055": "expected", "097c": "it was 200, 0 bytes"]
      ) {
        response in
        // All of the body, before any of it.
        response.body = response.body.reading { source in
          var bytes: [UInt8] = []
          while let chunk = try await source.next() { bytes += chunk.array }
          return bytes.isEmpty ? nil : Bytes(bytes)
        }
      },
      .violation("an invalid status code becomes 502", noticedBy: ["042": "expected a failure"]),
      .violation("an invalid version is accepted", noticedBy: ["045": "expected a failure"]),
      .violation("a malformed field is ignored", noticedBy: ["048": "expected a failure"]),
      .violation("conflicting lengths are ignored", noticedBy: ["059": "expected a failure"]),
      .violation("an invalid length is ignored", noticedBy: ["060": "expected a failure"]),
      .violation(
        "an unknown transfer coding is ignored",
        noticedBy: ["065": "expected a failure"]
      ),
      .violation("another protocol is accepted", noticedBy: ["044": "expected a failure"]),
    ]

    /// A fault in how bodies fail.
    private static func end(
      _ name: String,
      noticedBy checks: KeyValuePairs<String, String>,
      _ change: @escaping @Sendable (ExchangeError) throws -> Bytes?
    ) -> Fault {
      response(name, noticedBy: checks) { response in
        response.body = response.body.reading { source in
          do { return try await source.next() } catch let error as ExchangeError { return try change(error) }
        }
      }
    }

    /// A fault in what is made of a head that is malformed.
    private static func violation(_ name: String, noticedBy checks: KeyValuePairs<String, String>) -> Fault {
      sending(name, noticedBy: checks) { parts in
        { request in
          do {
            return try await parts.inner.send(request)
          } catch let error as ExchangeError where [.protocolViolation, .unsupported].contains(error.kind) {
            return Response(.badGateway)
          }
        }
      }
    }
  }

  /// A source that cannot be cancelled, and is kept by its own reader until it ends.
  private final class Undying: BodySource {
    private let source: any BodySource
    private let keeper: Mutex<Undying?> = Mutex(nil)

    init(_ source: any BodySource) {
      self.source = source
      keeper.withLock { $0 = self }
    }

    func next() async throws -> Bytes? {
      let chunk = try await source.next()
      if chunk == nil { keeper.withLock { $0 = nil } }
      return chunk
    }

    func cancel() {}
  }
#endif
