import Testing

@testable import StagecoachXML

/// Elements without content: those of HTML 5, and obsolete ones.
@Suite struct HTMLVoidElementTests {
  static let names = [
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input", "keygen",
    "link", "meta", "param", "source", "track", "wbr",
  ]

  /// What stands around the element.
  static let nestings = [
    ("<p>", "</p>"), ("<div>", "</div>"), ("<table><tr><td>", "</td></tr></table>"), ("<a href=x>", "</a>"),
    ("<picture>", "</picture>"), ("<video>", "</video>"), ("<div><b><i>", "</i></b></div>"),
    ("<ul><li>", "</li></ul>"), ("<svg><foreignObject>", "</foreignObject></svg>"), ("<x-y>", "</x-y>"),
    ("", ""),
  ]

  @Test func theListIsThatOfTheHTMLStandard() {
    #expect(HTMLElements.void == Set(Self.names) && Self.names.count == 18)
  }

  @Test(arguments: names)
  func haveNoContent(name: String) throws {
    for (start, end) in Self.nestings {
      for tag in ["<\(name)>", "<\(name.uppercased()) a=1>", "<\(name)/>", "<\(name) a=1 />"] {
        for endTag in ["", "</\(name)>", "</\(name.uppercased()) >"] {
          let markup =
            "<!DOCTYPE html><body>\(start)one\(tag)\(endTag)two<em>three\(tag)</em>four\(endTag)\(end)"
            + "<address>five</address>"
          let page = try parseHTML(markup)
          #expect(page.htmlString == (try parseHTML(markup, chunk: 1).htmlString), "\(markup)")
          try check(page, name, isFrame: name == "frame", "\(markup)")
          let again = try parseHTML(page.htmlString)
          #expect(again.htmlString == page.htmlString, "\(markup)")
          #expect(again.root.text == page.root.text)
          #expect(again.node.descendants.map(\.name) == page.node.descendants.map(\.name), "\(markup)")
          #expect(!page.htmlString.contains("</\(name)"))
        }
      }
    }
  }

  private func check(_ page: XML.Document, _ name: String, isFrame: Bool, _ markup: Comment) throws {
    #expect(page.root.text == "onetwothreefourfive", markup)
    let elements = page.root.descendantElements.filter { $0.name == name }
    #expect(elements.count == 2, markup)
    #expect(elements.allSatisfy { $0.children.isEmpty }, markup)
    #expect(try page.xpath("//em").first?.text == "three", markup)
    #expect(try page.xpath("//address/ancestor::*").nodes.allSatisfy { $0.name != name }, markup)
  }

  @Test(arguments: names)
  func voidElementsDoNotSwallowTheBody(name: String) throws {
    let page = try parseHTML(
      "<html><head><title>t</title><\(name)></head><body><p>x<\(name)>y</p></body></html>"
    )
    #expect(try page.xpath("string(//title)").string == "t")
    #expect(try page.xpath("string(//body)").string == "xy")
    let elements = page.root.descendantElements.filter { $0.name == name }
    #expect(elements.allSatisfy { $0.children.isEmpty })
    #expect(try parseHTML(page.htmlString).htmlString == page.htmlString)
  }

  @Test func readsVoidElementsOfRealPages() throws {
    let page = try parseHTML(
      """
      <!DOCTYPE html>
      <p>Donau<wbr>dampf<wbr>schiff</p>
      <picture><source srcset=a.webp type=image/webp><img src=a.jpg></picture>

      """
    )
    #expect(try page.xpath("//p").first?.text == "Donaudampfschiff")
    #expect(try page.xpath("//picture/img/@src").string == "a.jpg")
    #expect(try page.xpath("//p").first?.htmlString == "<p>Donau<wbr>dampf<wbr>schiff</p>")
    #expect(
      page.htmlString.contains(
        "<picture><source srcset=\"a.webp\" type=\"image/webp\"><img src=\"a.jpg\"></picture>"
      )
    )
    let video = try parseHTML(
      "<body><video><source src=a><track src=b>text<p>more</p></video>"
        + "<object><param name=c><embed src=d>fallback</object>"
    )
    #expect(try video.xpath("//video/*").nodes.map(\.name) == ["source", "track", "p"])
    #expect(try video.xpath("//object").first?.text == "fallback")
  }

  /// A document of XML may have content in an element of such a name.
  @Test func contentOfOtherDocumentsIsKept() throws {
    let document = try parse("<div><source>a<b>c</b></source>d<script>1<br/>2</script></div>")
    #expect(document.htmlString == "<div><source>a<b>c</b>d<script>1<br>2</script></div>")
  }

  // MARK: - Scripts

  @Test(
    arguments: [
      ("<!-- <script> </script> -->", true),
      ("document.write('<!-- <script src=\"foo.js\"></script> -->');", true),
      ("<!-- <SCRIPT> </Script > </script> --><!--<script/></script -->", false),
      ("<!-- <script> </script> <script> </script>", true), ("<!--<script><script></script>", true),
      ("<!-- <scripty> -->", true), ("<!-->", true), ("<!--->", true),
      ("<!-- <script> --> <!-- <script></script", true),
      ("<!-- <!-- <script></script>-->", true), ("if (a <!--b && c-->d) {}", true),
      ("<!-- <script> --", true),
      ("<script></scrip", true), ("</scripty> </SCRIPT1", true),
    ]
  )
  func aScriptMayContainItsEndTag(script: String, isWhole: Bool) throws {
    let markup = "<!DOCTYPE html><body><script>\(script)</script><p>x</p>"
    var isIn = script.hasSuffix("<script> --") || script.hasSuffix("<script></script")
    if !isWhole { isIn = false }
    var pages: [String] = []
    for chunk in [1, 7, .max] {
      var issues: [XML.HTMLParser.Issue] = []
      let page = try parseHTML(Array(markup.utf8), chunk: chunk, issues: &issues)
      pages.append(page.htmlString)
      let found = try page.xpath("//script").nodes.map(\.text)
      if isIn {
        // The end tag belongs to the script, which ends with the page.
        #expect(found.count == 1 && found.first?.hasPrefix(script) == true, "\(found)")
      } else if isWhole {
        #expect(found == [script], "\(found)")
        #expect(!issues.contains { $0.message.contains("nvalid") }, "\(issues)")
        #expect(try page.xpath("//p").first?.text == "x")
      } else {
        #expect(found.first == "<!-- <SCRIPT> </Script > ")
      }
      #expect(try parseHTML(page.htmlString).htmlString == page.htmlString)
    }
    #expect(Set(pages).count == 1)
  }

  @Test func readsALongScriptFullOfTags() throws {
    let script = "<!--" + String(repeating: "<script></script>", count: 20_000) + "-->"
    for chunk in [1_000, .max] {
      let page = try parseHTML("<body><script>\(script)</script>x", chunk: chunk)
      #expect(try page.xpath("//script").first?.text == script && page.root.text.hasSuffix("x"))
    }
  }
}
