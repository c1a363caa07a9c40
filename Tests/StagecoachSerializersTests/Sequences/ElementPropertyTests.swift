import HTTPTypes
import Stagecoach
import TestSupport
import Testing

/// Random streams from seeds that are fixed: whatever the bytes, the chunks that they come in change nothing.
@Suite struct ElementPropertyTests {
  /// What reads a body into elements.
  enum Format: CaseIterable {
    case serverSentEvents, lines, jsonLines, jsonSequence

    var pieces: [String] {
      switch self {
      case .serverSentEvents:
        [
          "data", "data: ", "event:", "id: ", "retry:", "7", ":", " ", "\0", "\u{E4}", "x\n\n", "long long",
          "\n\ndata: 1\n\n", "\nid: 2\ndata: 3\n\n",
        ]
      case .lines: ["a", "\u{E4}", "\u{1F682}", "\0", "long long long"]
      case .jsonLines: ["1", "\"a\"", "{\"a\":[1]}", "[", "]", " ", "\u{FEFF}", "null", "x", "\n7\n8\n"]
      case .jsonSequence: ["\u{1E}", "\u{1E}1\n", "\u{1E}{\"a\":\n2}\n", "\u{1E}[1]", "true", " ", "x"]
      }
    }

    /// The elements in a form that can be compared, and the error that ended them.
    func read(_ chunks: [Bytes]) async -> [String] {
      let response = Response.streamed(chunks)
      switch self {
      case .serverSentEvents:
        return await texts { try await ServerSentEventResponseSerializer().serialize(response) }
      case .lines: return await texts { try await LinesResponseSerializer().serialize(response) }
      case .jsonLines:
        return await texts { try await JSONLinesResponseSerializer(JSONValue.self).serialize(response) }
      case .jsonSequence:
        return await texts { try await JSONSequenceResponseSerializer(JSONValue.self).serialize(response) }
      }
    }

    private func texts<Elements: AsyncSequence>(_ elements: () async throws -> Elements) async -> [String] {
      var texts: [String] = []
      do {
        for try await element in try await elements() { texts.append("\(element)") }
      } catch {
        texts.append("error: \(error)")
      }
      return texts
    }
  }

  @Test(arguments: Format.allCases, 1...4)
  func anyChunkingGivesTheSame(format: Format, seed: UInt64) async {
    var random = SplitMix(state: seed)
    let pieces = format.pieces + ["\n", "\r", "\r\n", "\n\n"]
    var (elements, errors) = (0, 0)
    for _ in 0..<60 {
      var bytes: [UInt8] = seed % 2 == 0 ? [0xEF, 0xBB, 0xBF] : []
      for _ in 0..<Int.random(in: 0...20, using: &random) {
        // Rarely a byte that is no text.
        bytes +=
          Int.random(in: 0..<60, using: &random) == 0
          ? [UInt8.random(in: 0x80...0xFF, using: &random)]
          : Array((pieces.randomElement(using: &random) ?? "").utf8)
      }
      let whole = await format.read([Bytes(bytes)])
      for largest in [1, 2, 5, 16] {
        var (chunks, rest): ([Bytes], ArraySlice<UInt8>) = ([], bytes[...])
        while !rest.isEmpty {
          let chunk = rest.prefix(Int.random(in: 1...largest, using: &random))
          chunks.append(Bytes(chunk))
          rest = rest.dropFirst(chunk.count)
        }
        #expect(await format.read(chunks) == whole, "\(bytes) in chunks of \(chunks.map(\.count))")
      }
      elements += whole.count
      errors += whole.count(where: { $0.hasPrefix("error") })
    }
    // The bytes were such that there was something to read.
    #expect(elements - errors > 10)
  }
}
