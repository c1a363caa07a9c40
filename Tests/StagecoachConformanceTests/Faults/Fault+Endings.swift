#if AsyncHTTPClient
  import Stagecoach

  extension Fault {
    /// Cancellation and shutdown.
    static let cancellation: [Fault] = [
      .sending("a cancelled call fails", noticedBy: ["094b": "it ended with failure"]) { parts in
        { request in
          do {
            return try await parts.inner.send(request)
          } catch is CancellationError {
            throw ExchangeError(.connectionReset, "the call was cancelled")
          }
        }
      },
      .response("a body whose reader is cancelled fails", noticedBy: ["094c": "it ended with failure"]) {
        response in
        response.body = response.body.reading { source in
          do {
            return try await source.next()
          } catch is CancellationError {
            throw ExchangeError(.connectionReset, "the call was cancelled")
          }
        }
      },
      .response("a body whose reader is cancelled ends", noticedBy: ["094c": "it ended with success"]) {
        response in
        response.body = response.body.reading { source in
          do { return try await source.next() } catch is CancellationError { return nil }
        }
      },
      .sending(
        "cancellation is ignored",
        noticedBy: ["094b": "did not end", "094d": "did not end"],
        within: .seconds(2)
      ) { parts in { request in try await Task.detached { try await parts.inner.send(request) }.value } },
      .sending(
        "a cancelled call keeps its connection",
        noticedBy: ["094b": "did not end"],
        within: .seconds(2)
      ) { parts in
        { request in
          let (responses, continuation) = AsyncThrowingStream<Response, any Error>.makeStream()
          Task.detached {
            do {
              continuation.yield(try await parts.inner.send(request))
            } catch {
              continuation.finish(throwing: error)
            }
          }
          for try await response in responses { return response }
          throw CancellationError()
        }
      },
      .request(
        "the body source of a cancelled call is not cancelled",
        noticedBy: ["094d": "did not end"],
        within: .seconds(2)
      ) {
        request in
        let body = request.body
        request.body = .source(length: body.length, isReplayable: false) {
          Uncancelled(try body.makeSource())
        }
      },
      .sending("the request of a cancelled task is sent", noticedBy: ["094a": "it ended with"]) { parts in
        { request in try await Task.detached { try await parts.inner.send(request) }.value }
      },
      .ending("a shutdown does nothing", noticedBy: ["093": "did not end"], within: .seconds(2)) { _ in },
      .ending(
        "a shutdown waits for transfers",
        noticedBy: ["093": "did not end"],
        within: .seconds(2)
      ) { _ in
        try? await Task.sleep(for: .seconds(5))
      },
      .sending("after a shutdown requests are sent", noticedBy: ["093": "did not end"], within: .seconds(2)) {
        parts in
        { request in
          do {
            return try await parts.inner.send(request)
          } catch let error as ExchangeError where error.kind == .shutdown {
            // What was under way fails, as it has to.
            guard error.requestMayHaveBeenSent == nil else { throw error }
            return try await parts.another().send(request)
          }
        }
      },
    ]

    /// Declared capabilities that the transport does not have.
    static let capabilities: [Fault] = [
      .declaring(.reasonPhrases, noticedBy: ["039c": "the reason phrase is"]),
      .declaring(.expectContinue, noticedBy: ["034c": ""]),
      .declaring(.upgrades, noticedBy: ["079c": ""]),
      .declaring(.decodesContent, noticedBy: ["074c": "there is a field Content-Encoding"]),
      .declaring(.pinsChain, noticedBy: ["106d": "no certificate of localhost is pinned"]),
      .declaring(.proxyDigest, noticedBy: ["092e": "Digest for the proxy"]),
      .sending("a request ends where its response begins", noticedBy: ["036c": ""]) { parts in
        { request in
          let answers = Counting()
          var request = request
          request.body = request.body.reading { source in
            guard answers.add(0) == 0 else { throw ExchangeError(.requestBody, "there is a response") }
            return try await source.next()
          }
          let response = try await parts.inner.send(request)
          answers.add()
          return response
        }
      },
    ]

    private static func declaring(
      _ capability: TransportCapabilities,
      noticedBy checks: KeyValuePairs<String, String>
    ) -> Fault {
      var fault = Fault("\(capability) is declared", noticedBy: checks)
      fault.declare = { $0.insert(capability) }
      return fault
    }

    private static func ending(
      _ name: String,
      noticedBy checks: KeyValuePairs<String, String>,
      within patience: Duration,
      _ shutdown: @escaping @Sendable (FaultyTransport.Parts) async -> Void
    ) -> Fault {
      var fault = Fault(name, noticedBy: checks)
      fault.patience = patience
      fault.shutdown = shutdown
      return fault
    }
  }

  /// A source that does not pass a cancellation on.
  private final class Uncancelled: BodySource {
    private let source: any BodySource

    init(_ source: any BodySource) {
      self.source = source
    }

    func next() async throws -> Bytes? { try await source.next() }

    func cancel() {}
  }
#endif
