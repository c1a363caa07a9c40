import Testing

@testable import StagecoachXML

@Suite struct EntityTests {
  @Test(arguments: [1, 7, 4096])
  func entitiesOfTheDocumentExpand(chunk: Int) throws {
    let document = try parse(
      """
      <!DOCTYPE a [<!ENTITY who "wo&#114;ld"><!ENTITY all "hello &who;&#33; &lt;&#38;amp;&#x26;#60;">
      <!ENTITY none "">]>
      <a b="-&all;-&none;" c="&#38;lt;" d="1">&all;<b>&who;</b>x&none;y &lt;</a>
      """,
      chunk: chunk
    )
    let root = document.root
    #expect(root.attribute("b") == "-hello world! <&<-")
    #expect(root.attribute("c") == "&lt;")
    #expect(root.attribute("d") == "1")
    #expect(root.children.map(\.kind) == [.text, .element, .text])
    #expect(root.children.map(\.text) == ["hello world! <&<", "world", "xy <"])
    #expect(try document.xpath("string(/a/@b)").string == "-hello world! <&<-")
    #expect(try document.xpath("string(/a)").string == "hello world! <&<worldxy <")
    #expect(try parse(root.xmlString).root.text == root.text)
    #expect(try parse(document.xmlString).root.attribute("b") == root.attribute("b"))
  }

  @Test(arguments: ["<a>&e;</a>", "<a b='&e;'/>", "<a>x&e;<b>&e;</b></a>"])
  func refusesUndeclaredAndExternalEntities(body: String) {
    for chunk in [1, 4096] {
      // Undeclared, in a document that might declare it elsewhere, and in one that cannot.
      #expect(parseError(body, chunk: chunk)?.reason == .forbiddenEntity(name: "e"))
      let dtd =
        "<!DOCTYPE a PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN' 'http://127.0.0.1:1/xhtml1-strict.dtd'>"
      #expect(parseError(dtd + body, chunk: chunk)?.reason == .forbiddenEntity(name: "e"))
      let unparsed = "<!DOCTYPE a [<!NOTATION n SYSTEM 'n'><!ENTITY e SYSTEM 'e' NDATA n>]>"
      #expect(parseError(unparsed + body, chunk: chunk) != nil)
    }
  }

  @Test func markupInEntitiesIsRefused() {
    for text in ["<b/>", "<b>c</b>", "x &#60;b/> y"] {
      let error = parseError("<!DOCTYPE a [<!ENTITY e \"\(text)\"><!ENTITY f '&e;'>]><a>&f;</a>")
      #expect(error?.reason == .forbiddenEntity(name: "e"), "\(text)")
    }
    #expect(parseError("<!DOCTYPE a [<!ENTITY e '<b>'>]><a>&e;</b></a>") != nil)
    #expect(parseError("<!DOCTYPE a [<!ENTITY e '<b>'>]><a c='&e;'/>") != nil)
    #expect((try? parse("<!DOCTYPE a [<!ENTITY e '<b/>'>]><a/>")) != nil)
  }

  /// Whether a parse of a hostile document ended because of its entities, and soon.
  private func isRefused(
    _ text: String,
    budget: Int = 1 << 20,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Bool {
    let start = ContinuousClock.now
    let error = parseError(text, limits: limits(\.entityExpansion, budget), sourceLocation: sourceLocation)
    guard ContinuousClock.now - start < .seconds(20) else { return false }
    switch error?.reason {
    case .limit(name: "entityExpansion", value: budget), .forbiddenEntity: return true
    default: return false
    }
  }

  private func laughs(_ leaf: String, levels: Int = 10) -> String {
    let entities = (1..<levels).map { level in
      "<!ENTITY l\(level) '\(String(repeating: "&l\(level - 1);", count: 10))'>"
    }
    return "<!DOCTYPE a [<!ENTITY l0 '\(leaf)'>\(entities.joined())]>"
  }

  @Test func refusesBillionLaughs() {
    for leaf in ["lol", "", "x"] {
      #expect(isRefused(laughs(leaf) + "<a>&l9;</a>"), "\(leaf)")
      #expect(isRefused(laughs(leaf) + "<a b='&l9;'/>"), "\(leaf)")
      #expect(isRefused(laughs(leaf, levels: 40) + "<a>&l39;</a>"), "\(leaf)")
    }
    #expect(isRefused(laughs("<b/>") + "<a>&l9;</a>"))
    // One level is no attack.
    #expect((try? parse(laughs("lol", levels: 2) + "<a>&l1;</a>"))?.root.text.utf8.count == 30)
  }

  @Test func refusesBillionLaughsInADefaultAttribute() {
    let dtd = laughs("lol").dropLast(2) + "<!ATTLIST a b CDATA '&l9;'>]>"
    #expect(isRefused(dtd + "<a/>"))
  }

  @Test func refusesQuadraticBlowup() {
    let long = String(repeating: "x", count: 32_000)
    let references = String(repeating: "&e;", count: 10_000)
    let dtd = "<!DOCTYPE a [<!ENTITY e '\(long)'>]>"
    #expect(isRefused(dtd + "<a>\(references)</a>"))
    #expect(isRefused(dtd + "<a b='\(references)'/>"))
    let elements = String(repeating: "<b c='&e;'/>", count: 1_000)
    #expect(isRefused(dtd + "<a>\(elements)</a>"))
    let empty = "<!DOCTYPE a [<!ENTITY n ''><!ENTITY e '\(String(repeating: "&n;", count: 10_000))'>]>"
    #expect(isRefused(empty + "<a>\(references)</a>", budget: 1 << 16))
    let attribute = "<!DOCTYPE a [<!ATTLIST b c CDATA '\(long)'>]>"
    let defaults = parseError(attribute + "<a>" + String(repeating: "<b/>", count: 3_000) + "</a>")
    // Newer versions of libxml2 have an eye on what defaults make of a document themselves.
    let limit: XML.ParseError.Reason =
      XML.libraryVersion < 21100
      ? .limit(name: "textSize", value: 64 << 20) : .limit(name: "entityExpansion", value: 1 << 20)
    #expect(defaults?.reason == limit)
  }

  @Test func refusesRecursiveEntities() {
    for dtd in [
      "<!ENTITY e '&e;'>", "<!ENTITY e '&f;'><!ENTITY f '&e;'>",
      "<!ENTITY e 'x&f;'><!ENTITY f '&g;'><!ENTITY g '&f;'>",
    ] {
      #expect(isRefused("<!DOCTYPE a [\(dtd)]><a>&e;</a>"), "\(dtd)")
      #expect(isRefused("<!DOCTYPE a [\(dtd)]><a b='&e;'/>"), "\(dtd)")
    }
    let chain = (0..<1_000).map { "<!ENTITY e\($0) '&e\($0 + 1);'>" }.joined()
    #expect(isRefused("<!DOCTYPE a [\(chain)<!ENTITY e1000 'x'>]><a>&e0;</a>"))
  }

  @Test func parameterEntitiesAreRefusedWhenUsed() throws {
    for dtd in [
      "<!ENTITY % p '<!ENTITY e \"x\">'> %p;", "%undeclared;",
      "<!ENTITY % a 'x'><!ENTITY % b '&#37;a;&#37;a;'> %b;",
    ] {
      let reason = parseError("<!DOCTYPE a [\(dtd)]><a/>")?.reason
      guard case .forbiddenEntity(let name) = reason else {
        Issue.record("\(dtd): \(String(describing: reason))")
        continue
      }
      #expect(name.hasPrefix("%"))
    }
    #expect(try parse("<!DOCTYPE a [<!ENTITY % p 'x'>]><a>y</a>").root.text == "y")
  }

  /// XML 1.0, section 3.3.3.
  @Test func whiteSpaceOfAnEntityIsSpacesInAnAttribute() throws {
    let dtd = "<!DOCTYPE a [<!ENTITY e \"x&#10;y\tz\"><!ENTITY r \"&#38;#10;\"><!ENTITY f \"(&e;)\">]>"
    let root = try parse(dtd + "<a b=\"&e;\" c=\"&f;\" d=\"&r;&#10;\">&e;</a>").root
    #expect(root.attribute("b") == "x y z")
    #expect(root.attribute("c") == "(x y z)")
    #expect(root.attribute("d") == "\n\n")
    #expect(root.text == "x\ny\tz")
  }

  @Test func theBudgetIsALimit() throws {
    let dtd = "<!DOCTYPE a [<!ENTITY e '123456789'>]>"
    #expect(try parse(dtd + "<a>&e;</a>", limits: limits(\.entityExpansion, 10)).root.text == "123456789")
    let error = parseError(dtd + "<a>&e;&e;</a>", limits: limits(\.entityExpansion, 19))
    #expect(error?.reason == .limit(name: "entityExpansion", value: 19))
  }
}
