import StagecoachXML
import Testing

@Suite struct XPathTests {
  private func catalog() throws -> XML.Document {
    try parse(
      """
      <c:catalog xmlns:c="urn:c" xmlns="urn:b">
        <book id="b1" price="10.5"><title>One</title></book>
        <book id="b2" price="20"><title>Two</title><!--x--></book>
        <plain xmlns="">text</plain>
      </c:catalog>
      """
    )
  }

  private let namespaces = ["c": "urn:c", "x": "urn:b"]

  @Test func returnsNodeSets() throws {
    let document = try catalog()
    let titles = try document.xpath("//x:title", namespaces: namespaces)
    #expect(titles.nodes.map(\.text) == ["One", "Two"])
    #expect(titles.first?.name == "title")
    #expect(titles.string == "One")
    #expect(try document.xpath("//title").nodes.isEmpty)
    #expect(try document.xpath("//title").first == nil)
    #expect(try document.xpath("//title").string == "")
    #expect(try document.xpath("/").nodes == [document.node])
    #expect(try document.xpath("/*").nodes == [document.root])
    #expect(try document.xpath("//@id").nodes.map(\.kind) == [.attribute, .attribute])
    #expect(try document.xpath("//comment()").first?.kind == .comment)
    #expect(try document.xpath("//plain/text()").first?.text == "text")
  }

  @Test func nodesComeInDocumentOrderAndOnce() throws {
    let document = try catalog()
    let names = try document.xpath("//plain | //x:title | //x:book | //x:title", namespaces: namespaces)
    #expect(names.nodes.map(\.name) == ["book", "title", "book", "title", "plain"])
    let before = try document.xpath("//plain/preceding-sibling::*").nodes
    #expect(before.map { $0.attribute("id") } == ["b1", "b2"])
  }

  @Test func returnsStringsNumbersAndBooleans() throws {
    let document = try catalog()
    #expect(try document.xpath("string(//@id)") == .literal("b1"))
    #expect(try document.xpath("count(//x:book)", namespaces: namespaces) == .number(2))
    #expect(try document.xpath("sum(//@price)") == .number(30.5))
    #expect(try document.xpath("1 = 1") == .boolean(true))
    #expect(try document.xpath("1 = 1").string == "true")
    #expect(try document.xpath("not(1)").string == "false")
    #expect(try document.xpath("sum(//@price)").string == "30.5")
    #expect(try document.xpath("2 + 1").string == "3")
    #expect(try document.xpath("1 div 0").string == "Infinity")
    #expect(try document.xpath("0 div 0").string == "NaN")
    #expect(try document.xpath("1 = 1").nodes.isEmpty)
  }

  @Test func evaluatesRelativeToANode() throws {
    let document = try catalog()
    let book = try #require(try document.xpath("//*[@id='b2']").first)
    #expect(try book.xpath("x:title", namespaces: namespaces).string == "Two")
    #expect(try book.xpath("@price").string == "20")
    #expect(try book.xpath("..").first == document.root)
    #expect(try book.xpath("/").first == document.node)
    let attribute = try #require(book.attributes.first)
    #expect(try attribute.xpath("string(.)").string == "b2")
    #expect(try attribute.xpath("..").first == book)
  }

  @Test func namesTheDefectOfAnInvalidExpression() throws {
    let document = try catalog()
    func reason(_ expression: String) -> XML.XPathError.Reason? {
      do throws(XML.XPathError) {
        _ = try document.xpath(expression)
        return nil
      } catch {
        #expect(error.expression == String(expression.prefix(256)))
        #expect(error.description.contains(error.expression))
        return error.reason
      }
    }
    for expression in [
      "", "//", "//a[", "a b", "'open", "1 +", "//a[1]]", "count(1)", "concat('a')", "\0", "//a\0b",
    ] {
      guard case .invalid(let message, _) = reason(expression) else {
        Issue.record("\(expression): \(String(describing: reason(expression)))")
        continue
      }
      #expect(!message.isEmpty)
    }
    #expect(reason("//y:book") == .undeclaredPrefix)
    #expect(reason("document('file:///etc/passwd')") == .unknownFunction)
    #expect(reason("$x") == .undefinedVariable)
    #expect(reason("unheard()") == .unknownFunction)
    #expect(reason("//namespace::*") == .namespaceNodes)
    #expect(try document.xpath("string(/*/namespace::c)").string == "urn:c")
    #expect(
      reason(String(repeating: "1+", count: 40_000) + "1") == .limit(name: "expression size", value: 65_536)
    )
    #expect(reason(String(repeating: "(", count: 20_000)) == .limit(name: "nesting", value: 5000))
    guard case .invalid(_, offset: 4) = reason("1 + ]") else {
      Issue.record("\(String(describing: reason("1 + ]")))")
      return
    }
    #expect(throws: XML.XPathError.self) { try document.xpath("//a", namespaces: ["a\0": "urn:a"]) }
  }

  @Test func hostileExpressionsEnd() throws {
    let text = "<a>" + String(repeating: "<b><c/><c/></b>", count: 300) + "</a>"
    let document = try parse(text)
    let hostile = "count(//*[count(//*[count(//*[count(//*) > 0]) > 0]) > 0])"
    let start = ContinuousClock.now
    let error = #expect(throws: XML.XPathError.self) { try document.xpath(hostile) }
    #expect(error?.reason == .limit(name: "operations", value: XML.Document.defaultOperationLimit))
    #expect(ContinuousClock.now - start < .seconds(30))
    let small = #expect(throws: XML.XPathError.self) { try document.xpath("//c", operationLimit: 100) }
    #expect(small?.reason == .limit(name: "operations", value: 100))
    #expect(try document.xpath("//c").nodes.count == 600)
  }
}
