import StagecoachXML
import Testing

@Suite struct HTMLSerializationTests {
  @Test func aWrittenPageIsReadAsTheSame() throws {
    let page = try parseHTML(
      """
      <!DOCTYPE html><html><head><title>a &lt; b</title><script>if (a < b && "</p>") {}</script>
      <style>p > a {}</style></head><body><p title="&quot;<>&amp;'&nbsp;">x&nbsp;&lt;&amp;&gt;<br><img src=a>
      <!-- c --><input disabled><textarea>a</textarea><svg><path/></svg></body></html>
      """
    )
    let written = page.htmlString
    #expect(written.hasPrefix("<!DOCTYPE html><html><head><title>a &lt; b</title>"))
    #expect(written.contains("<script>if (a < b && \"</p>\") {}</script>"))
    #expect(written.contains("<p title=\"&quot;<>&amp;'&nbsp;\">x&nbsp;&lt;&amp;&gt;<br><img src=\"a\">"))
    #expect(written.contains("<input disabled=\"\"><textarea>a</textarea><svg><path></path></svg>"))
    #expect(try parseHTML(written).htmlString == written)
  }

  @Test func writesNodesOfAnyKind() throws {
    let page = try parseHTML("<body><p id=\"a&amp;b\">x<!--c--><?d e?><b>f</b></p>")
    #expect(try page.xpath("//@id").first?.htmlString == "id=\"a&amp;b\"")
    #expect(try page.xpath("//p/text()").first?.htmlString == "x")
    #expect(try page.xpath("//comment()").first?.htmlString == "<!--c-->")
    #expect(try page.xpath("//processing-instruction()").first?.htmlString == "<?d e?>")
    #expect(try page.xpath("//b").first?.htmlString == "<b>f</b>")
  }

  @Test func writesAPageAsXML() throws {
    let page = try parseHTML("<!DOCTYPE html><p>a<br>&nbsp;<script>a<b</script>")
    #expect(
      page.xmlString.split(separator: "\n").last
        == "<html><body><p>a<br/>\u{A0}<script>a&lt;b</script></p></body></html>"
    )
    #expect(try page.xpath("//p").first?.xmlString == "<p>a<br/>\u{A0}<script>a&lt;b</script></p>")
    #expect(try parse(page.xmlString).root.text == "a\u{A0}a<b")
  }

  /// What XML cannot say is written as HTML says it is to be (13.2.9).
  @Test func convertsAPageToAnElement() throws {
    let page = try parseHTML(
      """
      <!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml" xmlns:og="urn:og" lang="en" xml:lang="en"><head>
      <title>t</title></head><body @click="a" a.b=1 :c="d" 1="e"><!--a--b---><p x"y t="\u{C}\u{1}">z\u{1}\u{C}\u{FFFE}<o:p>q</o:p><?php a ?><?a:b c?><!---c-->\
      <svg xlink:href="#a"/><x
      """
    )
    let element = XML.Element(page)
    let read = try XML.Element(parse(element.xmlString))
    #expect(read == element)
    #expect(
      read.name == "html"
        && read.attributes.map(\.name) == [
          "lang", XML.Name("lang", namespace: "http://www.w3.org/XML/1998/namespace"),
        ]
    )
    let body = try #require(read[element: "body"])
    #expect(body.attributes.map(\.name) == ["U000040click", "a.b", "U00003Ac", "U000031"])
    #expect(body.attributes.map(\.value) == ["a", "1", "d", "e"])
    #expect(body.children.first == .comment("a- -b- "))
    #expect(try XML.Document(element: element).root.name == "html")
    // Documents keep what they hold, and so do elements of XML.
    #expect(try page.xpath("/html/@*").nodes.count == 4)
    let xml = try parse("<!DOCTYPE html><html xml:lang='a'><!-- b --></html>")
    #expect(XML.Element(xml).attributes.map(\.name.prefix) == ["xml"])
  }

  @Test func writesDeepDocuments() throws {
    let page = try parseHTML(String(repeating: "<div>", count: 250) + "x")
    #expect(page.htmlString.utf8.count == 250 * 11 + 1 + 26)
  }
}
