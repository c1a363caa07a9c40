import StagecoachXML
import Testing

@Suite struct HTMLSerializationTests {
  @Test func writtenAndReadAgain() throws {
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

  @Test func nodesOfAnyKind() throws {
    let page = try parseHTML("<body><p id=\"a&amp;b\">x<!--c--><?d e?><b>f</b></p>")
    #expect(try page.xpath("//@id").first?.htmlString == "id=\"a&amp;b\"")
    #expect(try page.xpath("//p/text()").first?.htmlString == "x")
    #expect(try page.xpath("//comment()").first?.htmlString == "<!--c-->")
    #expect(try page.xpath("//processing-instruction()").first?.htmlString == "<?d e?>")
    #expect(try page.xpath("//b").first?.htmlString == "<b>f</b>")
  }

  @Test func theSameDocumentAsXML() throws {
    let page = try parseHTML("<!DOCTYPE html><p>a<br>&nbsp;<script>a<b</script>")
    #expect(
      page.xmlString.split(separator: "\n").last
        == "<html><body><p>a<br/>\u{A0}<script>a&lt;b</script></p></body></html>"
    )
    #expect(try page.xpath("//p").first?.xmlString == "<p>a<br/>\u{A0}<script>a&lt;b</script></p>")
    #expect(try parse(page.xmlString).root.text == "a\u{A0}a<b")
  }

  @Test func deepDocuments() throws {
    let page = try parseHTML(String(repeating: "<div>", count: 250) + "x")
    #expect(page.htmlString.utf8.count == 250 * 11 + 1 + 26)
  }
}
