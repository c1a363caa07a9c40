import HTTPTypes
import Stagecoach
import TestSupport
import Testing

/// Random parts from seeds that are fixed, so that a failure repeats.
@Suite struct MultipartPropertyTests {
  private static let boundary = "b=:?"

  /// Content full of what looks like boundaries and line ends.
  private static func content(_ random: inout SplitMix) -> [UInt8] {
    let pieces = [
      "\r\n", "\r", "\n", "--", "-", "--b=:", "\r\n--b=:", "\r\n--b=", " ", "x", "\0", "\u{E4}", "b=:?",
    ]
    if random.next() % 4 == 0 {
      return (0..<Int.random(in: 0...70_000, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
    }
    return (0..<Int.random(in: 0...30, using: &random))
      .flatMap { _ in Array((pieces.randomElement(using: &random) ?? "").utf8) }
  }

  private static func name(_ random: inout SplitMix) -> String {
    let pieces = [
      "\"", "\\", "\r\n", "a", " ", ";", "=", "\u{E4}", "\u{1F600}", "'", "*", "\u{1}", "\t", "%",
    ]
    return (0..<Int.random(in: 0...8, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
      .joined()
  }

  /// The same content in memory, in a file, or as a stream in random chunks.
  private static func body(_ content: [UInt8], in directory: ScratchDirectory, _ random: inout SplitMix)
    throws
    -> Request.Body
  {
    let bytes = Bytes(content)
    let length = random.next() % 2 == 0 ? Int64(content.count) : nil
    var list: [Bytes] = []
    var rest = content[...]
    while !rest.isEmpty {
      let piece = rest.prefix(Int.random(in: 1...max(1, content.count), using: &random))
      list.append(Bytes(piece))
      rest = rest.dropFirst(piece.count)
    }
    switch random.next() % 4 {
    case 0: return .bytes(bytes)
    case 3:
      let before = Int.random(in: 0...9, using: &random)
      let file = try directory.file("\(random.next())", Array(repeating: 1, count: before) + content + [2])
      return try .file(file, range: Int64(before)..<Int64(before + content.count))
    case 1: return .stream(length: length) { [list] in chunks(list) }
    default: return .source(length: length, isReplayable: true) { [list] in ScriptedSource(chunks: list) }
    }
  }

  @Test(arguments: 1...40)
  func whatIsWrittenReadsBack(seed: UInt64) async throws {
    var random = SplitMix(state: seed)
    let originals = (0..<Int.random(in: 0...6, using: &random)).map { _ in
      (name: Self.name(&random), fileName: Self.name(&random), content: Self.content(&random))
    }
    // Content that holds the whole boundary line would be an end: none does, since it lacks "?" behind "--b=:".
    let usable = originals.filter { !String(decoding: $0.content, as: UTF8.self).contains("--b=:?") }
    let directory = try ScratchDirectory()
    let parts = try usable.map { original in
      MultipartBody.Part(
        name: original.name,
        fileName: original.fileName,
        body: try Self.body(original.content, in: directory, &random)
      )
    }
    var request = Request(.post, "/")
    try RequestContent.multipart(.form(parts, boundary: Self.boundary)).apply(to: &request)
    let written = try await read(request.body)
    if let length = request.body.length { #expect(length == Int64(written.count)) }
    #expect(try await read(request.body) == written)

    let type = request.fields[.contentType].flatMap { MediaType($0) }
    let whole = try MultipartPart.all(in: written, of: type)
    #expect(whole.map(\.content) == usable.map { Bytes($0.content) })
    #expect(whole.map(\.name) == usable.map(\.name))
    #expect(whole.map(\.disposition?.rawFileName) == usable.map(\.fileName))
    for largest in [1, 2, 3, 7, 64, 1_000, 100_000] where largest > 3 || written.count < 20_000 {
      var sizes = random
      let read = ReadMultipart(written.array, boundary: Self.boundary) {
        Int.random(in: 1...largest, using: &sizes)
      }
      #expect(read.parts.map { Bytes($0.content) } == usable.map { Bytes($0.content) })
      #expect(read.isClosed && read.error == nil)
    }
  }

  /// Whatever the octets, the chunks they come in change nothing.
  @Test(arguments: 1...10)
  func anyOctetsReadTheSameUnderAnyChunking(seed: UInt64) {
    var random = SplitMix(state: seed)
    let pieces = [
      "--B", "\r\n--B", "\n--B", "--", "\r\n", "\n", "\r", " ", "\t", "-", "x: y", "\r\n\r\n", "B", ":", "\0",
      "text",
      "--B\r\n\r\n", "\r\n--B--", "--B\n\n",
    ]
    var limits = MultipartLimits()
    (limits.partCount, limits.headSize, limits.preambleSize) = (4, 24, 12)
    for _ in 0..<500 {
      let octets = (0..<Int.random(in: 0...16, using: &random))
        .flatMap { _ in Array((pieces.randomElement(using: &random) ?? "").utf8) }
      let whole = ReadMultipart(octets, boundary: "B", limits: limits)
      #expect(whole.isClosed == (whole.error == nil))
      for largest in [1, 2, 5] {
        let read = ReadMultipart(octets, boundary: "B", limits: limits) {
          Int.random(in: 1...largest, using: &random)
        }
        #expect(read == whole, "\(String(decoding: octets, as: UTF8.self).debugDescription)")
      }
    }
  }
}
