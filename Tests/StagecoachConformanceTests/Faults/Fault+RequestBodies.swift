#if AsyncHTTPClient
  import HTTPTypes
  import Stagecoach

  extension Fault {
    /// The content of requests.
    static let requestBodies: [Fault] = [
      .requestBody(
        "the first octet sent is changed",
        noticedBy: ["024": "the body is \"iello\"", "025": "the body is"]
      ) {
        body in body.mapped { chunk, offset in chunk.flipped(at: -offset) }
      },
      .requestBody(
        "an octet behind the first 64 KiB sent is changed",
        noticedBy: [
          "024": "with PUT: request 0: the body is", "031": "the byte at offset 70000 is another one",
        ]
      ) { body in body.mapped { chunk, offset in chunk.flipped(at: 70_000 - offset) } },
      .requestBody(
        "an octet behind the first MiB sent is changed",
        noticedBy: ["031": "the byte at offset 2000000 is another one"]
      ) { body in body.mapped { chunk, offset in chunk.flipped(at: 2_000_000 - offset) } },
      .requestBody(
        "two chunks of a large body change places",
        noticedBy: ["031": "the byte at offset 1048576 is another one"]
      ) { body in
        guard let length = body.length, length > 4 << 20 else { return body }
        return body.swapping(at: 1 << 20)
      },
      .requestBody("the last chunk of unknown length is not sent", noticedBy: ["025": "the body is \"he\""]) {
        body in
        guard body.length == nil else { return body }
        let held = Held()
        return body.reading { try await held.allButTheLast(of: $0) }
      },
      .requestBody(
        "content of unknown length is sent with Content-Length",
        noticedBy: ["025": "has the values []"]
      ) {
        body in
        guard body.length == nil else { return body }
        return .bytes(try await body.collected())
      },
      .requestBody(
        "content of known length is sent in chunks",
        noticedBy: ["024": "in memory: request 0: Content-Length has the values []"]
      ) { body in
        body.length == 0 ? body : body.reading(length: .some(nil)) { try await $0.next() }
      },
      .requestBody(
        "a POST without content is sent in chunks",
        noticedBy: ["023": "none: request 0: Content-Length has the values []"]
      ) { body in
        guard body.isEmpty else { return body }
        return .stream(length: nil) { AsyncStream<Bytes> { $0.finish() } }
      },
      .requestBody("chunks are joined in pairs", noticedBy: ["026c": "the chunks are [\"abc\""]) { body in
        body.reading { source in
          guard let first = try await source.next() else { return nil }
          guard let second = try await source.next() else { return first }
          return Bytes(first.array + second.array)
        }
      },
      .requestBody("chunks are cut in two", noticedBy: ["026c": "the chunks are [\"a\", \"b\", \"c\""]) {
        body in
        let rest = Held()
        return body.reading { try await rest.halves(of: $0) }
      },
      .requestBody("trailer fields are not sent", noticedBy: ["033c": "the trailers are []"]) { body in
        guard body.hasTrailers else { return body }
        return .source(length: nil, isReplayable: true) { Untrailed(try body.makeSource()) }
      },
      .requestBody(
        "content that is too short is sent in chunks",
        noticedBy: ["028": "did not end"],
        within: .seconds(2)
      ) { body in
        body.reading(length: .some(nil)) { source in
          do { return try await source.next() } catch { return nil }
        }
      },
      .requestBody(
        "content that is too long is cut",
        noticedBy: ["029": "did not end"],
        within: .seconds(2)
      ) { body in
        guard let length = body.length else { return body }
        let seen = Counting()
        return body.reading(length: .some(nil)) { source in
          do {
            guard let chunk = try await source.next() else { return nil }
            return chunk.prefix(max(0, Int(length) - seen.add(chunk.count)))
          } catch {
            return nil
          }
        }
      },
      .requestBody("a producer that fails ends the body", noticedBy: ["030": "it fails with connectionReset"])
      { body in
        body.reading { source in
          do { return try await source.next() } catch { return nil }
        }
      },
      .requestBody("the failure of a producer is lost", noticedBy: ["030": "over nothing"]) { body in
        body.reading { source in
          do { return try await source.next() } catch { throw ExchangeError(.requestBody, "it failed") }
        }
      },
      .requestBody(
        "a body is collected before it is sent",
        noticedBy: ["032": "were pulled while"],
        within: .seconds(20)
      ) {
        body in .bytes(try await body.collected())
      },
      .sending(
        "a body that exists once is kept for the next time",
        noticedBy: ["038": "it was answered with"]
      ) {
        parts in
        let kept = Held()
        return { request in
          var request = request
          let body = if let bytes = kept.take() { bytes } else { try await request.body.collected() }
          kept.put(body)
          request.body = .bytes(body)
          return try await parts.inner.send(request)
        }
      },
      .sending(
        "a response waits for the end of its request",
        noticedBy: ["035": "did not end"],
        within: .seconds(3)
      ) {
        parts in
        { request in
          var request = request
          request.body = .bytes(try await request.body.collected())
          return try await parts.inner.send(request)
        }
      },
    ]

    private static func requestBody(
      _ name: String,
      noticedBy checks: KeyValuePairs<String, String>,
      within patience: Duration = .seconds(60),
      _ change: @escaping @Sendable (Request.Body) async throws -> Request.Body
    ) -> Fault {
      sending(name, noticedBy: checks, within: patience) { parts in
        { request in
          var request = request
          request.body = try await change(request.body)
          return try await parts.inner.send(request)
        }
      }
    }
  }

  extension Request.Body {
    fileprivate func collected() async throws -> Bytes {
      if let bytes { return bytes }
      var all: [UInt8] = []
      let source = try makeSource()
      while let chunk = try await source.next() { all += chunk.array }
      return Bytes(all)
    }

    /// The chunk at an offset goes after the one that follows it.
    fileprivate func swapping(at place: Int) -> Request.Body {
      let offset = Counting()
      let held = Held()
      return reading { source in
        if let late = held.take() { return late }
        guard let chunk = try await source.next() else { return nil }
        guard offset.add(chunk.count) == place, let next = try await source.next() else { return chunk }
        offset.add(next.count)
        held.put(chunk)
        return next
      }
    }
  }
#endif
