import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite struct WeightedResponseSerializerTests {
  private static func field(_ types: [String], _ quality: Double) -> String {
    DataResponseSerializer(accepting: Acceptance(mediaTypes: ranges(types))).weighted(quality).accepts
      .acceptField
  }

  @Test(
    arguments: [
      (["text/html"], 0.5, "text/html;q=0.5"), (["text/html"], 0.12345, "text/html;q=0.123"),
      (["text/html"], 1, "text/html"), (["text/html"], 0.9996, "text/html"),
      (["text/html"], 7, "text/html"), (["text/html"], 0, "text/html;q=0.001"),
      (["text/html"], -1, "text/html;q=0.001"), (["text/html"], .nan, "text/html"),
      (["text/html"], .infinity, "text/html"),
      (["text/html;q=0.5", "text/plain"], 0.5, "text/html;q=0.25, text/plain;q=0.5"),
      (["text/html;q=0.001"], 0.001, "text/html;q=0.001"),
      (["text/*", "text/html;q=0"], 0.5, "text/*;q=0.5, text/html;q=0"),
      (["text/html", "*/*"], 0.5, "text/html;q=0.5, */*;q=0.05"), ([], 0.3, "*/*;q=0.3"),
    ] as [([String], Double, String)]
  )
  func weightsMultiply(types: [String], quality: Double, field: String) {
    #expect(Self.field(types, quality) == field)
  }

  @Test func weightingChangesNothingElse() async throws {
    let base = TextResponseSerializer(
      accepting: Acceptance(
        mediaTypes: ranges(["text/a", "text/b;q=0"]),
        acceptsUndeclared: true,
        statuses: [400..<401],
        signatures: [.markup]
      )
    )
    let weighted = base.weighted(0.5).weighted(0.5)
    #expect(weighted.name == base.name)
    #expect(weighted.accepts.acceptsUndeclared)
    #expect(weighted.accepts.statuses == [400..<401])
    #expect(weighted.accepts.signatures == [.markup])
    #expect(weighted.accepts.accepts(MediaType("text/a")))
    #expect(!weighted.accepts.accepts(MediaType("text/b")))
    #expect(weighted.accepts.acceptField == "text/a;q=0.25, text/b;q=0")
    #expect(try await weighted.serialize(Response(.ok, body: .bytes("x"))) == "x")
  }

  @Test func theRequestCarriesTheWeights() async throws {
    let transport = HandlerTransport { request in
      Response(.ok, fields: [.contentType: "text/plain"], body: .bytes(Bytes(request.fields[.accept] ?? "")))
    }
    let serializer = TextResponseSerializer(accepting: Acceptance(mediaTypes: [.plainText])).weighted(0.25)
    let client = try Client(over: transport)
    #expect(try await client.value(for: .get("http://h/"), as: serializer) == "text/plain;q=0.25")
  }
}
