import HTTPTypes
import Stagecoach
import TestSupport
import Testing

/// Contents read into memory that come in very many pieces.
@Suite struct MultipartCollectingTests {
  /// What starts like a boundary all the time, so that the parser cuts it into pieces of one and five octets.
  private static let content = String(repeating: "\r\n--bx", count: 1_000)
  private static let text = "--b\r\n\r\n\(content)\r\n--b\r\n\r\nsecond\r\n--b--\r\n"

  /// The parts of a body that comes in chunks of one size.
  private static func parts(size: Int) async throws -> MultipartParts {
    var list: [Bytes] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      list.append(Bytes(rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    let source = ScriptedSource(chunks: list)
    let client = try Client(
      over: HandlerTransport { _ in
        Response(
          .ok,
          fields: [.contentType: "multipart/mixed; boundary=b"],
          body: Response.Body(source: source)
        )
      }
    )
    return try await client.get("http://h/", as: .multipart)
  }

  @Test(arguments: [1, 2, 5, 6, 7, 64, 1_000, 10_000])
  func contentIsTheSameUnderEverySplit(size: Int) async throws {
    var contents: [Bytes] = []
    for try await part in try await Self.parts(size: size) {
      contents.append(try await part.content.collect(upTo: Self.content.utf8.count))
    }
    #expect(contents == [Bytes(Self.content), "second"])
  }

  @Test func contentInMemoryIsTheSame() throws {
    let type = MediaType("multipart/mixed; boundary=b")
    let parts = try MultipartPart.all(in: Bytes(Self.text), of: type)
    #expect(parts.map(\.content) == [Bytes(Self.content), "second"])
  }

  @Test(arguments: [1, 10_000])
  func anErrorOfTheLimitHasTheStart(size: Int) async throws {
    let parts = try await Self.parts(size: size)
    let part = try #require(try await parts.first { _ in true })
    let error = await #expect(throws: ExchangeError.self) {
      _ = try await part.content.collect(upTo: Self.content.utf8.count - 1)
    }
    #expect(error?.kind == .limit(.body))
    #expect(error?.bodyPrefix.prefix(12) == "\r\n--bx\r\n--bx")
  }
}
