import StagecoachXML
import Testing

@Suite struct DocumentElementTests {
  @Test func anEditedAtomEntryKeepsItsOtherContent() throws {
    let atom = "http://www.w3.org/2005/Atom"
    let text = """
      <feed xmlns="\(atom)" xmlns:dc="http://purl.org/dc/elements/1.1/" xml:lang="en">
        <entry>
          <id>urn:example:1</id>
          <title type="text">First &amp; last</title>
          <dc:creator>A. Driver</dc:creator>
          <!-- kept -->
          <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">a<br/>b</div></content>
        </entry>
      </feed>
      """
    let document = try parse(text)
    var feed = XML.Element(document)
    let title = XML.Name("title", namespace: atom)
    let entry = XML.Name("entry", namespace: atom)
    #expect(feed[element: entry]?[element: title]?.text == "First & last")
    feed[element: entry]?[element: title]?.text = "Last <coach>"
    feed[element: entry]?[element: title]?["type"] = "html"
    feed[element: entry]?.children.append(
      .element(XML.Element(XML.Name("updated", namespace: atom), text: "now"))
    )
    let written = try feed.xmlString
    #expect(
      written
        == text.replacing("type=\"text\">First &amp; last", with: "type=\"html\">Last &lt;coach&gt;")
        .replacing("xmlns=\"\(atom)\" xmlns:dc", with: "xmlns=\"\(atom)\" xmlns:dc")
        .replacing("  </entry>", with: "  <updated>now</updated></entry>")
    )
    #expect(try XML.Element(parse(written)) == feed)
    #expect(try XML.Element(XML.Document(element: feed)) == feed)
    #expect(XML.Element(document) != feed)
    #expect(XML.Element(document.node) == nil)
    #expect(XML.Element(document.root.attributes[0]) == nil)
  }

  @Test func anInnerElementKeepsItsNamespaces() throws {
    let document = try parse(
      "<s:a xmlns:s='urn:s' xmlns:x='urn:x' xmlns='urn:d'><b s:type='x:int' xmlns:x='urn:y'><c xmlns=''/></b></s:a>"
    )
    let node = try #require(document.root.elements.first)
    let element = try #require(XML.Element(node))
    #expect(element.namespaces == ["s": "urn:s", "x": "urn:y", "": "urn:d"])
    let text =
      "<b xmlns=\"urn:d\" xmlns:s=\"urn:s\" xmlns:x=\"urn:y\" s:type=\"x:int\"><c xmlns=\"\"/></b>"
    #expect(try element.xmlString == text)
    #expect(
      node.xmlString
        == "<b xmlns:x=\"urn:y\" xmlns=\"urn:d\" xmlns:s=\"urn:s\" s:type=\"x:int\"><c xmlns=\"\"/></b>"
    )
  }

  @Test(arguments: ["http://schemas.xmlsoap.org/soap/envelope/", "http://www.w3.org/2003/05/soap-envelope"])
  func buildsSOAPEnvelopes(version: String) throws {
    func soap(_ name: String) -> XML.Name { XML.Name(name, namespace: version, prefix: "soap") }
    let instance = "http://www.w3.org/2001/XMLSchema-instance"
    let envelope = XML.Element(
      soap("Envelope"),
      namespaces: ["xsi": instance, "xsd": "http://www.w3.org/2001/XMLSchema"]
    ) {
      XML.Element(soap("Header")) {
        XML.Element("{urn:example:tickets}session", attributes: [soap("mustUnderstand"): "1"], text: "7")
      }
      XML.Element(soap("Body")) {
        XML.Element(XML.Name("price", namespace: "urn:example:tickets", prefix: "t")) {
          XML.Element("from", attributes: [XML.Name("type", namespace: instance): "xsd:string"], text: "Ulm")
        }
      }
    }
    #expect(
      try envelope.xmlString == """
        <soap:Envelope xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="\(instance)" xmlns:soap="\(version)">\
        <soap:Header><session xmlns="urn:example:tickets" soap:mustUnderstand="1">7</session></soap:Header>\
        <soap:Body><t:price xmlns:t="urn:example:tickets"><from xsi:type="xsd:string">Ulm</from></t:price>\
        </soap:Body></soap:Envelope>
        """
    )
    let document = try XML.Document(element: envelope)
    #expect(XML.Element(document) == envelope)
    let found = try document.xpath(
      "/s:Envelope/s:Body/t:price/from/@i:type",
      namespaces: ["s": version, "t": "urn:example:tickets", "i": instance]
    )
    #expect(found.string == "xsd:string")
    #expect(found.first?.parent?.namespacesInScope["xsd"] == "http://www.w3.org/2001/XMLSchema")
  }

  @Test func buildsAnSVGDrawing() throws {
    let svg = XML.Name("svg", namespace: "http://www.w3.org/2000/svg")
    func name(_ local: String) -> XML.Name { XML.Name(local, namespace: svg.namespaceURI) }
    let link = XML.Name("href", namespace: "http://www.w3.org/1999/xlink", prefix: "xlink")
    let image = XML.Element(svg, attributes: ["viewBox": "0 0 9 9", "width": "9"]) {
      XML.Element(name("defs")) { XML.Element(name("circle"), attributes: ["id": "c", "r": "1.5"]) }
      for x in 0..<2 { XML.Element(name("use"), attributes: [link: "#c", "x": "\(x)"]) }
      XML.Element(name("style")) { XML.Element.Content.cdata("circle > path { fill: #fff }") }
    }
    let text = try image.xmlString
    #expect(
      text == """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="9">\
        <defs><circle id="c" r="1.5"/></defs>\
        <use xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="#c" x="0"/>\
        <use xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="#c" x="1"/>\
        <style><![CDATA[circle > path { fill: #fff }]]></style></svg>
        """
    )
    #expect(try XML.Element(parse(text)) == image)
  }

  @Test func elementsObeyTheLimitsOfTheParser() {
    func reason(_ element: XML.Element, _ limits: XML.Limits = XML.Limits()) -> XML.ElementError.Reason? {
      #expect(throws: XML.ElementError.self) { try XML.Document(element: element, limits: limits) }?.reason
    }
    let wide = XML.Element("a", children: Array(repeating: .element(XML.Element("b")), count: 10))
    #expect(reason(wide, limits(\.nodes, 5)) == .limit(name: "nodes", value: 5))
    let long = XML.Element("a", attributes: ["b": String(repeating: "x", count: 10_000_001)])
    #expect(reason(long) == .limit(name: "nodeSize", value: 10_000_000))
    #expect(reason(XML.Element("a", text: "\0")) == .forbiddenCharacter("\0"))
  }

  /// Elements of any shape come back equal through text, and through a document.
  @Test func anyElementIsReadAsItWasWritten() throws {
    for seed in 0..<400 as Range<UInt64> {
      var generator = ElementGenerator(seed: seed)
      let element = generator.element(depth: 0)
      let text = try element.xmlString
      let document = try XML.Document(element: element)
      try #require(XML.Element(document) == element, "seed \(seed): \(text)")
      try #require(try XML.Element(parse(text, chunk: 1 + Int(seed % 9))) == element, "seed \(seed)")
      // Written from the tree it is the same text.
      try #require(document.root.xmlString == text, "seed \(seed)")
      for node in document.root.descendantElements {
        let inner = try #require(XML.Element(node))
        try #require(try XML.Element(parse(node.xmlString)) == inner, "seed \(seed)")
      }
      let pretty = try element.serialized(XML.WritingOptions(isPretty: true, hasDeclaration: true))
      try #require(
        try document.serialized(XML.WritingOptions(isPretty: true, hasDeclaration: true)) == pretty,
        "seed \(seed)"
      )
      try #require(
        try parse(pretty).root.text.filter { !$0.isWhitespace } == element.text.filter { !$0.isWhitespace }
      )
    }
  }
}

/// Makes elements as a parser would give them: no text beside text, no empty one.
private struct ElementGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }

  mutating func element(depth: Int) -> XML.Element {
    var element = XML.Element(name())
    if Int.random(in: 0..<4, using: &self) == 0 {
      element.namespaces = [["", "p", "q", "r"].randomElement(using: &self) ?? "": namespace() ?? "urn:n"]
    }
    for _ in 0..<Int.random(in: 0..<4, using: &self) { element[name()] = text() }
    var isText = false
    for _ in 0..<Int.random(in: 0..<(depth > 4 ? 1 : 5), using: &self) {
      var content = content(depth: depth)
      let wasText = isText
      if case .text = content { isText = true } else { isText = false }
      if wasText, isText { content = .comment("between") }
      if case .comment = content { isText = false }
      // Sections side by side become one.
      if case .cdata = content, case .cdata? = element.children.last { content = .element(XML.Element("s")) }
      element.children.append(content)
    }
    return element
  }

  private mutating func content(depth: Int) -> XML.Element.Content {
    switch Int.random(in: 0..<8, using: &self) {
    case 0, 1: .text(text())
    case 2: .cdata(String(text().unicodeScalars.filter { $0 != "\r" }))
    case 3: .comment("c \(Int.random(in: 0..<99, using: &self))")
    case 4: .processingInstruction(target: "p", data: "d?\u{E4}")
    default: .element(element(depth: depth + 1))
    }
  }

  private mutating func namespace() -> String? {
    [nil, "urn:p", "urn:q", "urn:r"].randomElement(using: &self) ?? nil
  }

  private mutating func name() -> XML.Name {
    let local = ["a", "b", "\u{E4}", "long-name_1"].randomElement(using: &self) ?? "a"
    guard let namespace = namespace() else { return XML.Name(local) }
    return XML.Name(
      local,
      namespace: namespace,
      prefix: [nil, "p", "q", "ns1"].randomElement(using: &self) ?? nil
    )
  }

  private mutating func text() -> String {
    let pieces = [
      "<", "&", ">", "]]>", "\"", "'", " ", "\n", "\t", "\r", "\r\n", "x", "\u{E4}", "\u{1F600}", "&lt;",
    ]
    return (0...Int.random(in: 0..<6, using: &self)).map { _ in pieces.randomElement(using: &self) ?? "" }
      .joined()
  }
}
