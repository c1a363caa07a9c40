import HTTPTypes
import Stagecoach
import StagecoachCache
import TestSupport
import Testing

/// Ranges: served from what is stored, completed, and put together (RFC 9111 3.3, 3.4).
@Suite(.timeLimit(.minutes(15))) struct CacheRangeTests {
  private static let text = "0123456789"

  /// An origin that answers ranges of ten bytes with a strong tag.
  private static func bench(_ tag: String = "\"1\"") throws -> CacheBench {
    try CacheBench(pipeline: { Pipeline(over: $0, stages: [$1]) }) { request in
      let fields = ["Cache-Control": "max-age=60", "ETag": tag]
      let range = request.fields[.range]?.dropFirst(6)
        .split(separator: "-", omittingEmptySubsequences: false)
      guard let range, request.fields[.ifRange].map({ $0 == tag }) ?? true else {
        return .of(text, 200, fields.merging(["Content-Length": "10"]) { $1 })
      }
      let (start, end) = (Int(range[0]) ?? 0, Int(range[1]) ?? 9)
      let part = String(text.dropFirst(start).prefix(end - start + 1))
      return .of(
        part,
        206,
        fields.merging(["Content-Range": "bytes \(start)-\(end)/10", "Content-Length": "\(part.count)"]) {
          $1
        }
      )
    }
  }

  @Test func servesRangesOfACompleteResponse() async throws {
    let bench = try Self.bench()
    _ = try await bench.get()
    for (range, body, content) in [
      ("bytes=2-4", "234", "bytes 2-4/10"), ("bytes=8-", "89", "bytes 8-9/10"),
      ("bytes=-3", "789", "bytes 7-9/10"),
    ] {
      let answer = try await bench.get("a", ["Range": range])
      #expect(answer.status == 206)
      #expect(answer.body == body)
      #expect(answer["Content-Range"] == content)
      #expect(answer["Content-Length"] == "\(body.count)")
    }
    let beyond = try await bench.get("a", ["Range": "bytes=20-30"])
    #expect(beyond.status == 416)
    #expect(beyond["Content-Range"] == "bytes */10")
    #expect(bench.seen.all.count == 1)
  }

  @Test func partsAreReused() async throws {
    let bench = try Self.bench()
    #expect(try await bench.get("a", ["Range": "bytes=2-6"]).body == "23456")
    let inside = try await bench.get("a", ["Range": "bytes=3-5"])
    #expect(inside.source == .cache)
    #expect(inside.body == "345")
    #expect(try await bench.get("a", ["Range": "bytes=5-8"]).source == .network)
  }

  @Test func partsArePutTogether() async throws {
    let bench = try Self.bench()
    #expect(try await bench.get("a", ["Range": "bytes=0-4"]).body == "01234")
    #expect(try await bench.get("a", ["Range": "bytes=3-9"]).body == "3456789")
    let whole = try await bench.get()
    #expect(whole.source == .cache)
    #expect(whole.status == 200)
    #expect(whole.body == Self.text)
    #expect(whole["Content-Length"] == "10")
    #expect(bench.seen.all.count == 2)
  }

  @Test func aPartInFrontIsPutTogether() async throws {
    let bench = try Self.bench()
    #expect(try await bench.get("a", ["Range": "bytes=5-9"]).body == "56789")
    #expect(try await bench.get("a", ["Range": "bytes=0-6"]).body == "0123456")
    let whole = try await bench.get()
    #expect(whole.source == .cache)
    #expect(whole.body == Self.text)
  }

  @Test func aBeginningIsCompleted() async throws {
    let bench = try Self.bench()
    _ = try await bench.get("a", ["Range": "bytes=0-4"])
    let whole = try await bench.get()
    #expect(whole.status == 200)
    #expect(whole.body == Self.text)
    #expect(bench.seen.all.last?.fields[.range] == "bytes=5-")
    #expect(bench.seen.all.last?.fields[.ifRange] == "\"1\"")
    #expect(try await bench.get().source == .cache)
  }

  @Test func aBodyThatWasCutIsCompletedAndNeverServedWhole() async throws {
    let count = Counter()
    let bench = try CacheBench(pipeline: { Pipeline(over: $0, stages: [$1]) }) { request in
      let fields: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"1\"", .contentLength: "10"]
      if count.add() == 1 {
        let source = ScriptedSource([.chunk("0123"), .fail(ExchangeError(.connectionReset, "cut"))])
        return Response(.ok, fields: fields, body: Response.Body(source: source))
      }
      #expect(request.fields[.range] == "bytes=4-")
      return .of(
        "456789",
        206,
        [
          "Cache-Control": "max-age=60", "ETag": "\"1\"", "Content-Range": "bytes 4-9/10",
          "Content-Length": "6",
        ]
      )
    }
    await #expect(throws: ExchangeError.self) { try await bench.get() }
    #expect(try await bench.get().body == Self.text)
    #expect(try await bench.get().source == .cache)
    #expect(count.value == 2)
  }

  @Test func aChangedRestIsAskedForWhole() async throws {
    let count = Counter()
    let bench = try CacheBench(pipeline: { Pipeline(over: $0, stages: [$1]) }) { request in
      switch count.add() {
      case 1:
        return .of(
          "01234",
          206,
          [
            "Cache-Control": "max-age=60", "ETag": "\"1\"", "Content-Range": "bytes 0-4/10",
            "Content-Length": "5",
          ]
        )
      case 2:
        // A server that ignores If-Range.
        return .of(
          "56789",
          206,
          [
            "Cache-Control": "max-age=60", "ETag": "\"2\"", "Content-Range": "bytes 5-9/10",
            "Content-Length": "5",
          ]
        )
      default:
        #expect(request.fields[.range] == nil)
        return .of("abcdefghij", 200, ["Cache-Control": "max-age=60", "ETag": "\"2\""])
      }
    }
    _ = try await bench.get("a", ["Range": "bytes=0-4"])
    let whole = try await bench.get()
    #expect(whole.status == 200)
    #expect(whole.body == "abcdefghij")
    #expect(count.value == 3)
  }

  @Test func aPartThatContradictsItselfIsNotStored() async throws {
    let bench = try CacheBench(pipeline: { Pipeline(over: $0, stages: [$1]) }) { _ in
      .of(
        "0123",
        206,
        [
          "Cache-Control": "max-age=60", "ETag": "\"1\"", "Content-Range": "bytes 0-4/10",
          "Content-Length": "4",
        ]
      )
    }
    _ = try await bench.get("a", ["Range": "bytes=0-4"])
    #expect(try await bench.get("a", ["Range": "bytes=0-4"]).source == .network)
  }

  @Test func aPartDoesNotReplaceWhatIsWhole() async throws {
    let bench = try CacheBench(pipeline: { Pipeline(over: $0, stages: [$1]) }) { request in
      let fields = ["Cache-Control": "max-age=60", "ETag": "\"1\""]
      guard request.fields.contains(.range) else { return .of(Self.text, 200, fields) }
      return .of("01", 206, fields.merging(["Content-Range": "bytes 0-1/10", "Content-Length": "2"]) { $1 })
    }
    _ = try await bench.get()
    #expect(try await bench.get("a", ["Range": "bytes=0-1"], mode: .reload).source == .network)
    let whole = try await bench.get()
    #expect(whole.source == .cache)
    #expect(whole.body == Self.text)
  }

  @Test func cacheStatusHasTheStatusOfTheFetchedRest() async throws {
    let bench = try Self.bench()
    _ = try await bench.get("a", ["Range": "bytes=0-3"])
    let whole = try await bench.get()
    #expect(whole.status == 200 && whole.body == Self.text)
    #expect(bench.seen.all.last?.fields[.range] == "bytes=4-")
    #expect(whole["Cache-Status"] == "Stagecoach; fwd=partial; fwd-status=206; stored")
  }

  /// A 206 in chunks, which may have another length than its Content-Range says.
  private static func chunked(_ text: String, _ range: String) -> Response {
    let source = ScriptedSource([.chunk(Bytes(text))])
    let fields: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"1\"", .contentRange: range]
    return Response(.partialContent, fields: fields, body: Response.Body(source: source))
  }

  @Test func contentBeyondTheDeclaredPartIsNotStored() async throws {
    let bench = try CacheBench(pipeline: { Pipeline(over: $0, stages: [$1]) }) { _ in
      Self.chunked(Self.text, "bytes 0-4/100")
    }
    _ = try await bench.get("a", ["Range": "bytes=0-4"])
    #expect(try await bench.get("a", ["Range": "bytes=5-9"]).source == .network)
  }

  @Test(arguments: ["456", "456789+"]) func aRestOfAnotherLengthMakesNothingWhole(_ rest: String) async throws
  {
    let bench = try CacheBench(pipeline: { Pipeline(over: $0, stages: [$1]) }) { request in
      let isFirst = request.fields[.range] == "bytes=0-3"
      return Self.chunked(isFirst ? "0123" : rest, isFirst ? "bytes 0-3/10" : "bytes 4-9/10")
    }
    _ = try await bench.get("a", ["Range": "bytes=0-3"])
    await #expect(throws: ExchangeError.self) { try await bench.get() }
  }

  /// RFC 9530 2: it is about the content that it came with.
  @Test func aDigestOfOtherContentIsLeftOut() async throws {
    let bench = try CacheBench(pipeline: { Pipeline(over: $0, stages: [$1]) }) { request in
      let isFirst = request.fields[.range] == "bytes=0-3"
      var response = Self.chunked(isFirst ? "0123" : "456789", isFirst ? "bytes 0-3/10" : "bytes 4-9/10")
      response.fields[HTTPField.Name("Content-Digest")!] = "sha-256=:x:"
      return response
    }
    _ = try await bench.get("a", ["Range": "bytes=0-3"])
    _ = try await bench.get("a", ["Range": "bytes=4-9"])
    for fields in [[:], ["Range": "bytes=1-2"]] {
      let answer = try await bench.get("a", fields)
      #expect(answer.source == .cache)
      #expect(answer["Content-Digest"] == nil)
    }
  }
}
