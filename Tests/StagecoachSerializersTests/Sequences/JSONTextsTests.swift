import Foundation
import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct JSONTextsTests {
  struct User: Decodable, Sendable, Equatable {
    var name: String
  }

  @Test(
    arguments: [
      ("", []), ("\n\r\n \t\n", []), ("1", [1]), ("1\n2\n", [1, 2]), ("1\r\n2\r\n3", [1, 2, 3]),
      ("\n\n1\n \n\n2 \n", [1, 2]), ("\u{FEFF}1\n2", [1, 2]), ("\u{FEFF}\n2", [2]),
    ] as [(String, [Int])]
  )
  func linesAreTheSameUnderAnyChunking(text: String, values: [Int]) async throws {
    for chunks in chunkings(of: Array(text.utf8)) {
      let response = Response.streamed(chunks)
      #expect(try await all(JSONLinesResponseSerializer(Int.self).serialize(response)) == values)
    }
  }

  @Test func theLimitsAreTheCallers() async throws {
    struct Skipped: Decodable, Sendable {
      init(from decoder: any Decoder) throws {}
    }
    let limits = JSONValue.Limits(depth: 2)
    for text in ["[[]]\n[[[]]]\n", "\u{1E}[[]]\n\u{1E}[[[]]]\n"] {
      let response = { Response(.ok, body: .bytes(Bytes(text))) }
      let isSequence = text.hasPrefix("\u{1E}")
      var elements =
        isSequence
        ? try await JSONSequenceResponseSerializer(Skipped.self, limits: limits).serialize(response())
          .makeAsyncIterator()
        : try await JSONLinesResponseSerializer(Skipped.self, limits: limits).serialize(response())
          .makeAsyncIterator()
      #expect(try await elements.next() != nil)
      do {
        _ = try await elements.next()
        Issue.record("a text beyond the limit was decoded")
      } catch let error as ExchangeError {
        guard case .notJSON(let error) = (error.underlying as? ElementError)?.reason else {
          Issue.record(error)
          continue
        }
        #expect(error.reason == .tooDeep(limit: 2))
      }
    }
  }

  @Test(
    arguments: [
      // Values, and the malformed texts that were reported: their index and offset.
      ("", [], []), ("\u{1E}1\n", [1], []), ("\u{1E}1\n\u{1E}2\n", [1, 2], []),
      ("\u{1E}\u{1E}\u{1E}1\n", [1], []),
      // Not self-delimited, and not delimited by white space: maybe cut off (RFC 7464 2.4).
      ("\u{1E}12", [], [[0, 1]]), ("\u{1E}1\u{1E}2\n", [2], [[0, 1]]), ("\u{1E}1 ", [1], []),
      ("\u{1E}1\n\u{1E}tru\u{1E}3\n", [1, 3], [[1, 4]]),
      // Malformed, which is no reason to stop (RFC 7464 2.3).
      ("\u{1E}[1\n\u{1E}2\n", [2], [[0, 1]]), ("\u{1E}1\n\u{1E}{\"a\":\u{1E}3\n", [1, 3], [[1, 4]]),
      ("\u{1E}\n\u{1E}2\n", [2], [[0, 1]]), ("\u{1E}1 1\n\u{1E}2\n", [2], [[0, 1]]),
      (" \n\u{1E}1\n", [1], []), ("\u{FEFF}\u{1E}1\n", [1], []),
    ] as [(String, [Int], [[Int]])]
  )
  func sequencesAreTheSameUnderAnyChunking(text: String, values: [Int], malformed: [[Int]]) async throws {
    for chunks in chunkings(of: Array(text.utf8)) {
      let log = Log<ElementError>()
      let serializer = JSONSequenceResponseSerializer(Int.self, reportingMalformed: { log.add($0) })
      #expect(try await all(serializer.serialize(.streamed(chunks))) == values)
      #expect(log.all.map { [$0.index, Int($0.offset)] } == malformed)
    }
  }

  @Test func textsWhoseEndShowsNeedNoSpaceBehindThem() async throws {
    let text = "\u{1E}\"a\"\u{1E}[1]\u{1E}{\"b\":null}"
    let values = try await all(
      JSONSequenceResponseSerializer(JSONValue.self).serialize(.streamed([Bytes(text)]))
    )
    #expect(values == ["a", [1], ["b": .null]])
  }

  @Test func whatTheReportThrowsEndsTheSequence() async throws {
    let strict = JSONSequenceResponseSerializer(Int.self, reportingMalformed: { throw $0 })
    var iterator = try await strict.serialize(.streamed(["\u{1E}1\n\u{1E}2\u{1E}3\n"])).makeAsyncIterator()
    #expect(try await iterator.next() == 1)
    let error = try await #require(throws: ExchangeError.self) { _ = try await iterator.next() }
    #expect(error.kind == .serialization)
    let element = try #require(error.underlying as? ElementError)
    guard case .truncated = element.reason else {
      Issue.record("\(element.reason)")
      return
    }
    #expect(element.index == 1)
    #expect(try await iterator.next() == nil)
  }

  @Test(arguments: ["{\"name\":\"a\"}", "x\u{1E}1\n"])
  func refusesOctetsWithoutASeparator(text: String) async throws {
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await all(JSONSequenceResponseSerializer(User.self).serialize(.streamed([Bytes(text)])))
    }
    guard case .notSeparated = (error.underlying as? ElementError)?.reason else {
      Issue.record("\(error)")
      return
    }
  }

  @Test func anErrorTellsTheElementAndItsPlace() async throws {
    let text = "{\"name\":\"a\"}\n\n{\"name\":7}\n{\"name\":\"c\"}\n"
    for chunks in chunkings(of: Array(text.utf8)) {
      let source = ScriptedSource(chunks: chunks)
      let client = try Client(
        over: HandlerTransport(recordLimit: 0) { _ in
          Response(
            .ok,
            fields: [.contentType: "application/x-ndjson"],
            body: Response.Body(source: source)
          )
        }
      )
      var iterator = try await client.get("http://h/", as: .jsonLines(User.self)).makeAsyncIterator()
      #expect(try await iterator.next() == User(name: "a"))
      let error = try await #require(throws: ExchangeError.self) { _ = try await iterator.next() }
      #expect(error.kind == .serialization)
      #expect(error.stage == "JSONLinesResponseSerializer<User>")
      #expect(
        error.message.hasPrefix(
          "element 1, at byte 14 of the body, cannot be decoded as User: at $.name, not a String: {\"name\":7}"
        ),
        "\(error.message)"
      )
      let element = try #require(error.underlying as? ElementError)
      #expect(element.index == 1)
      #expect(element.offset == 14)
      #expect(element.start == "{\"name\":7}")
      #expect(source.cancels == 1)
      #expect(try await iterator.next() == nil)
    }
  }

  @Test(arguments: ["{", "nul", "{}{}", "[1,]", "\u{0}"])
  func aLineThatIsNotJSONIsAnError(text: String) async throws {
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await all(JSONLinesResponseSerializer(JSONValue.self).serialize(.streamed([Bytes(text)])))
    }
    guard case .notJSON = (error.underlying as? ElementError)?.reason else {
      Issue.record("\(error)")
      return
    }
  }

  @Test func aTextThatDoesNotFitTheTypeEndsASequence() async throws {
    let text: Bytes = "\u{1E}{\"name\":1}\n\u{1E}{\"name\":\"b\"}\n"
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await all(JSONSequenceResponseSerializer(User.self).serialize(.streamed([text])))
    }
    guard case .notDecodable(is DecodingError, type: "User") = (error.underlying as? ElementError)?.reason
    else {
      Issue.record("\(error)")
      return
    }
  }

  @Test func untypedValuesKeepOrderDuplicatesAndDigits() async throws {
    let lines = [#"{"b":1.000,"a":null,"b":2}"#, "12345678901234567890123"]
    let body = Bytes(lines.joined(separator: "\n"))
    let values = try await all(JSONLinesResponseSerializer(JSONValue.self).serialize(.streamed([body])))
    #expect(values.map(\.description) == lines)
  }

  @Test func theDecoderIsTheCallers() async throws {
    struct Dated: Decodable, Sendable, Equatable {
      var createdAt: Date
    }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .secondsSince1970
    let serializer = JSONLinesResponseSerializer(Dated.self, decoder: decoder)
    let body: Bytes = "{\"created_at\":60}\n{\"created_at\":61}"
    let values = try await all(serializer.serialize(.streamed([body])))
    #expect(values.map(\.createdAt.timeIntervalSince1970) == [60, 61])
  }

  @Test func endlessElementsAreReadToTheLimitOnly() async throws {
    for prefix in ["", "\u{1E}"] {
      let pulls = Counter()
      let stream = AsyncStream<Bytes>(unfolding: { pulls.add() == 1 ? Bytes(prefix + "[1,") : "1234567," })
      let client = try Client(
        over: HandlerTransport { _ in
          Response(.ok, fields: [.contentType: "text/x"], body: Response.Body(stream))
        }
      )
      var request = Request.get("http://h/").with(\.elementLimit, 100)
      request.options.expectedContent = .any
      let error = try await #require(throws: ExchangeError.self) {
        if prefix.isEmpty {
          _ = try await all(client.value(for: request, as: .jsonLines(JSONValue.self)))
        } else {
          _ = try await all(client.value(for: request, as: .jsonSequence(JSONValue.self)))
        }
      }
      #expect(error.kind == .limit(.structure))
      #expect((error.underlying as? ElementError)?.offset == Int64(prefix.utf8.count))
      #expect(pulls.value <= 15)
    }
  }

  @Test func depthEndsASequenceToo() async throws {
    let deep = String(repeating: "[", count: 2000) + String(repeating: "]", count: 2000)
    await #expect(throws: ExchangeError.self) {
      _ = try await all(
        JSONSequenceResponseSerializer(JSONValue.self).serialize(
          .streamed([Bytes("\u{1E}\(deep)\n\u{1E}1\n")])
        )
      )
    }
  }

  @Test func leavingTheLoopCancelsTheTransfer() async throws {
    let source = ScriptedSource([.chunk("1\n2\n"), .wait])
    let values = try await JSONLinesResponseSerializer(Int.self).serialize(
      Response(.ok, body: Response.Body(source: source))
    )
    for try await _ in values { break }
    #expect(source.cancels == 1)
    withExtendedLifetime(values) {}
  }
}
