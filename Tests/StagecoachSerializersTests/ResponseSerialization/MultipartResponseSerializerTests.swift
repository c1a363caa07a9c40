import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite struct MultipartResponseSerializerTests {
  private static let text =
    "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nfirst\r\n--B\r\nContent-Type: image/png\r\n"
    + "Content-Disposition: attachment; filename=\"../x.png\"\r\n\r\nsecond\r\n--B\r\n\r\n\r\n--B--\r\n"

  private static func client(
    _ body: Response.Body,
    type: String? = "multipart/mixed; boundary=B",
    status: HTTPResponse.Status = .ok
  ) throws -> Client {
    try Client(
      over: HandlerTransport { _ in
        Response(status, fields: type.map { [.contentType: $0] } ?? [:], body: body)
      }
    )
  }

  /// A body in chunks of one size.
  private static func source(_ text: String = text, size: Int) -> ScriptedSource {
    var list: [Bytes] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      list.append(Bytes(rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    return ScriptedSource(chunks: list)
  }

  @Test(arguments: [1, 2, 7, 50, 1_000])
  func partsComeOneByOneWithTheirFields(size: Int) async throws {
    let source = Self.source(size: size)
    let parts = try await Self.client(Response.Body(source: source)).get("http://h/", as: .multipart)
    var read: [(name: String?, fileName: String?, type: MediaType?, content: String)] = []
    for try await part in parts {
      var content = ""
      for try await chunk in part.content { content += String(decoding: chunk) }
      read.append((part.name, part.fileName, part.mediaType, content))
    }
    #expect(read.map(\.content) == ["first", "second", ""])
    #expect(read.map(\.name) == ["a", nil, nil])
    #expect(read.map(\.fileName) == [nil, "x.png", nil])
    #expect(read.map(\.type) == [nil, .png, nil])
    // Read to its end, so that the connection is kept.
    #expect(source.cancels == 0)
  }

  @Test func nothingIsReadBeforeItIsAskedFor() async throws {
    let source = Self.source(size: 60)
    let parts = try await Self.client(Response.Body(source: source)).get("http://h/", as: .multipart)
    #expect(source.pulls == 0)
    let first = try #require(try await parts.first { _ in true })
    #expect(source.pulls == 1)
    #expect(try await first.content.collect(upTo: 5) == "first")
    #expect(source.pulls == 2)
  }

  @Test func theNextPartDiscardsWhatIsLeftOfTheOneBefore() async throws {
    let parts = try await Self.client(Response.Body(source: Self.source(size: 3))).get(
      "http://h/",
      as: .multipart
    )
    var iterator = parts.makeAsyncIterator()
    let first = try #require(try await iterator.next())
    var chunks = first.content.makeAsyncIterator()
    #expect(try await chunks.next() != nil)
    let second = try #require(try await iterator.next())
    let error = await #expect(throws: ExchangeError.self) { _ = try await chunks.next() }
    #expect(error?.kind == .bodyAlreadyRead)
    #expect(error?.message.contains("part 1") == true)
    #expect(try await second.content.collect(upTo: 100) == "second")
    #expect(try await second.content.collect(upTo: 100) == "")
    #expect(try await iterator.next() != nil)
    #expect(try await iterator.next() == nil)
    #expect(try await iterator.next() == nil)
  }

  @Test func collectingAPartIsLimited() async throws {
    let parts = try await Self.client(.bytes(Bytes(Self.text))).get("http://h/", as: .multipart)
    let first = try #require(try await parts.first { _ in true })
    let error = await #expect(throws: ExchangeError.self) { _ = try await first.content.collect(upTo: 4) }
    #expect(error?.kind == .limit(.body))
    #expect(try await parts.first { _ in true }?.fileName == "x.png")
  }

  @Test func droppingThePartsCancelsTheTransfer() async throws {
    let source = Self.source(size: 60)
    do {
      let parts = try await Self.client(Response.Body(source: source)).get("http://h/", as: .multipart)
      _ = try await parts.first { _ in true }
    }
    #expect(source.cancels == 1)
  }

  @Test func whatFollowsTheEndIsReadIfItIsShort() async throws {
    for (epilogue, cancels) in [(1_000, 0), (100_000, 1)] {
      let source = Self.source(Self.text + String(repeating: "e", count: epilogue), size: 500)
      let parts = try await Self.client(Response.Body(source: source)).get("http://h/", as: .multipart)
      for try await _ in parts {}
      #expect(source.cancels == cancels)
    }
  }

  @Test func aBodyThatNeverEndsDoesNotHoldTheLastPartBack() async throws {
    let time = ManualTime()
    let source = ScriptedSource([.chunk(Bytes(Self.text)), .wait])
    let transport = HandlerTransport { _ in
      Response(
        .ok,
        fields: [.contentType: "multipart/mixed; boundary=B"],
        body: Response.Body(source: source)
      )
    }
    let parts = try await Client(over: transport, configuration: .init(clock: time)).get(
      "http://h/",
      as: .multipart
    )
    let count = Task {
      var count = 0
      for try await _ in parts { count += 1 }
      return count
    }
    await time.sleepers(atLeast: 1)
    time.advance(by: .milliseconds(100))
    #expect(try await count.value == 3)
    #expect(source.cancels == 1)
  }

  @Test func twoTasksCannotReadConcurrently() async throws {
    let source = ScriptedSource([.chunk("--B\r\n\r\na"), .wait])
    let parts = try await Self.client(Response.Body(source: source)).get("http://h/", as: .multipart)
    let part = try #require(try await parts.first { _ in true })
    let reading = Task { try await part.content.collect(upTo: 10) }
    await source.pulled(2)
    let error = await #expect(throws: ExchangeError.self) { _ = try await parts.first { _ in true } }
    #expect(error?.kind == .bodyAlreadyRead)
    reading.cancel()
    source.cancel()
    _ = try? await reading.value
  }

  @Test func brokenContentIsSaidWhereItIsReached() async throws {
    let cases: [(String, Int, ExchangeError.Kind, MultipartError)] = [
      ("--B\r\n\r\na", 1, .serialization, .truncated(parts: 1)),
      ("x", 0, .serialization, .truncated(parts: 0)),
      ("--B\r\nx\r\n", 0, .serialization, .invalidField(part: 1, line: "x")),
      (String(repeating: "--B\r\n\r\n\r\n", count: 3), 2, .limit(.structure), .limit(.partCount, 2)),
    ]
    for (text, readable, kind, underlying) in cases {
      let source = ScriptedSource([.chunk(Bytes(text))])
      var serializer = MultipartResponseSerializer()
      serializer.limits.partCount = 2
      let parts = try await Self.client(Response.Body(source: source)).get("http://h/", as: serializer)
      var iterator = parts.makeAsyncIterator()
      for _ in 0..<readable { #expect(try await iterator.next() != nil) }
      for _ in 1...2 {
        let error = await #expect(throws: ExchangeError.self) { _ = try await iterator.next() }
        #expect(error?.kind == kind)
        #expect(error?.stage == "MultipartResponseSerializer")
        #expect(error?.response?.status == .ok)
        #expect(error?.underlying as? MultipartError == underlying)
      }
    }
  }

  @Test func anErrorOfTheBodyPasses() async throws {
    let source = ScriptedSource([.chunk("--B\r\n\r\na"), .fail(ExchangeError(.connectionReset, "gone"))])
    let parts = try await Self.client(Response.Body(source: source)).get("http://h/", as: .multipart)
    let part = try #require(try await parts.first { _ in true })
    let error = await #expect(throws: ExchangeError.self) { _ = try await part.content.collect(upTo: 10) }
    #expect(error?.kind == .connectionReset)
  }

  @Test func theMediaTypeIsAskedForAndChecked() async throws {
    #expect(MultipartResponseSerializer().accepts.acceptField == "multipart/*")
    #expect(Acceptance.multipart.accepts(.multipartByteRanges))
    #expect(!Acceptance.multipart.accepts(.json))
    #expect(!Acceptance.multipart.accepts(nil as MediaType?))
    for (type, kind) in [("text/plain", .mediaType), ("multipart/mixed", .serialization)]
      as [(String, ExchangeError.Kind)]
    {
      let client = try Self.client(.bytes(Bytes(Self.text)), type: type)
      let error = await #expect(throws: ExchangeError.self) {
        _ = try await client.get("http://h/", as: .multipart)
      }
      #expect(error?.kind == kind)
      let other = await #expect(throws: ExchangeError.self) {
        _ = try await client.get("http://h/", as: .collectedMultipart)
      }
      #expect(other?.kind == kind)
    }
    let empty = try Self.client(.empty, status: .noContent)
    let error = await #expect(throws: ExchangeError.self) {
      _ = try await empty.get("http://h/", as: .multipart)
    }
    #expect(error?.kind == .serialization)
    #expect(error?.message.contains("empty") == true)
  }

  @Test(arguments: [1, 10, 1_000])
  func collectedPartsAreInMemory(size: Int) async throws {
    let client = try Self.client(Response.Body(source: Self.source(size: size)))
    let parts = try await client.get("http://h/", as: .collectedMultipart)
    #expect(parts.map(\.content) == ["first", "second", ""])
    #expect(parts.map(\.name) == ["a", nil, nil])
  }

  @Test func collectingKeepsToTheBodyLimit() async throws {
    let client = try Self.client(.bytes(Bytes(Self.text)))
    for (limit, isFine) in [(Self.text.utf8.count, true), (Self.text.utf8.count - 1, false)] {
      let request = Request.get("http://h/").with(\.bodyLimit, limit)
      let count = try? await client.value(for: request, as: .collectedMultipart).count
      #expect(count == (isFine ? 3 : nil))
    }
    let broken = try Self.client(.bytes("--B\r\nx\r\n"))
    let error = await #expect(throws: ExchangeError.self) {
      _ = try await broken.get("http://h/", as: .collectedMultipart)
    }
    #expect(error?.kind == .serialization)
    #expect(error?.stage == "CollectedMultipartResponseSerializer")
    #expect(error?.bodyPrefix == "--B\r\nx\r\n")
  }

  /// A form that a client sends and reads back.
  @Test func whatIsSentComesBack() async throws {
    let transport = HandlerTransport { request in
      Response(
        .ok,
        fields: [.contentType: request.fields[.contentType] ?? ""],
        body: Response.Body(source: try request.body.makeSource())
      )
    }
    let form = MultipartBody.form([
      .text("v", name: "n"),
      MultipartBody.Part(name: "s", fileName: "f", body: .stream(length: nil) { chunks(["a", "b"]) }),
    ])
    let parts = try await Client(over: transport).post("http://h/", .multipart(form), as: .collectedMultipart)
    #expect(parts.map(\.content) == ["v", "ab"])
    #expect(parts.map(\.name) == ["n", "s"])
    #expect(parts.map(\.fileName) == [nil, "f"])
  }
}
