import StagecoachXML
import Testing

@Suite struct EventHandlerTests {
  private func run<Handler: XML.EventHandler>(
    _ handler: Handler,
    over text: String,
    chunk: Int,
    limits: XML.Limits = XML.Limits()
  ) throws -> Handler {
    let parser = XML.EventParser(handler, limits: limits)
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      try Array(rest.prefix(chunk)).withUnsafeBytes { try parser.append($0) }
      rest = rest.dropFirst(chunk)
    }
    return try parser.finish()
  }

  /// The handler hears what the batches hold; it is not told the line of an end.
  @Test(arguments: [1, 7, 300, 4096])
  func aHandlerReceivesEveryEvent(chunk: Int) throws {
    let expected = EventTests.expected.map { line in
      line.hasPrefix("</") ? String(line.prefix { $0 != " " }) : line
    }
    #expect(try run(LineHandler(), over: EventTests.document, chunk: chunk).lines == expected)
  }

  struct Titles: XML.EventHandler {
    var titles: [String] = []
    private var isInTitle = false

    mutating func startElement(_ tag: borrowing XML.RawStartTag) {
      isInTitle = tag.name.equals("title", namespace: "urn:t")
      if isInTitle { titles.append(tag.attribute("lang") ?? "") }
    }
    mutating func endElement(_ name: borrowing XML.RawName) { isInTitle = false }
    mutating func text(_ characters: Span<UInt8>) {
      if isInTitle { titles[titles.count - 1] += String(utf8: characters) }
    }
  }

  @Test func aCustomHandlerCollectsTitles() throws {
    let text = """
      <list xmlns="urn:t"><title>no &amp; yes</title><o:title xmlns:o="urn:o">other</o:title>
      <title lang="de" o:lang="x" xmlns:o="urn:o">:ja</title><title/></list>
      """
    #expect(try run(Titles(), over: text, chunk: 5).titles == ["no & yes", "de:ja", ""])
  }

  struct Markup: XML.EventHandler {
    var sizes: [Int] = []

    mutating func startElement(_ tag: borrowing XML.RawStartTag) {
      sizes.append(tag.attributeCount > 0 ? tag.attributeValue(at: 0).count : 0)
    }
    mutating func comment(_ characters: Span<UInt8>) { sizes.append(characters.count) }
    mutating func processingInstruction(target: Span<UInt8>, data: Span<UInt8>) { sizes.append(data.count) }
  }

  /// A stream may pause behind its markup: it is not to wait for more.
  @Test(arguments: [("<!--", "-->"), ("<?p ", "?>"), ("<b c='", "'/>")])
  func longMarkupIsReportedAsItEnds(start: String, end: String) throws {
    let parser = XML.EventParser(Markup())
    func append(_ text: String) throws { try Array(text.utf8).withUnsafeBytes { try parser.append($0) } }
    try append("<a>" + start)
    for _ in 0..<300 { try append(String(repeating: "x", count: 1_000)) }
    #expect(parser.handler.sizes == [0])
    try append(end + "<!--y")
    #expect(parser.handler.sizes == [0, 300_000])
    try append("--></a>")
    #expect(try parser.finish().sizes == [0, 300_000, 1])
  }

  /// In small pieces, each of which could be the last: looked at again with each, this would take minutes.
  @Test(arguments: [("<!--", "-->"), ("<?p ", "?>"), ("<b c='", "'/>")])
  func readsLongMarkupFullOfPossibleEnds(start: String, end: String) throws {
    let parser = XML.EventParser(Markup())
    func append(_ text: String) throws { try Array(text.utf8).withUnsafeBytes { try parser.append($0) } }
    try append("<a>" + start)
    let piece = Array(String(repeating: "x>", count: 50).utf8)
    for _ in 0..<80_000 { try piece.withUnsafeBytes { try parser.append($0) } }
    try append(end + "</a>")
    #expect(try parser.finish().sizes == [0, 8_000_000])
  }

  struct Stop: Error {}

  struct Stopping: XML.EventHandler {
    var heard = 0
    mutating func startElement(_ tag: borrowing XML.RawStartTag) throws {
      heard += 1
      if tag.name.equals("stop") { throw Stop() }
    }
  }

  @Test(arguments: [1, 4096])
  func aHandlerMayStopTheParse(chunk: Int) throws {
    let parser = XML.EventParser(Stopping())
    let bytes = Array("<a><b/><stop/><c/><d/></a>".utf8)
    #expect(throws: Stop.self) {
      for start in stride(from: 0, to: bytes.count, by: chunk) {
        try Array(bytes[start..<min(bytes.count, start + chunk)]).withUnsafeBytes { try parser.append($0) }
      }
    }
    #expect(parser.handler.heard == 3)
    // It stays stopped.
    #expect(throws: Stop.self) { try parser.finish() }
  }

  @Test func malformedDocumentsAreErrors() {
    #expect(throws: XML.ParseError.self) { try run(LineHandler(), over: "<a><b></a>", chunk: 1) }
    #expect(throws: XML.ParseError.self) { try run(LineHandler(), over: "", chunk: 1) }
    #expect(throws: XML.ParseError.self) { try run(LineHandler(), over: "<a>", chunk: 1) }
  }

  @Test(arguments: [
    ("<!DOCTYPE a [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><a>&e;</a>", "e"),
    ("<!DOCTYPE a [<!ENTITY e SYSTEM \"http://127.0.0.1:9/\">]><a b='&e;'/>", "e"),
    ("<!DOCTYPE a [<!ENTITY e \"<b/>\">]><a>&e;</a>", "e"),
    ("<!DOCTYPE a [<!ENTITY % e SYSTEM \"file:///etc/passwd\"> %e;]><a/>", "%e"),
  ])
  func refusesForbiddenEntities(document: String, name: String) {
    let error = #expect(throws: XML.ParseError.self) { try run(LineHandler(), over: document, chunk: 9) }
    #expect(error?.reason == .forbiddenEntity(name: name))
  }

  @Test(arguments: [1, 4096])
  func refusesBillionLaughs(chunk: Int) {
    var text = "<!DOCTYPE a [<!ENTITY l0 \"lol\">"
    for level in 1..<10 {
      text += "<!ENTITY l\(level) \"\(String(repeating: "&l\(level - 1);", count: 10))\">"
    }
    text += "]><a>&l9;</a>"
    let error = #expect(throws: XML.ParseError.self) { try run(LineHandler(), over: text, chunk: chunk) }
    #expect(error?.reason == .limit(name: "entityExpansion", value: 1 << 20))
  }

  /// Markup in an entity is refused before libxml2 parses it, whose attributes it would compare in pairs.
  @Test(.timeLimit(.minutes(1)))
  func markupInEntitiesCostsNothing() {
    let attributes = (0..<400_000).map { "b\($0)=''" }.joined(separator: " ")
    let text = "<!DOCTYPE a [<!ENTITY e \"<a \(attributes)/>\">]><a>&e;</a>"
    let large = limits(\.internalSubsetSize, 10_000_000)
    let error = #expect(throws: XML.ParseError.self) {
      try run(LineHandler(), over: text, chunk: 65_536, limits: large)
    }
    #expect(error?.reason == .forbiddenEntity(name: "e"))
    #expect(parseError(text, limits: large)?.reason == .forbiddenEntity(name: "e"))
  }

  @Test func refusesDocumentsBeyondItsLimits() {
    let deep = String(repeating: "<a>", count: 300)
    #expect(throws: XML.ParseError.self) { try run(LineHandler(), over: deep, chunk: 64) }
    let wide = "<a \((0..<2000).map { "a\($0)='1'" }.joined(separator: " "))/>"
    let error = #expect(throws: XML.ParseError.self) { try run(LineHandler(), over: wide, chunk: 64) }
    #expect(error?.reason == .limit(name: "attributesPerElement", value: 1024))
    let long = "<\(String(repeating: "n", count: 1025))/>"
    #expect(throws: XML.ParseError.self) { try run(LineHandler(), over: long, chunk: 64) }
  }
}
