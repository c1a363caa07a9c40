import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite struct JSONLinesResponseSerializerTests {
  @Test func asksForTheNamesInUse() async throws {
    let transport = HandlerTransport { request in
      .streamed(["1\n"], type: request.fields[.accept].map { String($0.prefix { $0 != "," }) })
    }
    let client = try Client(over: transport)
    #expect(try await all(client.get("http://h/", as: .jsonLines(Int.self))) == [1])
    #expect(
      transport.requests.first?.fields[.accept]?.hasPrefix("application/x-ndjson, application/ndjson") == true
    )
    for type in ["application/ndjson", "application/jsonl", "application/x-ndjson; charset=utf-8"] {
      #expect(Acceptance.jsonLines.accepts(MediaType(type)))
    }
    #expect(!Acceptance.jsonLines.accepts(MediaType("application/json")))
  }
}

@Suite struct JSONSequenceResponseSerializerTests {
  @Test func asksForTheRegisteredName() async throws {
    let transport = HandlerTransport { _ in
      .streamed(["\u{1E}1\n"], type: "application/geo+json-seq")
    }
    let client = try Client(over: transport)
    #expect(try await all(client.get("http://h/", as: .jsonSequence(Int.self))) == [1])
    #expect(transport.requests.first?.fields[.accept] == "application/json-seq")
    #expect(!Acceptance.jsonSequence.accepts(MediaType("application/json")))
  }
}
