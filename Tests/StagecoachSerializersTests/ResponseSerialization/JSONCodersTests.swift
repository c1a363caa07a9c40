import Foundation
import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite struct JSONCodersTests {
  private struct Visit: Codable, Sendable, Equatable {
    var firstSeen: Date
  }

  private let visit = Visit(firstSeen: Date(timeIntervalSince1970: 60))

  /// Answers with what it was sent, or with a visit in snake case.
  private let client: Client

  init() throws {
    client = try Client(
      over: HandlerTransport { request in
        let sent = request.body.bytes.flatMap { $0.isEmpty ? nil : $0 }
        return Response(
          .ok,
          fields: [.contentType: "application/json"],
          body: .bytes(sent ?? #"{"first_seen":60}"#)
        )
      },
      base: "http://h/"
    )
  }

  private static func decoder() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .secondsSince1970
    return decoder
  }

  private static func encoder() -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.dateEncodingStrategy = .secondsSince1970
    return encoder
  }

  @Test func callsUseTheCodersOfTheClient() async throws {
    client.updateDefaults {
      $0.options.jsonCoders = JSONCoders(encoder: Self.encoder(), decoder: Self.decoder())
    }
    let read: Visit = try await client.get("visit")
    #expect(read == visit)
    #expect(try await client.post("visit", .json(visit), as: .text) == #"{"first_seen":60}"#)
    let both: Visit = try await client.post("visit", .json(visit))
    #expect(both == visit)
    let lines = try await client.value(
      for: .get("visit"),
      as: JSONLinesResponseSerializer(Visit.self, accepting: .json)
    )
    var values: [Visit] = []
    for try await value in lines { values.append(value) }
    #expect(values == [visit])
  }

  @Test func codersOfARequestReplaceTheClients() async throws {
    client.updateDefaults {
      $0.options.jsonCoders = JSONCoders(encoder: Self.encoder(), decoder: Self.decoder())
    }
    let request = Request.post("visit").with(\.jsonCoders, JSONCoders(decoder: Self.decoder()))
    let text = try await client.value(for: request, sending: .json(["b": 1, "a": 2]), as: .text)
    #expect(text == #"{"a":2,"b":1}"#)
    await #expect(throws: ExchangeError.self) {
      _ = try await client.value(
        for: Request.get("visit").with(\.jsonCoders, JSONCoders()),
        as: .json(Visit.self)
      )
    }
  }

  @Test func codersOfASerializerBeatTheClients() async throws {
    client.updateDefaults { $0.options.jsonCoders = JSONCoders(decoder: Self.decoder()) }
    let plain = JSONDecoder()
    await #expect(throws: ExchangeError.self) {
      _ = try await client.get("visit", as: .json(Visit.self, decoder: plain))
    }
    let sent = try await client.post("visit", .json(visit, encoder: Self.encoder()), as: .text)
    #expect(sent == #"{"first_seen":60}"#)
  }
}
