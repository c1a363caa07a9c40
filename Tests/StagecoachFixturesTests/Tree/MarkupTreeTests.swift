import Testing

@testable import StagecoachFixtures

@Suite struct MarkupTreeTests {
  @Test func readsAndRewritesXML() {
    let text = """
      <?xml version="1.0"?><!DOCTYPE r [<!ENTITY e "<x>">]>
      <s:r xmlns:s="urn:x" s:id='1&amp;2'>
        <a> x &lt;&#233; </a><a>2</a> t <![CDATA[<b>]]> <!-- <c>d</c> --><e f=""/>
      </s:r>
      """
    let tree = TextTree(text, "application/soap+xml")
    #expect(
      tree.listing == [
        "/r/@xmlns:s = urn:x", "/r/@id = 1&2", "/r/a/#text = x <é", "/r/a[2]/#text = 2", "/r/#text = t",
        "/r/#text[2] = <b>", "/r/e/@f = ",
      ]
    )
    #expect(
      tree.replacing("/r/a/#text", with: "<&\"") == text.replacing("x &lt;&#233;", with: "&lt;&amp;&quot;")
    )
  }

  @Test func readsAndRewritesHTML() {
    let text = """
      <!DOCTYPE html><html><head><META name=csrf content='a&b'><script>f({apiKey: "x", b: '</a>'})</script>
      <script type="application/json">{"t": "</b>"}</script><title>a &lt; <b></title></head>
      <body><ul><li>1<li>2</ul><table><tr><td>3<td>4<tr><td>5</table><p>6<br>7<p>8 < 9
      <input type=password value=pw><textarea><i></textarea></body></html>
      """
    let tree = TextTree(text)
    #expect(
      tree.listing == [
        "/html/head/meta/@name = csrf", "/html/head/meta/@content = a&b",
        "/html/head/script/#text = f({apiKey: \"x\", b: '</a>'})", "/html/head/script/#text>apiKey = x",
        "/html/head/script/#text>b = </a>", "/html/head/script[2]/@type = application/json",
        "/html/head/script[2]/#text = {\"t\": \"</b>\"}", "/html/head/script[2]/#text>$.t = </b>",
        "/html/head/title/#text = a < <b>", "/html/body/ul/li/#text = 1", "/html/body/ul/li[2]/#text = 2",
        "/html/body/table/tr/td/#text = 3", "/html/body/table/tr/td[2]/#text = 4",
        "/html/body/table/tr[2]/td/#text = 5",
        "/html/body/p/#text = 6", "/html/body/p/#text[2] = 7", "/html/body/p[2]/#text = 8 < 9",
        "/html/body/p[2]/input/@type = password", "/html/body/p[2]/input/@value = pw",
        "/html/body/p[2]/textarea/#text = <i>",
      ]
    )
    #expect(
      tree.replacing("/html/body/p[2]/input/@value", with: "a b=")
        == text.replacing("value=pw", with: "value=a&#32;b=")
    )
  }

  @Test(arguments: [
    ("<a><b>1</a>2", ["/a/b/#text = 1", "/#text = 2"]),
    ("<a b=\"1", ["/a/@b = 1"]),
    ("<a b=1 c <d>2</x>3", ["/a/@b = 1", "/a/d/#text = 2", "/a/d/#text[2] = 3"]),
    ("<a><![CDATA[1", ["/a/#text = 1"]),
    ("<a>1<!-- 2", ["/a/#text = 1"]),
  ])
  func readsBrokenTextsAsFarAsPossible(_ text: String, _ leaves: [String]) {
    #expect(TextTree(text, "text/xml").listing == leaves)
  }

  /// A link without quotes has ampersands that begin no reference.
  @Test func anAttributeWithoutQuotesKeepsItsAmpersands() {
    let text = "<html><body><a href=/x?a=1&token=s3&lt;&b=2 id=y>z</a></body></html>"
    let tree = TextTree(text, "text/html")
    #expect(tree.listing.contains("/html/body/a/@href>query.token = s3<"), "\(tree.listing)")
    #expect(
      tree.replacing("/html/body/a/@href>query.token", with: "t")
        == "<html><body><a href=/x?a=1&token=t&b=2 id=y>z</a></body></html>"
    )
  }
}
