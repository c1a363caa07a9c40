import StagecoachXML
import Testing

@Suite struct DocumentParserTests {
  private static let feed = """
    <?xml version="1.0" encoding="UTF-8"?>
    <?style href="a.css"?>
    <!-- a feed -->
    <feed xmlns="urn:atom" xmlns:m="urn:media">
      <title lang='de'>Grüße &amp; &#x1F600;</title>
      <m:entry m:id="1" id="2"><![CDATA[a < b & c]]></m:entry>
      <empty/>
    </feed>
    """

  @Test(arguments: [1, 2, 7, 64, 4096])
  func chunksOfAnySizeGiveTheSameDocument(chunk: Int) throws {
    let document = try parse(Self.feed, chunk: chunk)
    #expect(document.root.name == "feed")
    #expect(document.root.elements.map(\.name) == ["title", "m:entry", "empty"])
    #expect(document.root.elements[0].text == "Grüße & 😀")
    #expect(document.root.elements[1].text == "a < b & c")
    #expect(document.node.children.map(\.kind) == [.processingInstruction, .comment, .element])
    #expect(document.xmlString == (try parse(Self.feed)).xmlString)
  }

  @Test func emptyChunksChangeNothing() throws {
    let parser = XML.DocumentParser()
    let empty = UnsafeRawBufferPointer(start: nil, count: 0)
    try parser.append(empty)
    for byte in Array("<a>b</a>".utf8) {
      try [byte].withUnsafeBufferPointer { bytes throws(XML.ParseError) in
        try parser.append(UnsafeRawBufferPointer(bytes))
      }
      try parser.append(empty)
    }
    #expect(try parser.finish().root.text == "b")
  }

  @Test func chunksLargerThanLibxml2Accepts() throws {
    let item = "<item>" + String(repeating: "x", count: 1000) + "</item>"
    let text = "<list>" + String(repeating: item, count: 12_000) + "</list>"
    let document = try parse(text, chunk: .max)
    #expect(document.root.elements.count == 12_000)
  }

  @Test func finishingTwiceGivesTheSameDocument() throws {
    let parser = XML.DocumentParser()
    try Array("<a/>".utf8).withUnsafeBytes { try parser.append($0) }
    let document = try parser.finish()
    #expect(try parser.finish() === document)
    #expect(throws: XML.ParseError(reason: .finished)) {
      try Array("<b/>".utf8).withUnsafeBytes { try parser.append($0) }
    }
    #expect(try parser.finish() === document)
  }

  @Test func keepsReportingTheFirstError() throws {
    let parser = XML.DocumentParser()
    let first = #expect(throws: XML.ParseError.self) {
      try Array("<a></b>".utf8).withUnsafeBytes { try parser.append($0) }
      _ = try parser.finish()
    }
    let second = #expect(throws: XML.ParseError.self) {
      try Array("<a/>".utf8).withUnsafeBytes { try parser.append($0) }
    }
    let third = #expect(throws: XML.ParseError.self) { _ = try parser.finish() }
    #expect(first == second)
    #expect(first == third)
  }

  @Test func aParserMayBeDroppedAtAnyTime() throws {
    for count in 0...Self.feed.utf8.count {
      let parser = XML.DocumentParser()
      try Array(Self.feed.utf8.prefix(count)).withUnsafeBytes { try parser.append($0) }
    }
  }

  @Test func anEmptyDocumentIsAnError() {
    #expect(parseError("")?.reason == .empty)
    for chunk in [1, 4096] {
      for text in [" ", "\n", "\r\n\t ", String(repeating: " ", count: 100)] {
        #expect(parseError(text, chunk: chunk)?.reason == .empty)
      }
      #expect(parseError([0xEF, 0xBB, 0xBF], chunk: chunk)?.reason == .empty)
      #expect(parseError([0xFF, 0xFE], chunk: chunk)?.reason == .empty)
    }
  }

  @Test(arguments: [1, 7, 4096])
  func everyTruncationIsAnError(chunk: Int) {
    let bytes = Array(Self.feed.utf8)
    for count in 0..<bytes.count {
      let error = parseError(Array(bytes.prefix(count)), chunk: chunk)
      switch error?.reason {
      case .malformed, .empty: break
      default: Issue.record("\(count) bytes: \(String(describing: error))")
      }
    }
  }

  /// libxml2 reads on behind an error in the declaration, for ever if it were stopped within it.
  @Test(arguments: [1, 7, 4096])
  func anXMLDeclarationMayBeCutOrDamaged(chunk: Int) {
    let declaration = "<?xml version=\"1.0\" encoding='utf-8' standalone=\"yes\" ?>"
    for index in declaration.indices {
      #expect(parseError(String(declaration[..<index]), chunk: chunk) != nil)
      for damage in ["<", "?", "\"", "\u{E9}", "  x"] {
        let text = declaration[..<index] + damage + declaration[index...] + "<a/>"
        // White space and characters in values do not always matter.
        _ = try? parse(String(text), chunk: chunk)
      }
    }
  }

  struct Malformed: Sendable, CustomTestStringConvertible {
    var text: String
    var line: Int
    var column: ClosedRange<Int>
    var message: String
    var testDescription: String { text }
  }

  @Test(arguments: [
    Malformed(text: "<a>\n  <b>\n  </c>\n</a>", line: 3, column: 3...8, message: "mismatch"),
    Malformed(text: "<a>\n<b></a>", line: 2, column: 4...9, message: "mismatch"),
    Malformed(text: "<a x='1'\n x='2'/>", line: 2, column: 2...9, message: "redefined"),
    Malformed(text: "<a x=1/>", line: 1, column: 4...8, message: "AttValue"),
    Malformed(text: "hello", line: 1, column: 1...2, message: "Start tag expected"),
    Malformed(text: "{\"json\": true}", line: 1, column: 1...2, message: "Start tag expected"),
    Malformed(text: "<a/><b/>", line: 1, column: 5...6, message: "Extra content"),
    Malformed(text: "<a/>\n\ntext", line: 3, column: 1...2, message: "Extra content"),
    Malformed(text: "<a>&#0;</a>", line: 1, column: 4...9, message: "invalid"),
    Malformed(text: "<a>\u{1}</a>", line: 1, column: 4...5, message: "PCDATA invalid Char"),
    Malformed(text: "<a>]]></a>", line: 1, column: 4...8, message: "']]>' not allowed"),
    Malformed(text: "<p:a/>", line: 1, column: 1...7, message: "Namespace prefix p"),
    Malformed(text: "<a><!-- -- --></a>", line: 1, column: 4...12, message: "hyphen"),
    Malformed(text: "<?xml version='1.0'?>\n\n<a", line: 3, column: 1...3, message: "find end of Start Tag"),
  ])
  func malformedDocumentsAreNamedWithLineAndColumn(_ malformed: Malformed) throws {
    for chunk in [1, 7, 4096] {
      let error = try #require(parseError(malformed.text, chunk: chunk))
      guard case .malformed(let message) = error.reason else {
        Issue.record("\(error)")
        continue
      }
      #expect(message.contains(malformed.message), "\(message)")
      #expect(error.line == malformed.line)
      #expect(malformed.column.contains(error.column), "column \(error.column)")
      #expect(error.description.hasPrefix("XML line \(error.line), column \(error.column): "))
      #expect(!message.contains("\n"))
    }
  }

  @Test(arguments: [
    "<a>\0</a>", "\0<a/>", "<a/>\0", "<a b='\0'/>", "<a\0/>", "<a><!--\0--></a>", "<a>x\0", "<\0", "\0\0\0\0",
    "<a><![CDATA[\0]]></a>", "<a/>\0\0\0\0\0<b/>", "<a><?p \0?></a>",
  ])
  func zeroBytesAreRefused(text: String) {
    for chunk in [1, 3, 4096] {
      #expect(parseError(text, chunk: chunk) != nil)
    }
  }

  @Test func randomDamageNeverCrashes() {
    var random = SystemRandomNumberGenerator()
    let bytes = Array(Self.feed.utf8)
    for _ in 0..<2000 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let index = Int.random(in: damaged.indices, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: damaged[index] = UInt8.random(in: 0...255, using: &random)
        case 1: damaged.remove(at: index)
        default: damaged.insert(contentsOf: bytes.dropFirst(index).prefix(20), at: index)
        }
      }
      if let document = try? parse(damaged, chunk: Int.random(in: 1...50, using: &random)) {
        #expect(!document.xmlString.isEmpty)
      }
    }
  }
}
