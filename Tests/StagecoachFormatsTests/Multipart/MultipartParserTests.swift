import HTTPTypes
import StagecoachFormats
import TestSupport
import Testing

@Suite struct MultipartParserTests {
  /// Reads text whole, in every pair of chunks, and octet by octet, which must not differ.
  private static func read(
    _ text: String,
    boundary: String = "B",
    limits: MultipartLimits = MultipartLimits()
  ) -> ReadMultipart {
    let octets = Array(text.utf8)
    let whole = ReadMultipart(octets, boundary: boundary, limits: limits)
    #expect(ReadMultipart(octets, boundary: boundary, limits: limits) { 1 } == whole)
    for cut in 1..<max(2, octets.count) {
      #expect(
        ReadMultipart(octets, boundary: boundary, limits: limits) { cut } == whole,
        "in chunks of \(cut)"
      )
    }
    return whole
  }

  /// Content, the texts of its parts, and whether the closing boundary came.
  @Test(
    arguments: [
      ("--B\r\n\r\na\r\n--B--\r\n", ["a"]), ("--B\r\n\r\na\r\n--B--", ["a"]),
      ("--B\r\n\r\na\r\n--B--\r", ["a"]),
      ("--B--\r\n", []), ("--B--", []), ("preamble\r\n--B--", []), ("\r\n--B--", []), ("\n--B--", []),
      ("--B\r\n\r\n\r\n--B--", [""]), ("--B\r\n\r\n--B--", [""]), ("--B\r\nx: y\r\n\r\n--B--", [""]),
      ("--B\r\n\r\n--B\r\n\r\n--B--", ["", ""]), ("--B\r\n\r\n\r\n\r\n--B--", ["\r\n"]),
      ("--B\r\n\r\na\r\n--B\r\n\r\nb\r\n--B--", ["a", "b"]),
      ("pre\r\n--Bx\r\n --B\r\n--B\r\n\r\na\r\n--B--\r\nepilogue\r\n--B\r\n\r\nnot", ["a"]),
      ("--B \t\r\n\r\na\r\n--B  \r\n\r\nb\r\n--B-- \t\r\n", ["a", "b"]),
      // What only starts like a boundary is content.
      (
        "--B\r\n\r\na\r\n--Bc\r\n--B-\r\n--B--x\r\n--B -\r\n --B\r\n-B\r\n--\r\n--B--",
        [
          "a\r\n--Bc\r\n--B-\r\n--B--x\r\n--B -\r\n --B\r\n-B\r\n--"
        ]
      ),
      ("--B\r\n\r\n--Ba\r\n--B--", ["--Ba"]), ("--B\r\n\r\n\r\r\n\r\n--B--", ["\r\r\n"]),
      ("--B\r\n\r\n\r\n--B\r\r\n--B--", ["\r\n--B\r"]), ("--B\r\n\r\na\r\n--B\r \r\n--B--", ["a\r\n--B\r "]),
      // A bare LF is content after CRLF, and a boundary's line may end in it.
      ("--B\r\n\r\na\n--B\nb\r\n--B\n\r\nc\r\n--B--", ["a\n--B\nb", "c"]),
      // LF alone throughout.
      ("--B\n\na\n--B\nx: y\n\nb\n\n--B--\n", ["a", "b\n"]), ("x\n--B\n\na\r\n--B--", ["a\r"]),
      ("--B\n\n--B--", [""]), ("x\r\n--B\n\na\n--B--", ["a"]),
    ] as [(String, [String])]
  )
  func readsAllPartsOfACompleteBody(text: String, contents: [String]) {
    let read = Self.read(text)
    #expect(read.parts.map(\.text) == contents)
    #expect(read.error == nil)
    #expect(read.isClosed)
    #expect(read.parts.allSatisfy { $0.isComplete })
  }

  @Test func longPaddingIsContent() {
    let padding = String(repeating: " ", count: 128)
    #expect(Self.read("--B\r\n\r\na\r\n--B\(padding)\r\n--B--").parts.map(\.text) == ["a\r\n--B\(padding)"])
    #expect(
      Self.read("--B\r\n\r\na\r\n--B\(padding.dropLast())\r\n\r\nb\r\n--B--").parts.map(\.text) == ["a", "b"]
    )
  }

  @Test func doesNotParseNestedContent() {
    let inner = "--BB\r\n\r\ninner\r\n--BB--"
    let read = Self.read("--B\r\nContent-Type: multipart/mixed; boundary=BB\r\n\r\n\(inner)\r\n--B--\r\n")
    #expect(read.parts.map(\.text) == [inner])
    #expect(ReadMultipart(Array(inner.utf8), boundary: "BB").parts.map(\.text) == ["inner"])
  }

  @Test func keepsEveryHeaderFieldOfAPart() {
    let read = Self.read(
      "--B\r\nContent-Type:text/plain\r\nX-Folded: a\r\n  b\t\r\n\tc\r\nx-empty:\r\nX : y\nX: \u{E4}\u{1}\r\n\r\n--B--"
    )
    #expect(
      read.parts.map(\.fields) == [
        ["Content-Type: text/plain", "X-Folded: a b c", "x-empty: ", "X: y", "X: \u{E4}\u{1}"]
      ]
    )
    #expect(read.error == nil)
  }

  @Test(arguments: [
    "no colon", ": no name", "a b: c", " folded nothing", "a: b\rc", "a: \0", "\u{E4}: a", "--B", "--B--",
  ])
  func refusesAMalformedHeaderLine(line: String) {
    let read = Self.read("--B\r\n\r\na\r\n--B\r\n\(line)\r\n\r\nb\r\n--B--")
    #expect(read.parts.map(\.text) == ["a"])
    #expect(read.error == .invalidField(part: 2, line: line))
    #expect(read.error?.description.contains("part 2") == true)
  }

  /// Nothing that came is lost: content goes up to where it was cut off.
  @Test(
    arguments: [
      ("", [], 0), ("preamble", [], 0), ("--b\r\n\r\na\r\n--b--", [], 0), ("--B", [], 0), ("--B-", [], 0),
      ("--B\r\n", [], 1), ("--B\r\nx: y", [], 1), ("--B\r\nx: y\r\n\r\n", [""], 1),
      ("--B\r\n\r\n--B", ["--B"], 1),
      ("--B\r\n\r\na", ["a"], 1), ("--B\r\n\r\na\r\n--", ["a\r\n--"], 1),
      ("--B\r\n\r\na\r\n--B", ["a\r\n--B"], 1),
      ("--B\r\n\r\na\r\n--B-", ["a\r\n--B-"], 1), ("--B\r\n\r\na\r\n--B \r", ["a\r\n--B \r"], 1),
      ("--B\r\n\r\na\r\n--B\r\n", ["a"], 2), ("--B\r\n\r\na\n--B--", ["a\n--B--"], 1),
    ] as [(String, [String], Int)]
  )
  func aTruncatedBodyKeepsItsCompleteParts(text: String, contents: [String], parts: Int) {
    let read = Self.read(text)
    #expect(read.error == .truncated(parts: parts))
    #expect(read.parts.map(\.text) == contents)
    #expect(!read.isClosed)
  }

  @Test func refusesBodiesBeyondTheLimits() {
    var limits = MultipartLimits()
    (limits.partCount, limits.headSize, limits.preambleSize, limits.boundaryLength) = (2, 20, 10, 3)
    let head = "X: " + String(repeating: "a", count: 13)
    #expect(Self.read("--B\r\n\(head)\r\n\r\n\r\n--B--", limits: limits).error == nil)
    for long in ["--B\r\n\(head)a\r\n\r\n", "--B\r\n\(head)aaaaaaaaaaaaaaaa", "--B\r\na:\r\n\(head)\r\n"] {
      #expect(Self.read(long, limits: limits).error == .limit(.headSize, 20))
    }
    // Each part has room of its own.
    #expect(
      Self.read("--B\r\n\(head)\r\n\r\n\r\n--B\r\n\(head)\r\n\r\n\r\n--B--", limits: limits).error == nil
    )
    #expect(Self.read("--B\r\n\r\n--B\r\n\r\n--B--", limits: limits).error == nil)
    let three = Self.read("--B\r\n\r\n--B\r\n\r\n--B\r\n\r\n--B--", limits: limits)
    #expect(three.error == .limit(.partCount, 2))
    #expect(three.parts.map(\.isComplete) == [true, true])
    #expect(Self.read("12345678\n\n--B--", limits: limits).error == nil)
    #expect(Self.read("1234567890\n--B--", limits: limits).error == nil)
    #expect(Self.read("12345678901\n--B--", limits: limits).error == .limit(.preambleSize, 10))
    #expect(Self.read("12345\n--Bx\n--B--", limits: limits).error == nil)
    #expect(Self.read("123456\n--Bx\n--B--", limits: limits).error == .limit(.preambleSize, 10))
    #expect(Self.read("--BBB--", boundary: "BBB", limits: limits).error == nil)
    #expect(Self.read("--BBBB--", boundary: "BBBB", limits: limits).error == .limit(.boundaryLength, 3))
  }

  /// However many bytes are allowed, since `HTTPFields` traps at 65,535 fields.
  @Test(arguments: [(1_000, true), (1_001, false), (65_535, false)])
  func fieldsAreCounted(count: Int, isFine: Bool) {
    var limits = MultipartLimits()
    limits.headSize = 1 << 20
    let text = "--B\r\n" + String(repeating: "a:\r\n", count: count) + "\r\n--B--"
    let read = ReadMultipart(Array(text.utf8), boundary: "B", limits: limits)
    let error: MultipartError? = isFine ? nil : .limit(.headSize, 1 << 20)
    #expect(read.error == error)
    #expect(read.parts.map(\.fields.count) == (isFine ? [count] : []))
  }

  @Test func keepsReportingTheFirstError() throws {
    var parser = try MultipartParser(boundary: "B")
    parser.feed("--B\r\nbad\r\n\r\n--B--")
    for _ in 1...2 {
      #expect(throws: MultipartError.invalidField(part: 1, line: "bad")) { try parser.next() }
      parser.feed("--B\r\n\r\n--B--")
    }
  }

  @Test func theBoundaryComesFromTheMediaType() throws {
    for text in ["text/plain; boundary=B", "multipart/mixed", "multipart/mixed; boundary=\"\"", "garbage"] {
      #expect(throws: MultipartError.missingBoundary) {
        try MultipartParser(mediaType: MediaType(text))
      }
    }
    for boundary in ["a\r", "a\n", "a\0"] {
      #expect(throws: MultipartError.invalidBoundary(boundary)) { try MultipartParser(boundary: boundary) }
    }
    let type = MediaType("multipart/form-data; boundary=\"a 'b'\"")
    let parts = try MultipartPart.all(
      in: "--a 'b'\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\nv\r\n--a 'b'--",
      of: type
    )
    #expect(parts.map(\.name) == ["n"])
    #expect(parts.map(\.content) == ["v"])
  }

  @Test func contentSharesTheMemoryOfItsChunk() throws {
    let chunk = Bytes("--B\r\n\r\n" + String(repeating: "a", count: 1000) + "\r\n--B--")
    let part = try #require(
      try MultipartPart.all(in: chunk, of: MediaType("multipart/mixed; boundary=B")).first
    )
    let inside = chunk.withUnsafeBytes { all in
      part.content.withUnsafeBytes { $0.baseAddress == all.baseAddress.map { $0 + 7 } }
    }
    #expect(inside)
    #expect(part.content.count == 1000)
  }

  /// The second example of RFC 2046 5.1.1, with its implicitly typed part.
  @Test func readsTheExampleOfTheStandard() {
    let read = Self.read(
      """
      This is the preamble.  It is to be ignored, though it\r
      is a handy place for composition agents to include an\r
      explanatory note to non-MIME conformant readers.\r
      \r
      --simple boundary\r
      \r
      This is implicitly typed plain US-ASCII text.\r
      It does NOT end with a linebreak.\r
      --simple boundary\r
      Content-type: text/plain; charset=us-ascii\r
      \r
      This is explicitly typed plain US-ASCII text.\r
      It DOES end with a linebreak.\r
      \r
      --simple boundary--\r
      \r
      This is the epilogue.  It is also to be ignored.
      """,
      boundary: "simple boundary"
    )
    #expect(
      read.parts.map(\.text) == [
        "This is implicitly typed plain US-ASCII text.\r\nIt does NOT end with a linebreak.",
        "This is explicitly typed plain US-ASCII text.\r\nIt DOES end with a linebreak.\r\n",
      ]
    )
    #expect(read.parts.map(\.fields) == [[], ["Content-type: text/plain; charset=us-ascii"]])
    #expect(read.isClosed)
  }
}
