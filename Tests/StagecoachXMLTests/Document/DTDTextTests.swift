import StagecoachXML
import Testing

/// A document type that is written declares what was read.
@Suite struct DTDTextTests {
  /// The document type of a document, as it is written.
  private func written(_ document: XML.Document) throws -> String {
    try #require(document.node.children.first { $0.kind == .documentType }).xmlString
  }

  /// Writes a document type, and holds what it does to a document against what the first one does.
  private func expectSame(
    _ subset: String,
    _ body: String = "<a/>",
    sourceLocation: SourceLocation = #_sourceLocation
  )
    throws -> String
  {
    let first = try parse("<!DOCTYPE a \(subset)>\(body)")
    let type = try written(first)
    let second = try parse(type + body)
    #expect(try second.canonicalXML() == first.canonicalXML(), "\(type)", sourceLocation: sourceLocation)
    #expect(try written(second) == type, sourceLocation: sourceLocation)
    // The document as a whole, with what the declarations made of it.
    let third = try parse(first.xmlString)
    #expect(third.xmlString == first.xmlString, sourceLocation: sourceLocation)
    #expect(try third.canonicalXML() == first.canonicalXML(), sourceLocation: sourceLocation)
    return type
  }

  static let attributes = [
    ("CDATA '&lt;'", "CDATA \"&lt;\""), ("CDATA '&#60;&gt;'", "CDATA \"&lt;>\""),
    ("CDATA '&amp;lt;'", "CDATA \"&#38;lt;\""), ("CDATA 'a&#38;b'", "CDATA \"a&#38;b\""),
    ("CDATA '\"'", "CDATA \"&quot;\""), ("CDATA \"'\"", "CDATA \"'\""),
    ("CDATA '&quot;&apos;'", "CDATA \"&quot;'\""), ("CDATA ''", "CDATA \"\""),
    ("CDATA 'a&#9;b&#10;c&#13;d  e'", "CDATA \"a&#9;b&#10;c&#13;d  e\""), ("CDATA '&e;'", "CDATA \"&e;\""),
    ("NMTOKEN ''", "NMTOKEN \"\""), ("NMTOKEN 'a b'", "NMTOKEN \"a b\""),
    ("NMTOKEN '&lt;'", "NMTOKEN \"&lt;\""),
    ("NMTOKENS ''", "NMTOKENS \"\""), ("ID 'x'", "ID \"x\""), ("ID '1'", "ID \"1\""),
    ("IDREFS ''", "IDREFS \"\""), ("ENTITY '1'", "ENTITY \"1\""),
    ("NMTOKEN #FIXED ''", "NMTOKEN #FIXED \"\""),
    ("(x|y) 'z'", "(x | y) \"z\""), ("(x) 'x'", "(x) \"x\""),
    ("NOTATION (g|h) 'g'", "NOTATION (g | h) \"g\""),
    ("CDATA #REQUIRED", "CDATA #REQUIRED"), ("CDATA #IMPLIED", "CDATA #IMPLIED"),
    ("CDATA #FIXED '%'", "CDATA #FIXED \"%\""),
  ]

  @Test(arguments: attributes)
  func writesDefaultsOfAttributes(declaration: String, expected: String) throws {
    let type = try expectSame("[<!ENTITY e \"x\"><!ATTLIST a b \(declaration)>]")
    #expect(type == "<!DOCTYPE a [\n<!ENTITY e \"x\">\n<!ATTLIST a b \(expected)>\n]>")
  }

  /// The first declaration of an attribute counts.
  @Test func writesTheFirstOfTwoDeclaredDefaults() throws {
    let type = try expectSame("[<!ATTLIST a b NMTOKEN ''><!ATTLIST a b NMTOKEN '!' c NMTOKEN #IMPLIED>]")
    #expect(
      type == "<!DOCTYPE a [\n<!ATTLIST a b NMTOKEN \"\">\n<!ATTLIST a c NMTOKEN #IMPLIED>\n]>"
    )
    let required = try expectSame("[<!ATTLIST a b NMTOKEN #IMPLIED><!ATTLIST a b NMTOKEN ''>]")
    #expect(required == "<!DOCTYPE a [\n<!ATTLIST a b NMTOKEN #IMPLIED>\n]>")
  }

  static let entities = [
    "e '&#38;#60;'", "e '&lt;&amp;'", "e 'a\"b'", "e \"a'b\"", "e '&#34;' ", "e '&#39;&#34;'",
    "e '&#37;'", "e '100&#37; &#x25;'", "e ''", "e 'a&#13;&#10;b'", "e 'a\nb'", "e '&f;'", "e '&#38;f;'",
    "e ']]'", "e 'ü&#228;'", "e '&#38;#38;'",
  ]

  @Test(arguments: entities)
  func writesValuesOfEntities(declaration: String) throws {
    _ = try expectSame("[<!ENTITY f 'F'><!ENTITY \(declaration)>]", "<a b='&e;'>&e;</a>")
  }

  static let others = [
    "<!ENTITY m '&#60;b>'>", "<!ENTITY m ']]>'>", "<!ENTITY e SYSTEM \"a'b\">",
    "<!ENTITY e PUBLIC \"it's\" 'ab'>",
    "<!ENTITY g SYSTEM 'x.gif' NDATA n>", "<!ENTITY g PUBLIC '-//x' 'x.gif' NDATA n>",
    "<!ENTITY % p 'x'>", "<!ENTITY % p '&#60;!ENTITY e \"y\">'>", "<!ENTITY % p SYSTEM 'p'>",
    "<!ENTITY % p '&#37;&#34;&#39;'>",
    "<!NOTATION n PUBLIC \"it's\">", "<!NOTATION n PUBLIC '-//x' 'a\"b'>", "<!NOTATION n SYSTEM 'a\"b'>",
    "<!NOTATION z SYSTEM ''><!NOTATION b SYSTEM ''><!NOTATION y SYSTEM ''>",
    "<!ELEMENT a EMPTY>", "<!ELEMENT a ANY>", "<!ELEMENT a (#PCDATA)>", "<!ELEMENT a (#PCDATA)*>",
    "<!ELEMENT a (#PCDATA|b|x:c)*>", "<!ELEMENT a (b)>", "<!ELEMENT a (b)+>", "<!ELEMENT a (b?)+>",
    "<!ELEMENT a (b,c?,(d|e*)+,(f))>", "<!ELEMENT a ((b,c),d)>", "<!ELEMENT a (b,(c,d)*)>",
    "<!ELEMENT a (b,(c,d))*>", "<!ELEMENT a ((b|c)|(d|e)?)>", "<!ELEMENT x:a (x:b|c)>",
    "<!ATTLIST x:a x:b CDATA '1' xml:space (default|preserve) 'preserve'>",
    "<!ATTLIST a xmlns CDATA 'urn:&#38;x'>", "<!ATTLIST a xmlns:p CDATA 'urn:p' p:q CDATA '&quot;'>",
    "<!-- ]> ' \" & < --><?p ]> '\" ?><?q?>", "<!ENTITY lt '&#38;#60;'>", "<!ENTITY amp '&#38;#38;'>",
    "<!ENTITY e 'first'><!ENTITY e 'second'>",
  ]

  @Test(arguments: others)
  func writesOtherDeclarations(declaration: String) throws {
    _ = try expectSame("[\(declaration)]")
  }

  @Test func writesIdentifiersInFittingQuotes() throws {
    #expect(try expectSame("SYSTEM 'a\"b'") == "<!DOCTYPE a SYSTEM 'a\"b'>")
    #expect(try expectSame("SYSTEM \"a'b\"") == "<!DOCTYPE a SYSTEM \"a'b\">")
    #expect(try expectSame("SYSTEM ''") == "<!DOCTYPE a SYSTEM \"\">")
    #expect(try expectSame("PUBLIC \"it's\" 'a\"b'") == "<!DOCTYPE a PUBLIC \"it's\" 'a\"b'>")
    #expect(
      try expectSame("SYSTEM 'a' [<!ELEMENT a ANY>]") == "<!DOCTYPE a SYSTEM \"a\" [\n<!ELEMENT a ANY>\n]>"
    )
    #expect(try expectSame("[]") == "<!DOCTYPE a>")
  }

  /// HTML allows what XML does not.
  @Test func writesIdentifiersFromHTML() throws {
    for (type, expected) in [
      ("PUBLIC '-//x'", "PUBLIC \"-//x\" \"\""), ("SYSTEM 'a\"b'", "SYSTEM 'a\"b'"),
    ] {
      let document = try parseHTML("<!DOCTYPE html \(type)><p>")
      let type = try written(document)
      #expect(type == "<!DOCTYPE html \(expected)>")
      #expect(try parse(document.xmlString).root.localName == "html")
    }
  }

  /// Any number of declarations after each other.
  @Test func writesRandomDeclarationsAsTheyWereRead() throws {
    var random = SplitMix(state: 20)
    func any<Value>(_ values: [Value]) -> Value { values[Int.random(in: values.indices, using: &random)] }
    func declaration() -> String {
      let number = Int.random(in: 0..<20, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: return "<!ATTLIST a b\(number) \(any(Self.attributes).0)>"
      case 1: return "<!ENTITY e\(number)\(any(Self.entities).dropFirst())>"
      default: return any(Self.others)
      }
    }
    for _ in 0..<200 {
      let declarations = (0..<10).map { _ in declaration() }.joined()
      // With the entities that others refer to; the parser reads no parameter entity that is declared twice.
      guard declarations.ranges(of: "% p").count < 2 else { continue }
      _ = try expectSame("[<!ENTITY e 'E'><!ENTITY f 'F'>\(declarations)]")
    }
  }
}
