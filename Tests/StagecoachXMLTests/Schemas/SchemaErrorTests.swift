import Stagecoach
import StagecoachXML
import Testing

@Suite struct SchemaErrorTests {
  @Test func refusesADocumentThatIsNotASchema() {
    let error = schemaError("\n<a xmlns='urn:a'/>")
    #expect(error?.reason == .notASchema(root: "{urn:a}a"))
    #expect(error?.line == 2)
    #expect(schemaError("<schema/>")?.reason == .notASchema(root: "schema"))
    let html = schemaError("<element xmlns='http://www.w3.org/2001/XMLSchema' name='a'/>")
    #expect(html?.reason == .notASchema(root: "{http://www.w3.org/2001/XMLSchema}element"))
    let mixed = schemaError(xsd("<xs:include schemaLocation='a.rng'/>"), resources: ["a.rng": rng("")])
    #expect(mixed?.location == "a.rng")
    guard case .notASchema = mixed?.reason else {
      Issue.record("\(String(describing: mixed))")
      return
    }
  }

  @Test func refusesASchemaThatIsNotXML() {
    let error = schemaError("<a>\n<b></a>", location: "s.xsd")
    guard case .unreadable(let reason) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.line == 2)
    #expect(error?.line == 2)
    #expect(error?.location == "s.xsd")
    #expect(schemaError("")?.reason == .unreadable(XML.ParseError(reason: .empty)))
  }

  @Test(arguments: [
    ("<xs:element name='a'\n type='none'/>", 3), ("<xs:nonsense/>", 2), ("<xs:element/>", 2),
    (
      "\n<xs:complexType name='t'><xs:sequence>\n<xs:element name='a' minOccurs='x'/></xs:sequence></xs:complexType>",
      4
    ),
    (
      "<xs:simpleType name='t'><xs:restriction base='xs:int'>\n<xs:pattern value='['/></xs:restriction></xs:simpleType>",
      3
    ),
  ])
  func refusesAnInvalidXMLSchemaWithItsLine(content: String, line: Int) {
    let error = schemaError(xsd("\n" + content))
    guard case .invalid(let problems) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.line == line, "\(problems)")
    #expect(problems.first?.message.isEmpty == false)
    #expect(error?.description.hasPrefix("schema line \(line): ") == true)
  }

  @Test(arguments: [
    ("<start><ref\nname='none'/></start>", 3), ("<start><nonsense/></start>", 2), ("<start/>", 2),
    (
      "<start><element name='a'>\n<data type='none' datatypeLibrary='http://www.w3.org/2001/XMLSchema-datatypes'/></element></start>",
      3
    ),
  ])
  func refusesAnInvalidGrammarWithItsLine(content: String, line: Int) {
    let error = schemaError(rng("\n" + content))
    guard case .invalid(let problems) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.line == line, "\(problems)")
  }

  @Test func everyProblemHasItsDocument() {
    let error = schemaError(
      xsd("<!-- two\nlines --><xs:include schemaLocation='b.xsd'/>\n<xs:element name='a' type='none'/>"),
      location: "a.xsd",
      resources: ["b.xsd": xsd("\n\n<xs:element name='b'\n  type='none'\n />")]
    )
    guard case .invalid(let problems) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(Set(problems.map { "\($0.location):\($0.line ?? 0)" }) == ["a.xsd:3", "b.xsd:5"])
    #expect(problems.allSatisfy { !$0.message.contains("/./") })
    #expect(error?.description.contains("the first of \(problems.count) problems") == true)
  }
}
