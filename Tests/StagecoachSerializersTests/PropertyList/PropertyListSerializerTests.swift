import Foundation
import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite struct PropertyListSerializerTests {
  private struct Coach: Codable, Sendable, Equatable {
    var name = "Grüße <&>"
    var wheels = 4
    var built = Date(timeIntervalSinceReferenceDate: 12345)
    var seal = Data([0, 1, 255])
    var parts: [[String: Double]] = [["a": 1.5], [:]]
    var isFast = true
  }

  /// Any list at all, however deep.
  private indirect enum Tree: Decodable, Sendable {
    case leaf
    case list([Tree])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      self = (try? container.decode([Tree].self)).map(Tree.list) ?? .leaf
    }
  }

  private static func decode<Value: Decodable & Sendable>(_ body: Bytes, as type: Value.Type) async throws
    -> Value
  {
    let response = Response(.ok, fields: [.contentType: "application/x-plist"], body: .bytes(body))
    return try await PropertyListResponseSerializer(type).serialize(response)
  }

  private static func xml(_ content: String) -> Bytes {
    Bytes(#"<?xml version="1.0" encoding="UTF-8"?><plist version="1.0">\#(content)</plist>"#)
  }

  @Test(arguments: [PropertyListFormat.xml, .binary])
  func whatIsSentCanBeRead(format: PropertyListFormat) async throws {
    let transport = HandlerTransport { request in
      Response(
        .ok,
        fields: [.contentType: request.fields[.contentType] ?? ""],
        body: .bytes(request.body.bytes ?? "")
      )
    }
    let client = try Client(over: transport, base: "http://h/")
    let content = RequestContent.propertyList(Coach(), format: format)
    let echoed = try await client.post("coach", content, as: .propertyList(Coach.self))
    #expect(echoed == Coach())
    let bytes = try #require(transport.requests.first?.body.bytes)
    #expect(String(decoding: bytes).hasPrefix(format == .xml ? "<?xml" : "bplist00"))
    #expect(transport.requests.first?.fields[.accept] == "application/x-plist")
  }

  @Test func theCallersTypeStays() throws {
    var request = Request.post("http://h/")
    request.fields[.contentType] = "application/vnd.coach"
    try RequestContent.propertyList(["a": 1]).apply(to: &request)
    #expect(request.fields[.contentType] == "application/vnd.coach")
  }

  /// The root of a property list is an array or a dictionary.
  @Test func refusesToSendAValueThatIsNotAPropertyList() throws {
    var request = Request.post("http://h/", body: .bytes("old"))
    let error = #expect(throws: ExchangeError.self) {
      try RequestContent.propertyList(7).apply(to: &request)
    }
    #expect(error?.kind == .requestSerialization)
    #expect(error?.underlying is EncodingError)
    #expect(request.body.bytes == "old")
    #expect(request.fields.isEmpty)
  }

  @Test func anEmptyBodyIsNilWhereNilIsAllowed() async throws {
    #expect(try await Self.decode("", as: [Int]?.self) == nil)
    let error = await #expect(throws: ExchangeError.self) { try await Self.decode("", as: [Int].self) }
    #expect(error?.kind == .serialization)
    #expect(error?.message == "the body is empty (expected a property list)")
  }

  @Test(arguments: [#"{"a":1}"#, "(1, 2)", "text", "<array x=\"1\"></array>", "\u{FEFF}"])
  func refusesABodyThatIsNotAPropertyList(body: String) async throws {
    let error = await #expect(throws: ExchangeError.self) {
      try await Self.decode(Bytes(body), as: [Int].self)
    }
    #expect(error?.kind == .serialization)
    #expect(error?.bodyPrefix == Bytes(body))
  }

  @Test func anErrorSaysWhere() async throws {
    let body = Self.xml("<array><dict><key>a</key><string>x</string></dict></array>")
    let error = await #expect(throws: ExchangeError.self) {
      try await Self.decode(body, as: [[String: Int]].self)
    }
    #expect(error?.message.contains("$[0].a") == true)
  }

  @Test(arguments: [512, 513, 100_000])
  func nestingHasALimit(depth: Int) async throws {
    // What hides a closing tag from the decoder must not hide the nesting from the limit.
    for open in [
      "<array>", "<array ><!-- </array> -->", "<array><![CDATA[</array>]]>", "<array>\n<?x </array>?>",
    ] {
      let body = Self.xml(
        String(repeating: open, count: depth) + String(repeating: "</array>", count: depth)
      )
      let error = await Self.refusal { try await Self.decode(body, as: Tree.self) }
      if depth > 512 {
        #expect(error?.kind == .limit(.structure))
      } else {
        #expect(error?.kind != .limit(.structure))
      }
    }
  }

  @Test func nestingInUTF16HasTheLimitToo() async throws {
    let text = "<plist version=\"1.0\">" + String(repeating: "<array>", count: 100_000)
    let units = ([0xFEFF] + Array(text.utf16)).flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let error = await Self.refusal { try await Self.decode(Bytes(units), as: Tree.self) }
    #expect(error?.kind == .limit(.structure))
  }

  /// What the system's decoder takes for lists, or for the end of what is skipped, in ways of its own: unless they are
  /// refused here, these exhaust its stack.
  @Test(arguments: [
    ("", "<plist>"), ("", "<arrayx>"), ("<?>", "<array>"), ("<!--", "<array>"), ("", "<Array>"),
    ("", "<array><string><![CDATA[]]\0></array>]]></string>"), ("<!DOCTYPE a>", "<array>"),
  ])
  func whatHidesNestingIsRefused(start: String, repeated: String) async {
    let body = Self.xml(start + String(repeating: repeated, count: 100_000))
    let error = await Self.refusal { try await Self.decode(body, as: Tree.self) }
    #expect(error?.kind == .serialization)
  }

  /// The octets of these characters are those of the beginning of a comment.
  @Test func octetsOfUTF16AreNotReadAsMarkup() async {
    let text =
      "<plist><array><string>\u{3C21}\u{2D2D}</string>" + String(repeating: "<array>", count: 100_000)
    let units = ([0xFEFF] + Array(text.utf16)).flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let error = await Self.refusal { try await Self.decode(Bytes(units), as: Tree.self) }
    #expect(error?.kind == .limit(.structure))
  }

  private static func refusal(_ decode: () async throws -> Tree) async -> ExchangeError? {
    do {
      _ = try await decode()
      return nil
    } catch {
      return error as? ExchangeError
    }
  }

  // MARK: Binary

  /// A binary list of these objects; the first is the root.
  private static func binary(_ objects: [[UInt8]], referenceSize: UInt8 = 1) -> Bytes {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
      bytes += object
    }
    let table = bytes.count
    bytes += offsets
    bytes += [0, 0, 0, 0, 0, 0, 2, referenceSize]
    for number in [objects.count, 0, table] {
      bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
    return Bytes(bytes)
  }

  @Test func aListThatRefersToItselfIsRefused() async throws {
    for objects in [[[0xA1, 0]], [[0xA1, 1], [0xA1, 0]], [[0xD1, 1, 0], [0x51, 0x61]]] as [[[UInt8]]] {
      let error = await Self.refusal { try await Self.decode(Self.binary(objects), as: Tree.self) }
      #expect(error?.kind == .limit(.structure))
      #expect(error?.message == "the property list refers to itself")
    }
  }

  @Test func aListThatUnfoldsWithoutEndIsRefused() async throws {
    let objects = (0..<40).map { [0xA2, UInt8($0 + 1), UInt8($0 + 1)] } + [[0x08]]
    let error = await Self.refusal { try await Self.decode(Self.binary(objects), as: Tree.self) }
    #expect(error?.message == "the property list expands to more than 1000000 values")
  }

  @Test(arguments: [200, 511, 512, 600])
  func binaryNestingHasALimit(lists: Int) async throws {
    // Two octets for a reference; the last object is a leaf, so the depth is one more.
    let objects = (1...lists).map { [0xA1, UInt8($0 >> 8), UInt8($0 & 0xFF)] } + [[0x09]]
    let error = await Self.refusal {
      try await Self.decode(Self.binary(objects, referenceSize: 2), as: Tree.self)
    }
    #expect(error?.kind == (lists > 511 ? .limit(.structure) : nil))
  }

  /// What the system's decoder reads in ways of its own, or does not survive.
  @Test func malformedBinaryListsAreRefused() async {
    let lists = [
      // A length of 2^63, and one of sixteen octets.
      Self.binary([[0xAF, 0x13, 0x80, 0, 0, 0, 0, 0, 0, 0]]),
      Self.binary([[0xAF, 0x14] + [UInt8](repeating: 0, count: 15) + [1, 0]]),
      // References of nine octets, to itself; to what there is not; more of them than there are octets.
      Self.binary([[0xA1] + [UInt8](repeating: 0, count: 9)], referenceSize: 9),
      Self.binary([[0xA1, 7]]),
      Self.binary([[0xAE, 0]]),
    ]
    for list in lists {
      let error = await Self.refusal { try await Self.decode(list, as: Tree.self) }
      #expect(error?.kind == .serialization)
    }
  }

  @Test func hostileBinaryListsAreErrors() async throws {
    let coach = try PropertyListEncoder.binary(Coach())
    for cut in 0..<coach.count {
      _ = await #expect(throws: ExchangeError.self) {
        try await Self.decode(Bytes(coach.prefix(cut)), as: Coach.self)
      }
    }
    var random = SplitMix(state: 7)
    for _ in 0..<2_000 {
      var bytes = coach
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 8..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      _ = try? await Self.decode(Bytes(bytes), as: Coach.self)
      _ = try? await Self.decode(Bytes(bytes), as: Tree.self)
    }
  }
}

extension PropertyListEncoder {
  fileprivate static func binary(_ value: some Encodable) throws -> [UInt8] {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    return Array(try encoder.encode(value))
  }
}
