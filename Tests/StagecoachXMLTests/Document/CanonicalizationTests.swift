import StagecoachXML
import Testing

@Suite struct CanonicalizationTests {
  private func canonical(
    _ text: String,
    _ canonicalization: XML.Canonicalization = .inclusive
  ) throws -> String {
    String(decoding: try parse(text).canonicalXML(canonicalization), as: UTF8.self)
  }

  private func canonical(
    _ node: XML.Node?,
    _ canonicalization: XML.Canonicalization = .inclusive
  ) throws -> String {
    String(decoding: try #require(node).canonicalXML(canonicalization), as: UTF8.self)
  }

  private func check(_ text: String, _ expected: String, at location: SourceLocation = #_sourceLocation) {
    #expect(text == expected, sourceLocation: location)
  }

  // The examples of Canonical XML 1.0, section 3.

  @Test func writesInstructionsAndCommentsOutsideTheRootOnTheirOwnLines() throws {
    let text = """
      <?xml version="1.0"?>

      <?xml-stylesheet   href="doc.xsl"
         type="text/xsl"   ?>

      <!DOCTYPE doc SYSTEM "doc.dtd">

      <doc>Hello, world!<!-- Comment 1 --></doc>

      <?pi-without-data     ?>

      <!-- Comment 2 -->

      <!-- Comment 3 -->

      """
    check(
      try canonical(text),
      """
      <?xml-stylesheet href="doc.xsl"
         type="text/xsl"   ?>
      <doc>Hello, world!</doc>
      <?pi-without-data?>
      """
    )
    check(
      try canonical(text, XML.Canonicalization(.inclusive, keepsComments: true)),
      """
      <?xml-stylesheet href="doc.xsl"
         type="text/xsl"   ?>
      <doc>Hello, world!<!-- Comment 1 --></doc>
      <?pi-without-data?>
      <!-- Comment 2 -->
      <!-- Comment 3 -->
      """
    )
  }

  @Test func keepsWhiteSpaceInContent() throws {
    let text = """
      <doc>
         <clean>   </clean>
         <dirty>   A   B   </dirty>
         <mixed>
            A
            <clean>   </clean>
            B
            <dirty>   A   B   </dirty>
            C
         </mixed>
      </doc>
      """
    check(try canonical(text + "\n"), text)
  }

  @Test func normalizesTags() throws {
    let text = """
      <!DOCTYPE doc [<!ATTLIST e9 attr CDATA "default">]>
      <doc>
         <e1   />
         <e2   ></e2>
         <e3   name = "elem3"   id="elem3"   />
         <e4   name="elem4"   id="elem4"   ></e4>
         <e5 a:attr="out" b:attr="sorted" attr2="all" attr="I'm"
            xmlns:b="http://www.ietf.org"
            xmlns:a="http://www.w3.org"
            xmlns="http://example.org"/>
         <e6 xmlns="" xmlns:a="http://www.w3.org">
            <e7 xmlns="http://www.ietf.org">
               <e8 xmlns="" xmlns:a="http://www.w3.org">
                  <e9 xmlns="" xmlns:a="http://www.ietf.org"/>
               </e8>
            </e7>
         </e6>
      </doc>
      """
    check(
      try canonical(text),
      """
      <doc>
         <e1></e1>
         <e2></e2>
         <e3 id="elem3" name="elem3"></e3>
         <e4 id="elem4" name="elem4"></e4>
         <e5 xmlns="http://example.org" xmlns:a="http://www.w3.org" xmlns:b="http://www.ietf.org" \
      attr="I'm" attr2="all" b:attr="sorted" a:attr="out"></e5>
         <e6 xmlns:a="http://www.w3.org">
            <e7 xmlns="http://www.ietf.org">
               <e8 xmlns="">
                  <e9 xmlns:a="http://www.ietf.org" attr="default"></e9>
               </e8>
            </e7>
         </e6>
      </doc>
      """
    )
  }

  @Test func normalizesCharactersAndAttributeValues() throws {
    let text = """
      <!DOCTYPE doc [
      <!ATTLIST normId id ID #IMPLIED>
      <!ATTLIST normNames attr NMTOKENS #IMPLIED>
      ]>
      <doc>
         <text>First line&#x0d;&#10;Second line</text>
         <value>&#x32;</value>
         <compute><![CDATA[value>"0" && value<"10" ?"valid":"error"]]></compute>
         <compute expr='value>"0" &amp;&amp; value&lt;"10" ?"valid":"error"'>valid</compute>
         <norm attr=' &apos;   &#x20;&#13;&#xa;&#9;   &apos; '/>
         <normNames attr='   A   &#x20;&#13;&#xa;&#9;   B   '/>
         <normId id=' &apos;   &#x20;&#13;&#xa;&#9;   &apos; '/>
      </doc>
      """
    check(
      try canonical(text),
      """
      <doc>
         <text>First line&#xD;
      Second line</text>
         <value>2</value>
         <compute>value&gt;"0" &amp;&amp; value&lt;"10" ?"valid":"error"</compute>
         <compute expr="value>&quot;0&quot; &amp;&amp; value&lt;&quot;10&quot; \
      ?&quot;valid&quot;:&quot;error&quot;">valid</compute>
         <norm attr=" '    &#xD;&#xA;&#x9;   ' "></norm>
         <normNames attr="A &#xD;&#xA;&#x9; B"></normNames>
         <normId id="' &#xD;&#xA;&#x9; '"></normId>
      </doc>
      """
    )
  }

  /// The example but for its external entity, which is never read: `ent2` is internal here.
  @Test func expandsEntities() throws {
    let text = """
      <!DOCTYPE doc [
      <!ATTLIST doc attrExtEnt ENTITY #IMPLIED>
      <!ENTITY ent1 "Hello">
      <!ENTITY ent2 "world">
      <!ENTITY entExt SYSTEM "earth.gif" NDATA gif>
      <!NOTATION gif SYSTEM "viewgif.exe">
      ]>
      <doc attrExtEnt="entExt">
         &ent1;, &ent2;!
      </doc>

      <!-- Let world.txt contain "world" (excluding the quotes) -->
      """
    check(try canonical(text), "<doc attrExtEnt=\"entExt\">\n   Hello, world!\n</doc>")
  }

  @Test func writesUTF8WhateverTheEncoding() throws {
    let text = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<doc>&#169;</doc>"
    check(try canonical(text), "<doc>\u{A9}</doc>")
  }

  /// The last element of the example, as a part of its own.
  @Test func canonicalizesPartsOfDocuments() throws {
    let document = try parse(
      """
      <!DOCTYPE doc [
      <!ATTLIST e2 xml:space (default|preserve) 'preserve'>
      <!ATTLIST e3 id ID #IMPLIED>
      ]>
      <doc xmlns="http://www.ietf.org" xmlns:w3c="http://www.w3.org">
         <e1>
            <e2 xmlns="">
               <e3 id="E3"/>
            </e2>
         </e1>
      </doc>
      """
    )
    let e3 = try document.xpath("id('E3')").first
    check(
      try canonical(e3),
      "<e3 xmlns:w3c=\"http://www.w3.org\" id=\"E3\" xml:space=\"preserve\"></e3>"
    )
    check(try canonical(e3, .exclusive), "<e3 id=\"E3\"></e3>")
    check(
      try canonical(e3?.parent),
      """
      <e2 xmlns:w3c="http://www.w3.org" xml:space="preserve">
               <e3 id="E3"></e3>
            </e2>
      """
    )
    check(try canonical(document.node), try canonical(document.root))
  }

  // The examples of Exclusive XML Canonicalization 1.0, section 2.

  private static let envelopes = [
    """
    <n0:local xmlns:n0="foo:bar"
              xmlns:n3="ftp://example.org">
      <n1:elem2 xmlns:n1="http://example.net"
                xml:lang="en">
         <n3:stuff xmlns:n3="ftp://example.org"/>
      </n1:elem2>
    </n0:local>
    """,
    """
    <n2:pdu xmlns:n1="http://example.com"
            xmlns:n2="http://foo.example"
            xml:lang="fr"
            xml:space="retain">
      <n1:elem2 xmlns:n1="http://example.net"
                xml:lang="en">
         <n3:stuff xmlns:n3="ftp://example.org"/>
      </n1:elem2>
    </n2:pdu>
    """,
  ]

  @Test func aPartIsTheSameInEveryEnvelope() throws {
    for text in Self.envelopes {
      check(
        try canonical(parse(text).root.elements.first, .exclusive),
        """
        <n1:elem2 xmlns:n1="http://example.net" xml:lang="en">
             <n3:stuff xmlns:n3="ftp://example.org"></n3:stuff>
          </n1:elem2>
        """
      )
    }
  }

  @Test func inclusiveFormAddsTheContextOfAPart() throws {
    let parts = try Self.envelopes.map { try canonical(parse($0).root.elements.first) }
    #expect(
      parts == [
        """
        <n1:elem2 xmlns:n0="foo:bar" xmlns:n1="http://example.net" xmlns:n3="ftp://example.org" xml:lang="en">
             <n3:stuff></n3:stuff>
          </n1:elem2>
        """,
        """
        <n1:elem2 xmlns:n1="http://example.net" xmlns:n2="http://foo.example" xml:lang="en" xml:space="retain">
             <n3:stuff xmlns:n3="ftp://example.org"></n3:stuff>
          </n1:elem2>
        """,
      ]
    )
  }

  @Test func writesTheListedInclusivePrefixes() throws {
    let part = try parse(Self.envelopes[0]).root.elements.first
    check(
      try canonical(part, XML.Canonicalization(.exclusive(inclusivePrefixes: ["n0", "n3", "none"]))),
      """
      <n1:elem2 xmlns:n0="foo:bar" xmlns:n1="http://example.net" xmlns:n3="ftp://example.org" xml:lang="en">
           <n3:stuff></n3:stuff>
        </n1:elem2>
      """
    )
    let document = try parse("<a xmlns='urn:d' xmlns:p='urn:p'><p:b/></a>")
    let b = document.root.elements.first
    check(try canonical(b, .exclusive), "<p:b xmlns:p=\"urn:p\"></p:b>")
    check(
      try canonical(b, XML.Canonicalization(.exclusive(inclusivePrefixes: ["#default"]))),
      "<p:b xmlns=\"urn:d\" xmlns:p=\"urn:p\"></p:b>"
    )
  }

  @Test func version11JoinsBasesAndDropsInheritedIDs() throws {
    let document = try parse(
      "<a xml:base='http://h/x/' xml:id='i' xml:lang='en'><b xml:base='../y/'><c z='1'/></b></a>"
    )
    let c = try document.xpath("//c").first
    check(try canonical(c), "<c z=\"1\" xml:base=\"../y/\" xml:id=\"i\" xml:lang=\"en\"></c>")
    check(try canonical(c, .inclusive11), "<c z=\"1\" xml:base=\"http://h/y/\" xml:lang=\"en\"></c>")
    check(try canonical(document.node, .inclusive11), try canonical(document.node))
  }

  @Test func refusesNodesOtherThanElements() throws {
    let root = try parse("<a b='c'>x<!--d--><?e f?><![CDATA[<g>]]></a>").root
    for node in root.children + root.attributes {
      #expect(throws: XML.CanonicalizationError(reason: .noElement)) { try node.canonicalXML() }
    }
    let comments = XML.Canonicalization(.exclusive(), keepsComments: true)
    check(try canonical(root, comments), "<a b=\"c\">x<!--d--><?e f?>&lt;g&gt;</a>")
    check(try canonical(root), "<a b=\"c\">x<?e f?>&lt;g&gt;</a>")
  }

  @Test func refusesRelativeNamespaces() throws {
    let document = try parse("<a xmlns:p='relative'><p:b/><c/></a>")
    for form in [XML.Canonicalization.inclusive, .inclusive11, .exclusive] {
      let error = #expect(throws: XML.CanonicalizationError.self) { try document.canonicalXML(form) }
      #expect(error?.reason == .relativeNamespace)
      #expect(error?.description.isEmpty == false)
    }
    let form = XML.Canonicalization(.exclusive(inclusivePrefixes: ["a\0"]))
    #expect(throws: XML.CanonicalizationError(reason: .invalidPrefix("a\0"))) {
      try document.canonicalXML(form)
    }
  }

  /// What is built comes to the same canonical form as what is parsed.
  @Test func canonicalizesElementValues() throws {
    let element = XML.Element("{urn:d}a", attributes: ["y": "1", "x": "2"]) { XML.Element("{urn:d}b") }
    #expect(
      try XML.Document(element: element).canonicalXML()
        == parse("<a xmlns='urn:d' x='2' y='1'><b  ></b></a>").canonicalXML()
    )
  }
}
