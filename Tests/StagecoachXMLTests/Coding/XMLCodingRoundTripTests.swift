import Stagecoach
import StagecoachXML
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What is encoded decodes again.
@Suite struct XMLCodingRoundTripTests {
  struct Everything: Codable, Equatable {
    @XMLAttribute var id: Int64
    @XMLAttribute var note: String?
    @XMLAttribute var numbers: [UInt8]
    var text: String
    var maybe: String?
    var double: Double
    var float: Float?
    var bool: Bool
    var date: Date
    var data: Data
    var url: URL?
    var words: [String]
    var wrapped: [Int?]
    var grid: [[Int]]
    var nested: [Everything]
    var shapes: [XMLDecoderKeysTests.Shape]

    enum CodingKeys: String, CodingKey {
      case id, note, numbers, text, maybe, double, float, bool, date, data, url, words, grid, nested
      case wrapped = "all/value", shapes = "*"
    }
  }

  private static func text(_ generator: inout some RandomNumberGenerator) -> String {
    let alphabet =
      Array("abc <>&\"' \n\r\t\u{E4}\u{1F600}]]>é日\u{85}\u{2028}\u{7F}").map { String($0) } + ["\r\n", "]]>"]
    return (0..<Int.random(in: 0...12, using: &generator))
      .map { _ in alphabet.randomElement(using: &generator) ?? "a" }.joined()
  }

  private static func shape(_ depth: Int, _ generator: inout some RandomNumberGenerator)
    -> XMLDecoderKeysTests.Shape
  {
    switch Int.random(in: 0...(depth > 0 ? 4 : 3), using: &generator) {
    case 0: .circle(XMLDecoderKeysTests.Circle(r: Int.random(in: -9...9, using: &generator)))
    case 1: .rect(width: 1, height: Int.random(in: 0...9, using: &generator))
    case 2: .empty
    case 3: .label(text(&generator))
    default:
      .group(
        XMLDecoderKeysTests.Group(
          shapes: (0..<Int.random(in: 0...3, using: &generator)).map { _ in shape(depth - 1, &generator) }
        )
      )
    }
  }

  private static func value(_ depth: Int, _ generator: inout some RandomNumberGenerator) -> Everything {
    func count() -> Range<Int> { 0..<Int.random(in: 0...3, using: &generator) }
    return Everything(
      id: Int64.random(in: .min ... .max, using: &generator),
      note: Bool.random(using: &generator) ? text(&generator) : nil,
      numbers: count().map { _ in UInt8.random(in: 0...255, using: &generator) },
      text: text(&generator),
      maybe: Bool.random(using: &generator) ? text(&generator) : nil,
      double: Double.random(in: -1e9...1e9, using: &generator),
      float: Bool.random(using: &generator) ? Float.random(in: -1...1, using: &generator) : nil,
      bool: Bool.random(using: &generator),
      date: Date(
        timeIntervalSinceReferenceDate: Double(Int64.random(in: -(1 << 40)...(1 << 40), using: &generator))
          / 512
      ),
      data: Data(count().map { _ in UInt8.random(in: 0...255, using: &generator) }),
      url: Bool.random(using: &generator)
        ? URL(string: "http://h/\(UInt16.random(in: 0...99, using: &generator))?a&b") : nil,
      words: count().map { _ in text(&generator) },
      wrapped: count().map { _ in
        Bool.random(using: &generator) ? Int.random(in: 0...9, using: &generator) : nil
      },
      grid: count().map { _ in count().map { _ in Int.random(in: 0...9, using: &generator) } },
      nested: depth > 0 ? count().map { _ in value(depth - 1, &generator) } : [],
      shapes: count().map { _ in shape(2, &generator) }
    )
  }

  private static let encoders: [XMLEncoder] = {
    var marked = XMLEncoder()
    marked.nilStyle = .marked
    marked.keyCase = .capitalized
    marked.namespaces = ["": "urn:x"]
    marked.dataStyle = .hexadecimal
    return [XMLEncoder(), marked]
  }()

  @Test(arguments: 0..<encoders.count)
  func anyValueIsDecodedAsItWasEncoded(encoder index: Int) throws {
    let encoder = Self.encoders[index]
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<60 {
      let value = Self.value(2, &generator)
      let element = try encoder.element(for: value, root: "everything")
      #expect(try XMLDecoder(reading: encoder).decode(from: element) == value)
      for options in Self.forms {
        let bytes = try encoder.encode(value, root: "everything", options: options)
        #expect(
          try XMLDecoder(reading: encoder).decode(from: bytes) == value,
          "\(String(decoding: bytes, as: UTF8.self))"
        )
      }
    }
  }

  /// How documents are written: as they are, with layout, in a charset that lacks characters.
  private static let forms = [
    XML.WritingOptions(), XML.WritingOptions(isPretty: true, hasDeclaration: true),
    XML.WritingOptions(hasDeclaration: true, charset: .isoLatin1),
    XML.WritingOptions(hasDeclaration: true, charset: .utf16),
  ]

  @Test func datesAreDecodedAsTheyWereEncoded() throws {
    for style in [XMLEncoder.DateStyle.iso8601, .seconds] {
      var encoder = XMLEncoder()
      encoder.dateStyle = style
      for _ in 0..<2000 {
        let date = Date(
          timeIntervalSinceReferenceDate: Double(Int64.random(in: -(1 << 44)...(1 << 44))) / 512
        )
        let element = try encoder.element(for: date, root: "d")
        #expect(try XMLDecoder(reading: encoder).decode(from: element) == date)
        #expect(try XMLDecoder(reading: encoder).decode(from: element.serialized()) == date)
      }
    }
    var encoder = XMLEncoder()
    encoder.dateStyle = .internetMessage
    for _ in 0..<500 {
      let date = Date(timeIntervalSince1970: Double(Int64.random(in: -60_000_000_000...250_000_000_000)))
      let element = try encoder.element(for: date, root: "d")
      #expect(try XMLDecoder(reading: encoder).decode(from: element) == date)
    }
  }

  @Test func mixedContentIsDecodedAsItWasEncoded() throws {
    let paragraph = XMLDecoderKeysTests.Paragraph(
      content: [
        .text(" a "), .b(XMLDecoderKeysTests.Paragraph(content: [.br, .text("b")])), .text("c"), .br,
      ]
    )
    let element = try XMLEncoder().element(for: paragraph, root: "p")
    #expect(try XMLDecoder().decode(from: element) == paragraph)
    for options in Self.forms {
      #expect(try XMLDecoder().decode(from: element.serialized(options)) == paragraph)
    }
  }
}
