import Stagecoach
import StagecoachXML
import Testing

@Suite struct ElementSerializationTests {
  private func reason(_ element: XML.Element) -> XML.ElementError.Reason? {
    do throws(XML.ElementError) {
      let text = try element.xmlString
      Issue.record("written: \(text)")
      return nil
    } catch {
      return error.reason
    }
  }

  @Test func escapesMarkupInTextAndAttributes() throws {
    let hostile = "<&>\"'\t\n\r]]>\u{E4}\u{FFFD}\u{EFFF}\u{FE0F}\u{10FFFF}\u{7F}\u{85}\u{2028}"
    let element = XML.Element("a", attributes: ["b": hostile], text: hostile)
    let rest = "\u{E4}\u{FFFD}\u{EFFF}\u{FE0F}\u{10FFFF}\u{7F}\u{85}\u{2028}"
    #expect(
      try element.xmlString
        == "<a b=\"&lt;&amp;&gt;&quot;'&#9;&#10;&#13;]]&gt;\(rest)\">&lt;&amp;&gt;\"'\t\n&#13;]]&gt;\(rest)</a>"
    )
    #expect(try XML.Element(XML.Document(element: element)) == element)
  }

  @Test func writesEveryKindOfContent() throws {
    let element = XML.Element("a") {
      XML.Element.Content.cdata("<b>]]>]]&\r")
      XML.Element.Content.comment(" c - d ")
      XML.Element.Content.processingInstruction(target: "p", data: "d > ?")
      XML.Element.Content.processingInstruction(target: "p", data: "")
      XML.Element("e")
      XML.Element("e", text: "")
    }
    #expect(
      try element.xmlString
        == "<a><![CDATA[<b>]]]]><![CDATA[>]]&]]>&#13;<![CDATA[]]><!-- c - d --><?p d > ??><?p?><e/><e/></a>"
    )
    #expect(try XML.Document(element: element).root.text == "<b>]]>]]&\r")
  }

  @Test func declaresTheNamespacesThatAreNeeded() throws {
    func name(_ local: String, _ uri: String?, _ prefix: String? = nil) -> XML.Name {
      XML.Name(local, namespace: uri, prefix: prefix)
    }
    func text(_ element: XML.Element) throws -> String {
      #expect(try XML.Element(XML.Document(element: element)) == element)
      return try element.xmlString
    }
    // The default namespace, and back out of it.
    #expect(
      try text(
        XML.Element(name("a", "urn:d")) {
          XML.Element(name("b", "urn:d")); XML.Element("c")
        }
      )
        == "<a xmlns=\"urn:d\"><b/><c xmlns=\"\"/></a>"
    )
    // Prefixes stay, and are declared once.
    #expect(
      try text(
        XML.Element(name("a", "urn:p", "p"), attributes: [name("x", "urn:p", "p"): "1"]) {
          XML.Element(name("b", "urn:p", "p"))
        }
      ) == "<p:a xmlns:p=\"urn:p\" p:x=\"1\"><p:b/></p:a>"
    )
    // One prefix for two namespaces.
    #expect(
      try text(
        XML.Element(
          name("a", "urn:p", "p"),
          attributes: [name("x", "urn:q", "p"): "1", name("x", "urn:p"): "2"]
        )
      ) == "<p:a xmlns:p=\"urn:p\" xmlns:ns1=\"urn:q\" ns1:x=\"1\" p:x=\"2\"/>"
    )
    // An attribute cannot take the prefix of its element, even where that is declared further out.
    #expect(
      try text(
        XML.Element(name("r", "urn:p", "p")) {
          XML.Element(name("a", "urn:p", "p"), attributes: [name("x", "urn:q", "p"): "1"])
          XML.Element(name("a", "urn:q", "p"), attributes: [name("x", "urn:p", "p"): "1"])
        }
      )
        == "<p:r xmlns:p=\"urn:p\"><p:a xmlns:ns1=\"urn:q\" ns1:x=\"1\"/>"
        + "<p:a xmlns:p=\"urn:q\" xmlns:ns1=\"urn:p\" ns1:x=\"1\"/></p:r>"
    )
    // An attribute is never in the default namespace.
    #expect(
      try text(XML.Element(name("a", "urn:d"), attributes: ["{urn:d}x": "1", "x": "2"]))
        == "<a xmlns=\"urn:d\" xmlns:ns1=\"urn:d\" ns1:x=\"1\" x=\"2\"/>"
    )
    // Generated prefixes avoid those in use.
    #expect(
      try text(XML.Element("a", namespaces: ["ns1": "urn:n"], attributes: ["{urn:d}x": "1"]) {})
        == "<a xmlns:ns1=\"urn:n\" xmlns:ns2=\"urn:d\" ns2:x=\"1\"/>"
    )
    // Prefixes that are equal to Swift are two to XML.
    #expect(
      try text(
        XML.Element(name("a", "urn:p", "e\u{301}")) { XML.Element(name("b", "urn:p", "\u{E9}")) }
      ).utf8.elementsEqual(
        "<e\u{301}:a xmlns:e\u{301}=\"urn:p\"><\u{E9}:b xmlns:\u{E9}=\"urn:p\"/></e\u{301}:a>".utf8
      )
    )
    // What is declared by hand is written once, and yields to the element's own name.
    #expect(
      try text(
        XML.Element(name("a", "urn:p", "p"), namespaces: ["p": "urn:p", "xsd": "urn:x", "": "urn:d"]) {
          XML.Element("b", namespaces: ["xsd": "urn:x", "": "urn:d"])
        }
      ) == "<p:a xmlns=\"urn:d\" xmlns:p=\"urn:p\" xmlns:xsd=\"urn:x\"><b xmlns=\"\"/></p:a>"
    )
    let xml = "http://www.w3.org/XML/1998/namespace"
    #expect(
      try text(XML.Element("a", attributes: [name("lang", xml): "de", name("id", xml, "x"): "i"]))
        == "<a xml:lang=\"de\" xml:id=\"i\"/>"
    )
  }

  @Test func refusesInvalidNames() throws {
    for name in ["a", "_", "\u{E4}", "a-b.c1\u{B7}", "\u{3042}", "\u{10000}", "e\u{301}"] {
      #expect(try XML.Document(element: XML.Element(XML.Name(name))).root.localName == name)
    }
    for name in ["", "1", "-a", "a b", "a:b", ":a", "a\0", "\u{D7}", "\u{301}", "<", "a>", "\u{2010}"] {
      #expect(reason(XML.Element(XML.Name(name, namespace: nil))) == .invalidName(name))
      #expect(
        reason(XML.Element("a", attributes: [XML.Name(name, namespace: nil): ""])) == .invalidName(name)
      )
      if !name.isEmpty {
        #expect(reason(XML.Element(XML.Name("a", namespace: "urn:p", prefix: name))) == .invalidName(name))
        #expect(reason(XML.Element("a", namespaces: [name: "urn:p"])) == .invalidName(name))
      }
    }
  }

  @Test func refusesContentThatXMLCannotHold() throws {
    for scalar in ["\0", "\u{1}", "\u{8}", "\u{B}", "\u{1F}", "\u{FFFE}", "\u{FFFF}"] as [Unicode.Scalar] {
      let text = "a\(scalar)b"
      for element in [
        XML.Element("a", text: text), XML.Element("a", attributes: ["b": text]),
        XML.Element("a", children: [.cdata(text)]), XML.Element("a", children: [.comment(text)]),
        XML.Element("a", children: [.processingInstruction(target: "p", data: text)]),
      ] {
        #expect(reason(element) == .forbiddenCharacter(scalar))
      }
    }
    for comment in ["-", "a-", "--", "a--b", "-\u{301}-->"] {
      #expect(reason(XML.Element("a", children: [.comment(comment)])) == .invalidComment)
    }
    for (target, data) in [
      ("xml", ""), ("XmL", ""), ("", ""), ("a:b", ""), ("1", ""), ("p", "?>"), ("p", "a?>b"),
    ] {
      #expect(
        reason(XML.Element("a", children: [.processingInstruction(target: target, data: data)]))
          == .invalidProcessingInstruction(target: target)
      )
    }
    #expect(reason(XML.Element("a", attributes: ["x": "", "x": ""])) == .duplicateAttribute("x"))
    let many = (0..<20).map { XML.Element.Attribute(XML.Name("x\($0 % 19)"), "") }
    #expect(reason(XML.Element("a", attributes: many)) == .duplicateAttribute("x0"))
    let twice = ["p", "q"].map { XML.Element.Attribute(XML.Name("x", namespace: "urn:p", prefix: $0), "") }
    #expect(reason(XML.Element("a", attributes: twice)) == .duplicateAttribute("{urn:p}x"))
  }

  @Test func refusesReservedPrefixesAndNamespaces() {
    let xml = "http://www.w3.org/XML/1998/namespace", xmlns = "http://www.w3.org/2000/xmlns/"
    func element(_ uri: String?, _ prefix: String?) -> XML.Element {
      XML.Element(XML.Name("a", namespace: uri, prefix: prefix))
    }
    #expect(reason(element("urn:p", "xml")) == .reservedPrefix("xml"))
    #expect(reason(element("urn:p", "xmlns")) == .reservedPrefix("xmlns"))
    #expect(reason(element(xmlns, "xmlns")) == .reservedPrefix("xmlns"))
    #expect(reason(element(xmlns, nil)) == .invalidNamespace(xmlns))
    #expect(reason(element(nil, "p")) == .undeclaredPrefix("p"))
    #expect(reason(element("not a uri", nil)) == .invalidNamespace("not a uri"))
    #expect(reason(element("urn:\0", nil)) == .invalidNamespace("urn:\0"))
    #expect(reason(XML.Element("a", attributes: ["xmlns": "urn:p"])) == .reservedPrefix("xmlns"))
    #expect(reason(XML.Element("a", namespaces: ["xmlns": "urn:p"])) == .reservedPrefix("xmlns"))
    #expect(reason(XML.Element("a", namespaces: ["xml": "urn:p"])) == .reservedPrefix("xml"))
    #expect(reason(XML.Element("a", namespaces: ["p": xml])) == .invalidNamespace(xml))
    #expect(reason(XML.Element("a", namespaces: ["p": ""])) == .invalidNamespace(""))
  }

  @Test func errorsNameThePathOfTheElement() throws {
    let element = XML.Element("feed") {
      XML.Element("entry")
      XML.Element("entry") { XML.Element(XML.Name("title", namespace: "urn:p", prefix: "p"), text: "\u{2}") }
    }
    let error = #expect(throws: XML.ElementError.self) { try element.serialized() }
    #expect(error?.path == "/feed/entry/p:title")
    #expect(error?.description == "XML element /feed/entry/p:title: XML does not allow the character U+2")
  }

  @Test func refusesDeepNesting() throws {
    func nested(_ depth: Int) -> XML.Element {
      (1..<depth).reduce(XML.Element("a")) { inner, _ in XML.Element("a", children: [.element(inner)]) }
    }
    #expect(try XML.Element(XML.Document(element: nested(256))) == nested(256))
    #expect(reason(nested(257)) == .limit(name: "depth", value: 256))
    #expect(reason(nested(5_000)) == .limit(name: "depth", value: 256))
    #expect(nested(5_000).text == "")
  }

  @Test func indentsElementsWithoutText() throws {
    let element = XML.Element("a") {
      XML.Element("b", text: "t")
      XML.Element("c") {
        XML.Element.Content.comment("d"); XML.Element("e")
      }
      XML.Element("m") {
        "x"; XML.Element("n") { XML.Element("o") }
      }
      XML.Element(
        "k",
        attributes: [XML.Name("space", namespace: "http://www.w3.org/XML/1998/namespace"): "preserve"]
      ) {
        XML.Element("l")
      }
      XML.Element("f")
    }
    let pretty = """
      <?xml version="1.0" encoding="UTF-8"?>
      <a>
        <b>t</b>
        <c>
          <!--d-->
          <e/>
        </c>
        <m>x<n><o/></n></m>
        <k xml:space="preserve"><l/></k>
        <f/>
      </a>

      """
    let options = XML.WritingOptions(isPretty: true, hasDeclaration: true)
    #expect(String(decoding: try element.serialized(options), as: UTF8.self) == pretty)
    let document = try XML.Document(element: element)
    #expect(String(decoding: try document.serialized(options), as: UTF8.self) == pretty)
    let node = try document.root.serialized(XML.WritingOptions(isPretty: true))
    #expect(String(decoding: node, as: UTF8.self) == pretty.dropFirst(39).dropLast())
  }

  @Test(arguments: [.utf8, .utf16, .utf16LE, .isoLatin1, .usASCII, .windows1252, Charset("Shift_JIS")])
  func writesReferencesForCharactersOutsideTheCharset(charset: Charset?) throws {
    let charset = try #require(charset)
    let name = charset.name
    let element = XML.Element(
      "a",
      attributes: ["b": "\u{20AC}<\u{E4}"],
      text: "\u{E4}\u{3042}&\u{1F600}\u{20AC}"
    )
    let options = XML.WritingOptions(hasDeclaration: true, charset: charset)
    let bytes = try element.serialized(options)
    #expect(try XML.Element(parse(bytes)) == element)
    let document = try XML.Document(element: element)
    #expect(try document.serialized(options) == bytes)
    let text = try charset.decode(bytes)
    #expect(text.hasPrefix("<?xml version=\"1.0\" encoding=\"\(name)\"?>\n<a b=\""))
    #expect(text.contains("&#128512;") == !name.hasPrefix("UTF"))
  }

  @Test func refusesNamesOutsideTheCharset() throws {
    let latin = XML.WritingOptions(charset: .isoLatin1)
    for element in [
      XML.Element("\u{3042}"), XML.Element("a", children: [.comment("\u{3042}")]),
      XML.Element("a", children: [.cdata("\u{3042}")]), XML.Element("a", attributes: ["\u{3042}": ""]),
    ] {
      let error = #expect(throws: XML.ElementError.self) { try element.serialized(latin) }
      #expect(error?.reason == .charset(.unencodable("ISO-8859-1", character: "\u{3042}")))
      #expect(throws: CharsetError.unencodable("ISO-8859-1", character: "\u{3042}")) {
        try XML.Document(element: element).serialized(latin)
      }
    }
    #expect(
      try XML.Element("\u{E4}", children: [.comment("\u{E4}")]).serialized(latin)
        == [0x3C, 0xE4, 0x3E] + Array("<!--".utf8) + [0xE4] + Array("--></".utf8) + [0xE4, 0x3E]
    )
    let unknown = XML.WritingOptions(charset: try #require(Charset("x-none")))
    let error = #expect(throws: XML.ElementError.self) { try XML.Element("a").serialized(unknown) }
    #expect(error?.reason == .charset(.unknown("X-NONE")))
  }
}
