import Stagecoach
import StagecoachXML
import Testing

@Suite struct SchemaTests {
  // MARK: - XML Schema

  @Test func anOrderIsValid() throws {
    let schema = try XML.Schema(purchaseOrderSchema)
    #expect(schema.language == .xmlSchema)
    let report = schema.validate(try parse(purchaseOrder([item("872-AA"), item("926-AA")])))
    #expect(report.isValid)
    #expect(report.count == 0)
    #expect(report.description == "valid")
  }

  @Test func everyViolationIsListed() throws {
    let order = purchaseOrder(
      [item("872-AA"), item("9", quantity: "100"), item("926-AA", price: "cheap")],
      shipTo: address("shipTo", zip: "none", country: "DE"),
      date: "yesterday"
    )
    let report = try XML.Schema(purchaseOrderSchema).validate(try parse(order))
    let lines = order.split(separator: "\n", omittingEmptySubsequences: false)
    func line(_ text: String) -> Int? { lines.firstIndex { $0.contains(text) }.map { $0 + 1 } }
    let places = Dictionary(
      report.violations.map { ($0.path ?? "", $0) },
      uniquingKeysWith: { first, _ in first }
    )
    #expect(
      Set(places.keys) == [
        "/purchaseOrder/@orderDate", "/purchaseOrder/shipTo/@country", "/purchaseOrder/shipTo/zip",
        "/purchaseOrder/items/item[2]/@partNum", "/purchaseOrder/items/item[2]/quantity",
        "/purchaseOrder/items/item[3]/USPrice",
      ]
    )
    #expect(places["/purchaseOrder/@orderDate"]?.line == line("yesterday"))
    #expect(places["/purchaseOrder/shipTo/zip"]?.line == line("none"))
    #expect(places["/purchaseOrder/items/item[2]/quantity"]?.line == line("<quantity>100"))
    #expect(places["/purchaseOrder/items/item[3]/USPrice"]?.line == line("cheap"))
    #expect(places.values.allSatisfy { $0.code > 0 })
    #expect(places["/purchaseOrder/shipTo/zip"]?.message.contains("none") == true)
    #expect(report.count == report.violations.count)
    #expect(report.description.split(separator: "\n").count == report.count)
    #expect(report.description.contains("line \(line("cheap") ?? 0), /purchaseOrder/items/item[3]/USPrice: "))
  }

  @Test(arguments: [
    ("<a/>", "/a"), ("<comment>x</comment>", nil), ("<comment x='1'/>", "/comment/@x"),
    ("<purchaseOrder/>", "/purchaseOrder"), ("<purchaseOrder>text</purchaseOrder>", "/purchaseOrder"),
    ("<p:comment xmlns:p='urn:p'/>", "/p:comment"),
  ])
  func violationsHavePaths(text: String, path: String?) throws {
    let report = try XML.Schema(purchaseOrderSchema).validate(try parse(text))
    #expect(report.isValid == (path == nil))
    #expect(report.violations.first?.path == path)
  }

  @Test func refusesElementsOfAnotherNamespace() throws {
    let schema = try XML.Schema(
      xsd(
        "<xs:element name='a'><xs:complexType><xs:sequence><xs:element name='b' maxOccurs='2'/>"
          + "</xs:sequence></xs:complexType></xs:element>",
        "targetNamespace='urn:a' elementFormDefault='qualified'"
      )
    )
    #expect(schema.validate(try parse("<a xmlns='urn:a'><b/></a>")).isValid)
    #expect(schema.validate(try parse("<x:a xmlns:x='urn:a'><x:b/><x:b/></x:a>")).isValid)
    let none = schema.validate(try parse("<a><b/></a>"))
    #expect(none.violations.map(\.path) == ["/a"])
    let other = schema.validate(try parse("<x:a xmlns:x='urn:a'><x:b/><b xmlns='urn:b'/></x:a>"))
    #expect(other.violations.map(\.path) == ["/x:a/b"])
  }

  @Test func checksKeysAndReferences() throws {
    let schema = try XML.Schema(
      xsd(
        """
        <xs:element name='r'><xs:complexType><xs:sequence>
          <xs:element name='k' maxOccurs='unbounded'><xs:complexType>
            <xs:attribute name='id' type='xs:int'/><xs:attribute name='to' type='xs:int'/>
          </xs:complexType></xs:element></xs:sequence></xs:complexType>
          <xs:key name='key'><xs:selector xpath='k'/><xs:field xpath='@id'/></xs:key>
          <xs:keyref name='ref' refer='key'><xs:selector xpath='k'/><xs:field xpath='@to'/></xs:keyref>
        </xs:element>
        """
      )
    )
    #expect(schema.validate(try parse("<r><k id='1' to='2'/><k id='2'/></r>")).isValid)
    let report = schema.validate(try parse("<r><k id='1'/><k id='1'/>\n<k id='3' to='4'/></r>"))
    #expect(report.violations.map(\.line) == [1, 2])
  }

  /// Neither default attributes nor the identifiers that the schema declares appear in the document.
  @Test func theDocumentStaysAsItIs() throws {
    let schema = try XML.Schema(
      xsd(
        "<xs:element name='a'><xs:complexType><xs:attribute name='i' type='xs:ID'/>"
          + "<xs:attribute name='d' default='x'/></xs:complexType></xs:element>"
      )
    )
    let document = try parse("<a i='n'/>")
    let before = document.xmlString
    for _ in 0..<2 { #expect(schema.validate(document).isValid) }
    #expect(document.xmlString == before)
    #expect(try document.xpath("count(id('n'))").string == "0")
  }

  @Test func violationsBeyondTheLimitAreCounted() throws {
    let items = Array(repeating: item("x"), count: 250)
    let order = try parse(purchaseOrder(items))
    let report = try XML.Schema(purchaseOrderSchema).validate(order)
    #expect(report.violations.count == 100)
    #expect(report.count >= 250)
    #expect(report.description.hasSuffix("and \(report.count - 100) more"))
    let few = try XML.Schema(purchaseOrderSchema, limits: schemaLimits(\.violations, 3)).validate(order)
    #expect(few.violations == Array(report.violations.prefix(3)))
    #expect(few.count == report.count)
    let none = try XML.Schema(purchaseOrderSchema, limits: schemaLimits(\.violations, 0)).validate(order)
    #expect(none.violations.isEmpty)
    #expect(!none.isValid)
  }

  // MARK: - RELAX NG

  /// The address book of the RELAX NG tutorial (sections 1 to 4): cards of name, e-mail and maybe a note.
  private static let addressBook = rng(
    """

    <start><element name="addressBook"><zeroOrMore><ref name="card"/></zeroOrMore></element></start>
    <define name="card">
      <element name="card">
        <choice>
          <element name="name"><text/></element>
          <group>
            <element name="givenName"><text/></element>
            <element name="familyName"><text/></element>
          </group>
        </choice>
        <element name="email"><text/></element>
        <optional><element name="note"><text/></element></optional>
      </element>
    </define>

    """
  )

  @Test func anAddressBookIsValid() throws {
    let schema = try XML.Schema(Self.addressBook)
    #expect(schema.language == .relaxNG)
    for text in [
      "<addressBook/>",
      "<addressBook><card><name>John Smith</name><email>js@example.com</email></card></addressBook>",
      "<addressBook><card><givenName>J</givenName><familyName>S</familyName><email/><note/></card></addressBook>",
    ] {
      #expect(schema.validate(try parse(text)).isValid, "\(text)")
    }
  }

  @Test func aBadAddressBookIsRefusedWithLineAndPath() throws {
    let schema = try XML.Schema(Self.addressBook)
    let good = "<card><name>John</name><email>j@example.com</email></card>"
    let report = schema.validate(
      try parse("<addressBook>\n\(good)\n<card>\n<name>Fred</name><mail/>\n</card></addressBook>")
    )
    #expect(!report.isValid)
    let deepest = report.violations.first { $0.path?.hasPrefix("/addressBook/card[2]") == true }
    #expect(deepest?.line == 4 || deepest?.line == 3)
    for text in [
      "<card/>", "<addressBook x='1'/>", "<a:addressBook xmlns:a='urn:a'/>", "<addressBook>x</addressBook>",
    ] {
      #expect(!schema.validate(try parse(text)).isValid, "\(text)")
    }
  }

  /// A pattern instead of a grammar, as in section 1 of the tutorial, with data types and attributes.
  @Test func aPatternIsASchema() throws {
    let schema = try XML.Schema(
      Bytes(
        """
        <element name="item" xmlns="http://relaxng.org/ns/structure/1.0" ns="urn:i"
            datatypeLibrary="http://www.w3.org/2001/XMLSchema-datatypes">
          <attribute name="id"><data type="int"/></attribute>
          <oneOrMore><element name="n"><data type="decimal"><param name="minInclusive">1</param></data></element>
          </oneOrMore>
        </element>
        """
      )
    )
    #expect(schema.validate(try parse("<item id='1' xmlns='urn:i'><n>1</n><n>2.5</n></item>")).isValid)
    #expect(!schema.validate(try parse("<item id='1'><n>1</n></item>")).isValid)
    let report = schema.validate(try parse("<item id='one' xmlns='urn:i'><n>0</n></item>"))
    #expect(!report.violations.isEmpty)
  }

  /// libxml2 takes the children of an interleave apart while it validates.
  @Test func interleavedChildrenStayInOrder() throws {
    let schema = try XML.Schema(
      rng(
        "<start><element name='r'><interleave><zeroOrMore><element name='a'><text/></element></zeroOrMore>"
          + "<zeroOrMore><element name='b'><empty/></element></zeroOrMore><element name='c'><empty/></element>"
          + "</interleave></element></start>"
      )
    )
    let document = try parse("<r><a/><b/><a/><c/><b/><a/></r>")
    #expect(schema.validate(document).isValid)
    #expect(document.root.elements.map(\.name) == ["a", "b", "a", "c", "b", "a"])
    let bad = try parse("<r><a/><b/><a/>\n<b><x/></b><c/></r>")
    let report = schema.validate(bad)
    #expect(report.violations.contains { $0.path?.hasPrefix("/r/b[2]") == true && $0.line == 2 })
    #expect(bad.root.elements.map(\.name) == ["a", "b", "a", "b", "c"])
  }

  // MARK: - Both

  @Test func reportsLinesBeyondSixteenBits() throws {
    let schema = try XML.Schema(purchaseOrderSchema)
    let gap = String(repeating: "\n", count: 100_000)
    let report = schema.validate(try parse(gap + "<comment x='1'>text</comment>"))
    #expect(report.violations.map(\.line) == [100_001])
  }

  @Test func tasksShareASchemaAndADocument() async throws {
    for schema in [try XML.Schema(purchaseOrderSchema), try XML.Schema(Self.addressBook)] {
      let order = try parse(purchaseOrder([item("872-AA"), item("x"), item("926-AA")]))
      let book = try parse("<addressBook><card><name/><email/></card><card/></addressBook>")
      let expected = [schema.validate(order), schema.validate(book)]
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<8 {
          group.addTask {
            for _ in 0..<50 {
              guard [schema.validate(order), schema.validate(book)] == expected else { return false }
              guard order.root.elements.count == 3, book.root.elements.count == 2 else { return false }
            }
            return true
          }
        }
        for try await isSame in group { #expect(isSame) }
      }
    }
  }
}
