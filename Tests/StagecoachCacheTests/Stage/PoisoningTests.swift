import HTTPTypes
import Stagecoach
import StagecoachCache
import TestSupport
import Testing

/// What an attacker sends, or an origin that is broken, reaches no later request.
@Suite(.timeLimit(.minutes(15))) struct PoisoningTests {
  private static let fields: HTTPFields = [.cacheControl: "max-age=60", .contentLength: "10"]

  @Test(arguments: ["0123456789+", "01234"]) func aBodyOfAnotherLengthIsNotStored(_ text: String) async throws
  {
    let count = Counter()
    let bench = try CacheBench { _ in
      let body = count.add() == 1 ? text : "0123456789"
      // A transport that does not check.
      return Response(
        .ok,
        fields: Self.fields,
        body: Response.Body(source: ScriptedSource(chunks: [Bytes(body)]))
      )
    }
    _ = try? await bench.get()
    let second = try await bench.get()
    #expect(second.body == "0123456789")
    #expect(second.source == .network)
  }

  /// The quotation mark may hide what follows it.
  @Test(arguments: ["max-age=60, x=\"a, private", "max-age=60, must-revalidate x"])
  func whatMayBePrivateIsNotShared(control: String) async throws {
    let bench = try CacheBench(isShared: true) { _ in .of("ok", 200, ["Cache-Control": control]) }
    for _ in 0..<2 { #expect(try await bench.get("a", ["Authorization": "Basic YTpi"]).source == .network) }
    #expect(try await bench.get().source == .network)
  }

  /// One client sends what the others would get.
  @Test func whatWasPostedIsNotShared() async throws {
    let bench = try CacheBench(isShared: true) { request in
      let text = request.method == .post ? "evil" : "good"
      return .of(text, 200, ["Cache-Control": "max-age=60", "Content-Location": "/a", "Content-Length": "4"])
    }
    #expect(try await bench.get(method: .post).body == "evil")
    #expect(try await bench.get().body == "good")
  }

  @Test func aBodyThatWasCutIsNotStored() async throws {
    let count = Counter()
    let bench = try CacheBench { _ in
      guard count.add() == 1 else { return .of("0123456789", 200, ["Cache-Control": "max-age=60"]) }
      let source = ScriptedSource([.chunk("01234"), .fail(ExchangeError(.incompleteBody, "cut"))])
      return Response(.ok, fields: [.cacheControl: "max-age=60"], body: Response.Body(source: source))
    }
    await #expect(throws: ExchangeError.self) { try await bench.get() }
    #expect(try await bench.get().body == "0123456789")
  }

  @Test func anotherRangeIsNotStored() async throws {
    let bench = try CacheBench(pipeline: { Pipeline(over: $0, stages: [$1]) }) { _ in
      .of(
        "56789",
        206,
        [
          "Cache-Control": "max-age=60", "ETag": "\"1\"", "Content-Range": "bytes 5-9/10",
          "Content-Length": "5",
        ]
      )
    }
    _ = try await bench.get("a", ["Range": "bytes=0-4"])
    for range in ["bytes=0-4", "bytes=5-9"] {
      #expect(try await bench.get("a", ["Range": range]).source == .network)
    }
  }

  @Test func fieldsThatAreNotPartOfTheKeyChangeNothing() async throws {
    let bench = try CacheBench { request in
      // A careless origin, which reflects a field that it does not name in Vary.
      let host = request.fields[HTTPField.Name("X-Forwarded-Host")!] ?? "h"
      return .of("http://\(host)/", 200, ["Cache-Control": "max-age=60"])
    }
    // In a private cache a user poisons nobody but themselves; another partition never sees it.
    _ = try await bench.get("a", ["X-Forwarded-Host": "evil", "Authorization": "Basic eve"])
    #expect(try await bench.get("a", ["Authorization": "Basic ada"]).body == "http://h/")
  }

  @Test func urlsThatDifferAreDifferent() async throws {
    let bench = try CacheBench { request in .of(request.head.path ?? "", 200, ["Cache-Control": "max-age=60"])
    }
    for path in ["a", "a?", "a?b", "a%2Fb", "a/b", "%61", "A", "a;b", "a//b"] {
      #expect(try await bench.get(path).body == "/\(path)")
    }
    #expect(bench.seen.all.count == 9)
    #expect(try await bench.get("a#fragment").source == .cache)
    #expect(try await bench.get("http://H:80/a").source == .cache)
    #expect(try await bench.get("https://h/a").source == .network)
  }

  @Test func lengthsThatContradictEachOtherAreNotStored() async throws {
    let bench = try CacheBench { _ in
      var fields = Self.fields
      fields.append(HTTPField(name: .contentLength, value: "5"))
      return Response(.ok, fields: fields, body: .bytes("0123456789"))
    }
    _ = try await bench.get()
    #expect(try await bench.get().source == .network)
  }
}
