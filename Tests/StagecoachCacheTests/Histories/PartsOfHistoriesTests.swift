import HTTPTypes
import Stagecoach
import StagecoachCache
import TestSupport
import Testing

/// What was found about parts of content.
@Suite(.timeLimit(.minutes(1))) struct PartsOfHistoriesTests {
  /// A part that reaches into the stored one, so that both are the whole, and breaks off where they overlap.
  @Test func aPartThatIsCutWhereItOverlapsKeepsTheLength() async throws {
    let whole = (0..<150).map { UInt8(ascii: "a") + UInt8($0 % 26) }
    let bench = try CacheBench { request in
      let text = request.fields[.range] ?? "bytes=0-149"
      let range = HistoryOrigin.range(text, whole.count) ?? 0..<whole.count
      var fields: HTTPFields = [
        .cacheControl: "max-age=60", .eTag: "\"1\"", .contentLength: "\(range.count)",
      ]
      fields[HTTPField.Name("Content-Range")!] = HistoryOrigin.contentRange(range, whole.count)
      let body = HistoryBody(Array(whole[range]), chunk: 20, cut: text == "bytes=0-99" ? 60 : nil, gate: nil)
      return Response(
        .partialContent,
        fields: fields,
        body: Response.Body(source: body, length: Int64(range.count))
      )
    }
    func text(_ range: Range<Int>) -> String { String(decoding: whole[range], as: UTF8.self) }
    #expect(try await bench.get("a", ["Range": "bytes=50-149"]).body == text(50..<150))
    _ = try? await bench.get("a", ["Range": "bytes=0-99"])
    let last = try await bench.get("a", ["Range": "bytes=-10"])
    #expect(last.body == text(140..<150))
    #expect(last["Content-Range"] == "bytes 140-149/150")
  }
}
