import StagecoachXML
import Testing

@Suite struct SerializationTests {
  @Test func writesDocumentsInUTF8() throws {
    let text =
      "<!DOCTYPE a [\n<!ENTITY e \"x\">\n]>\n<!--c-->\n<a b=\"&lt;&quot;&amp;\">ü&lt;<![CDATA[<]]></a>\n"
    let document = try parse(
      Array("<?xml version='1.0' encoding='ISO-8859-1'?>\(text)".utf8),
      encoding: "utf-8"
    )
    #expect(document.xmlString == "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + text)
    #expect(try parse(document.xmlString).xmlString == document.xmlString)
  }

  @Test func elementsCarryTheNamespacesTheyNeed() throws {
    let document = try parse(
      "<a xmlns='urn:d' xmlns:p='urn:p' xmlns:q='urn:q'><p:b q:c='1' xml:lang='de'><d/></p:b></a>"
    )
    let text = document.root.elements[0].xmlString
    let root = try parse(text).root
    #expect(root.namespaceURI == "urn:p")
    #expect(root.attribute("c", namespace: "urn:q") == "1")
    #expect(root.attribute("lang", namespace: "http://www.w3.org/XML/1998/namespace") == "de")
    #expect(root.elements[0].namespaceURI == "urn:d")
    #expect(document.root.elements[0].xmlString == text)
  }

  @Test func writesAttributesTextAndComments() throws {
    let root = try parse("<a b='1 &lt; 2'>x &lt; y<!--c--><?d e?><![CDATA[<f>]]></a>").root
    #expect(root.attributes[0].xmlString == "b=\"1 &lt; 2\"")
    #expect(root.children.map(\.xmlString) == ["x &lt; y", "<!--c-->", "<?d e?>", "<![CDATA[<f>]]>"])
  }

  @Test func xhtmlStaysXML() throws {
    let type =
      "html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\" \"http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd\""
    let document = try parse("<!DOCTYPE \(type)><html xmlns='http://www.w3.org/1999/xhtml'><p></p></html>")
    #expect(document.xmlString.contains("<p/>"))
    #expect(!document.xmlString.contains("<meta"))
  }
}
