import StagecoachXML
import Testing

@Suite struct LimitsTests {
  private func nested(_ depth: Int) -> String {
    String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
  }

  @Test(arguments: [1, 4096])
  func refusesDeepNesting(chunk: Int) throws {
    #expect(try parse(nested(256), chunk: chunk).root.elements.count == 1)
    #expect(parseError(nested(257), chunk: chunk)?.reason == .limit(name: "depth", value: 256))
    #expect(parseError(nested(100_000), chunk: chunk)?.reason == .limit(name: "depth", value: 256))
    let unclosed = String(repeating: "<a>", count: 1_000)
    #expect(parseError(unclosed, chunk: chunk)?.reason == .limit(name: "depth", value: 256))
    #expect(parseError(nested(4), limits: limits(\.depth, 3))?.reason == .limit(name: "depth", value: 3))
    #expect(try parse(nested(3), limits: limits(\.depth, 3)).root.name == "a")
    #expect(try parse(nested(1_000), chunk: chunk, limits: limits(\.depth, 1_000)).root.elements.count == 1)
    let raised = parseError(nested(1_001), chunk: chunk, limits: limits(\.depth, 1_000))
    #expect(raised?.reason == .limit(name: "depth", value: 1_000))
    let highest = limits(\.depth, .max)
    #expect(try parse(nested(2_048), chunk: chunk, limits: highest).root.elements.count == 1)
    #expect(
      parseError(nested(2_049), chunk: chunk, limits: highest)?.reason == .limit(name: "depth", value: 2_048)
    )
    let siblings = "<a>" + String(repeating: "<b><c/></b>", count: 1_000) + "</a>"
    #expect(try parse(siblings, limits: limits(\.depth, 3)).root.elements.count == 1_000)
  }

  @Test func errorsSayWhere() {
    let error = parseError("<a>\n <b>\n  <c/></b></a>", limits: limits(\.depth, 2))
    #expect(error?.line == 3)
    #expect((error?.column ?? 0) > 2)
    #expect(error?.description.contains("depth") == true)
    #expect(error?.description.contains("2") == true)
  }

  /// So that whoever reads an error finds what to change.
  @Test func errorsNameProperties() {
    let properties = Set(Mirror(reflecting: XML.Limits()).children.compactMap(\.label))
    for path: WritableKeyPath<XML.Limits, Int> in [
      \.depth, \.nodes, \.attributesPerElement, \.namespacesInScope, \.nameLength, \.textSize, \.nodeSize,
      \.internalSubsetSize, \.declarations, \.entityExpansion, \.distinctNames,
    ] {
      let none = limits(path, 0)
      let text = "<!DOCTYPE a [<!ENTITY e 'x'>]><a b='c' xmlns:p='urn:p'>&e;</a>"
      for error in [parseError(text, limits: none), parseError(text, chunk: 1, limits: none)] {
        guard case .limit(let name, value: 0) = error?.reason else {
          Issue.record("\(String(describing: error))")
          continue
        }
        #expect(properties.contains(name) && error?.description.contains("XML.Limits.\(name)") == true)
      }
    }
  }

  @Test func refusesTooManyNodes() throws {
    // An element, an attribute, a text, a CDATA section, a comment, a processing instruction.
    let text = "<a b='c'>d<![CDATA[e]]><!--f--><?g h?></a>"
    #expect(try parse(text, limits: limits(\.nodes, 6)).root.children.count == 4)
    for count in 1..<6 {
      let error = parseError(text, limits: limits(\.nodes, count))
      #expect(error?.reason == .limit(name: "nodes", value: count))
    }
    let references = "<a>" + String(repeating: "x&amp;&#65;", count: 1_000) + "</a>"
    #expect(try parse(references, chunk: 1, limits: limits(\.nodes, 2)).root.text.utf8.count == 3_000)
  }

  @Test(arguments: [1, 7, 4096, .max])
  func refusesTooManyAttributes(chunk: Int) throws {
    func element(_ count: Int) -> String {
      "<a" + (0..<count).map { " a\($0)='='" }.joined() + "/>"
    }
    #expect(try parse(element(1_024), chunk: chunk).root.attributes.count == 1_024)
    let expected = XML.ParseError.Reason.limit(name: "attributesPerElement", value: 1_024)
    #expect(parseError(element(1_025), chunk: chunk)?.reason == expected)
    // libxml2 alone takes minutes for this one.
    #expect(parseError(element(200_000), chunk: max(chunk, 7))?.reason == expected)
    let declarations = "<a xmlns='urn:a' xmlns:b='urn:b' c='d'/>"
    let two = parseError(declarations, chunk: chunk, limits: limits(\.attributesPerElement, 2))
    #expect(two?.reason == .limit(name: "attributesPerElement", value: 2))
  }

  /// What looks like a start tag in a section that has not arrived whole.
  @Test(arguments: [1_000, 16_384, .max])
  func markupInCDATADoesNotCountAsATag(chunk: Int) throws {
    let text = String(repeating: "<x=1>", count: 20_000)
    #expect(try parse("<a><![CDATA[\(text)]]></a>", chunk: chunk).root.text == text)
    #expect(try events(Array("<a><![CDATA[\(text)]]></a>".utf8), cuts: [chunk]).contains("cdata " + text))
    // A tag right behind the section is one.
    let many = (0..<200_000).map { " a\($0)=''" }.joined()
    let expected = XML.ParseError.Reason.limit(name: "attributesPerElement", value: 1_024)
    for start in ["<![CDATA[\(text)]]>", "<!--\(text)-->", "<?p \(text)?>"] {
      #expect(parseError("<a>\(start)<b\(many)/></a>", chunk: chunk)?.reason == expected)
    }
  }

  @Test func countsAttributesThatTheDTDSupplies() {
    let defaults = (0..<10).map { " a\($0) CDATA 'x'" }.joined()
    let error = parseError(
      "<!DOCTYPE a [<!ATTLIST a\(defaults)>]><a/>",
      limits: limits(\.attributesPerElement, 9)
    )
    #expect(error?.reason == .limit(name: "attributesPerElement", value: 9))
  }

  @Test func refusesTooManyNamespacesInScope() throws {
    func element(_ depth: Int) -> String {
      let declarations = (0..<10).map { "xmlns:p\(depth)x\($0)='urn:\($0)'" }.joined(separator: " ")
      return "<a \(declarations)>" + (depth > 1 ? element(depth - 1) : "") + "</a>"
    }
    #expect(parseError(element(26))?.reason == .limit(name: "namespacesInScope", value: 256))
    let siblings = "<r>" + String(repeating: element(25), count: 3) + "</r>"
    #expect(try parse(siblings).root.elements.count == 3)
  }

  @Test func refusesLongNames() throws {
    let name = String(repeating: "n", count: 20)
    for text in [
      "<\(name)/>", "<a \(name)=''/>", "<a xmlns:\(name)='urn:a'/>", "<a><?\(name) ?></a>",
      "<p:\(name.dropLast(2)) xmlns:p='urn:a'/>", "<!DOCTYPE a [<!ENTITY \(name) ''>]><a/>",
      "<!DOCTYPE \(name)><a/>",
    ] {
      let error = parseError(text, limits: limits(\.nameLength, 19))
      #expect(error?.reason == .limit(name: "nameLength", value: 19), "\(text)")
      #expect((try? parse(text, limits: limits(\.nameLength, 20))) != nil, "\(text)")
    }
    let long = String(repeating: "n", count: 1_025)
    #expect(parseError("<\(long)/>")?.reason == .limit(name: "nameLength", value: 1_024))
  }

  @Test func refusesTooMuchText() throws {
    for text in [
      "<a>0123456789</a>", "<a>01<b/>23<b/>456789</a>", "<a b='0123456789'/>", "<a b='01234' c='56789'/>",
      "<a><![CDATA[0123456789]]></a>", "<a><!--0123456789--></a>", "<a><?p 0123456789?></a>",
      "<a xmlns='0123456789'/>",
    ] {
      let error = parseError(text, limits: limits(\.textSize, 9))
      #expect(error?.reason == .limit(name: "textSize", value: 9), "\(text)")
      #expect((try? parse(text, limits: limits(\.textSize, 10))) != nil, "\(text)")
    }
  }

  @Test(arguments: [4096, .max])
  func refusesAttributesAndTextsBeyondTheNodeSize(chunk: Int) throws {
    let large = String(repeating: "x", count: 5_000_000)
    #expect(try parse("<a b='\(large)'/>", chunk: chunk).root.attribute("b")?.utf8.count == 5_000_000)
    #expect(try parse("<a>\(large)</a>", chunk: chunk).root.text.utf8.count == 5_000_000)
    #expect(try parse("<a><![CDATA[\(large)]]></a>", chunk: chunk).root.text.utf8.count == 5_000_000)
    let huge = large + large + "x"
    let text = parseError("<a>\(huge)</a>", chunk: chunk)
    #expect(text?.reason == .limit(name: "nodeSize", value: 10_000_000))
  }

  @Test(arguments: [1 << 16, .max])
  func aRaisedNodeSizeAllowsLargerNodes(chunk: Int) async throws {
    let size = 12_000_000
    let text = String(repeating: "x", count: size)
    let raised = limits(\.nodeSize, size + 100)
    for document in ["<a>\(text)</a>", "<a><![CDATA[\(text)]]></a>", "<a b='\(text)'/>"] {
      let root = try parse(document, chunk: chunk, limits: raised).root
      #expect(root.text.utf8.count + (root.attribute("b")?.utf8.count ?? 0) == size)
      var decoder = XMLDecoder()
      decoder.limits = raised
      let map = try decoder.decode([String: String].self, from: "<r>\(document)</r>")
      let list = try decoder.decode([[String: String]].self, from: "<r>\(document)</r>")
      #expect((map["a"]?.utf8.count ?? 0) + (list.first?["b"]?.utf8.count ?? 0) == size)
    }
    for document in ["<a><!--\(text)--></a>", "<a><?p \(text)?></a>"] {
      #expect(try parse(document, chunk: chunk, limits: raised).root.children.first?.text.utf8.count == size)
    }
  }

  /// A lower limit applies to all of them, whether a tree is built or not.
  @Test func aLoweredNodeSizeRefusesSmallerNodes() async throws {
    let nine = limits(\.nodeSize, 9)
    for text in [
      "<a>0123456789</a>", "<a b='0123456789'/>", "<a><![CDATA[0123456789]]></a>", "<a><!--0123456789--></a>",
      "<a><?p 0123456789?></a>", "<a>0123<![CDATA[x]]>0123456789</a>", "<a b=''/><a b='0123456789'/>",
    ] {
      let document = Array("<r>\(text)</r>".utf8)
      let reason = XML.ParseError.Reason.limit(name: "nodeSize", value: 9)
      #expect(parseError(document, limits: nine)?.reason == reason, "\(text)")
      let error = #expect(throws: XML.ParseError.self, "\(text)") {
        let parser = XML.EventParser(LineHandler(), limits: nine)
        try document.withUnsafeBytes { try parser.append($0) }
        _ = try parser.finish()
      }
      #expect(error?.reason == reason, "\(text)")
      let ten = limits(\.nodeSize, 10)
      #expect((try? parse(document, limits: ten)) != nil, "\(text)")
    }
  }

  /// Those end at limits of libxml2.
  @Test func endlessMarkupIsRefusedAtTheNodeSize() {
    let huge = String(repeating: "x", count: 10_000_001)
    let size = XML.ParseError.Reason.limit(name: "nodeSize", value: 10_000_000)
    for (start, end) in [
      ("<a b='", "'/>"), ("<a><!--", "--></a>"), ("<!--", "--><a/>"), ("<a><?p ", "?></a>"), ("<a ", "=''/>"),
    ] {
      #expect(parseError(start + huge, chunk: .max)?.reason == size, "\(start)")
      let whole = parseError(start + huge + end, chunk: .max)?.reason
      // A name that is whole is told by its own limit.
      #expect(whole == size || whole == .limit(name: "nameLength", value: 1_024), "\(start)")
    }
    #expect(parseError("<a><![CDATA[\(huge)]]></a>", chunk: .max)?.reason == size)
    #expect(parseError("<\(huge)/>", chunk: .max)?.reason == .limit(name: "nameLength", value: 1_024))
    let subset = XML.ParseError.Reason.limit(name: "internalSubsetSize", value: 32 << 10)
    #expect(parseError("<!DOCTYPE \(huge)", chunk: .max)?.reason == subset)
  }

  @Test func addsUpSectionsThatFollowEachOther() throws {
    let half = "<![CDATA[\(String(repeating: "x", count: 5_000_001))]]>"
    let size = XML.ParseError.Reason.limit(name: "nodeSize", value: 10_000_000)
    #expect(parseError("<a>\(half)\(half)</a>", chunk: .max)?.reason == size)
    #expect(try parse("<a>\(half)<b/>\(half)x</a>", chunk: .max).root.children.count == 4)
    // As many nodes as there are in the tree.
    let mixed = "<a>x<![CDATA[y]]><![CDATA[y]]>z<![CDATA[y]]></a>"
    #expect(try parse(mixed, limits: limits(\.nodes, 5)).root.children.count == 4)
    #expect(parseError(mixed, limits: limits(\.nodes, 4))?.reason == .limit(name: "nodes", value: 4))
  }

  @Test func refusesTooManyDeclarations() throws {
    func document(_ declaration: String, _ count: Int) -> String {
      let all = (0..<count).map { declaration.replacing("%", with: "n\($0)") }.joined()
      return "<!DOCTYPE a [\(all)]><a/>"
    }
    for declaration in [
      "<!ENTITY % 'x'>", "<!ELEMENT % ANY>", "<!ATTLIST % a (b|c) 'b'>", "<!NOTATION % SYSTEM 'x'>",
      "<!ENTITY % SYSTEM 'x'>", "<!NOTATION n SYSTEM 'n'><!ENTITY % SYSTEM 'x' NDATA n>",
    ] {
      #expect(try parse(document(declaration, 10)).root.name == "a")
      let error = parseError(document(declaration, 10), limits: limits(\.declarations, 9))
      #expect(error?.reason == .limit(name: "declarations", value: 9), "\(declaration)")
    }
    let many = parseError(document("<!ENTITY % 'x'>", 1_100))
    #expect(many?.reason == .limit(name: "declarations", value: 1_024))
  }

  /// Each pair of hyphens is an error, of which libxml2 keeps a copy of the comment: seconds, were it to go on.
  @Test func refusesAMillionHyphensInACommentQuickly() {
    for start in ["", "x", "x -- ä "] {
      let text = "<a><!--" + start + String(repeating: "-", count: 1 << 20) + " --></a>"
      guard case .malformed(let message)? = parseError(text, chunk: 1 << 16)?.reason else {
        Issue.record("it was read")
        return
      }
      #expect(message.contains("hyphen") || message.contains("Comment"))
    }
  }
}
