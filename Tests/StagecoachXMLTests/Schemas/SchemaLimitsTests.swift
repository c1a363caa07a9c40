import Stagecoach
import StagecoachXML
import Testing

/// Schemas and documents that libxml2 descends into, or takes long for.
@Suite struct SchemaLimitsTests {
  private static func group(_ name: String, _ content: String) -> String {
    "<xs:group name='\(name)'><xs:sequence>\(content)</xs:sequence></xs:group>"
  }

  private static func root(_ content: String) -> String {
    "<xs:element name='r'><xs:complexType>\(content)</xs:complexType></xs:element>"
  }

  /// A definition that is written for each of some numbers; `%` stands for it, `$` for the one before.
  private static func chain(_ count: Int, _ text: String) -> String {
    let pieces = text.split(separator: "%", omittingEmptySubsequences: false).map {
      $0.split(separator: "$", omittingEmptySubsequences: false)
    }
    return (1...count).reversed().map { number in
      pieces.map { $0.joined(separator: "\(number - 1)") }.joined(separator: "\(number)")
    }.joined()
  }

  @Test func largeOccurrencesCostNothing() throws {
    let schema = try XML.Schema(
      xsd(
        Self.root(
          "<xs:sequence maxOccurs='1000000000'><xs:element name='a' minOccurs='0' maxOccurs='1000000'/>"
            + "<xs:sequence minOccurs='2' maxOccurs='1000000'><xs:element name='b'/></xs:sequence></xs:sequence>"
        )
      )
    )
    #expect(schema.validate(try parse("<r><a/><b/><b/></r>")).isValid)
    #expect(!schema.validate(try parse("<r><a/><b/></r>")).isValid)
  }

  /// Elements in elements in elements are no nesting of constructs, but libxml2 follows them all the same.
  @Test func compilesLongChainsOfElements() throws {
    let count = 20_000
    let schema = try XML.Schema(
      rng(
        "<start><ref name='d\(count)'/></start><define name='d0'><element name='e'><empty/></element></define>"
          + Self.chain(count, "<define name='d%'><element name='e%'><ref name='d$'/></element></define>")
      )
    )
    #expect(!schema.validate(try parse("<e20000><e19999/></e20000>")).isValid)
    let types = try XML.Schema(
      xsd(
        "<xs:complexType name='t0'/>"
          + Self.chain(
            count,
            "<xs:complexType name='t%'><xs:sequence><xs:element name='a' type='t$'/></xs:sequence></xs:complexType>"
          ) + "<xs:element name='r' type='t\(count)'/>"
      )
    )
    #expect(!types.validate(try parse("<r><a/></r>")).isValid)
  }

  /// Patterns in patterns around elements in elements, as deep as both may be.
  @Test func validatesDeepDocuments() throws {
    let depth = 90
    let schema = try XML.Schema(
      rng(
        "<start><ref name='a'/></start><define name='a'><element name='a'>"
          + String(repeating: "<optional><group>", count: depth)
          + "<interleave><optional><ref name='a'/></optional>"
          + "<optional><element name='b'><empty/></element></optional></interleave>"
          + String(repeating: "</group></optional>", count: depth) + "</element></define>"
      )
    )
    let nested = String(repeating: "<a>", count: 256) + String(repeating: "</a>", count: 256)
    #expect(schema.validate(try parse(nested)).isValid)
    let bad = String(repeating: "<a>", count: 255) + "<c/>" + String(repeating: "</a>", count: 255)
    #expect(!schema.validate(try parse(bad)).isValid)
  }

  /// What takes quadratic time for the children of one element.
  @Test func wideDocumentsHaveALimit() throws {
    let pattern =
      "<start><element name='r'><interleave><zeroOrMore><element name='a'><text/></element></zeroOrMore>"
      + "<zeroOrMore><element name='b'><empty/></element></zeroOrMore></interleave></element></start>"
    func report(_ content: String, _ limits: XML.Schema.Limits) throws -> XML.ValidationReport {
      try XML.Schema(rng(pattern), limits: limits).validate(parse("<r>\(content)</r>"))
    }
    let wide = try report(String(repeating: "<a/>", count: 100_001), XML.Schema.Limits())
    #expect(!wide.isValid && wide.count == 1)
    #expect(
      wide.violations.map(\.message)
        == ["not validated: exceeds the limit XML.Schema.Limits.documentComplexity = 10000000000"]
    )
    // Nine for the root, one for its child with text.
    let content = "\n<a>x</a> <!--c--><b/><?p ?>\n<b/>\n"
    #expect(try report(content, schemaLimits(\.documentComplexity, 10)).isValid)
    #expect(try !report(content, schemaLimits(\.documentComplexity, 9)).isValid)
    var silent = schemaLimits(\.documentComplexity, 9)
    silent.violations = 0
    #expect(try report(content, silent) == XML.ValidationReport(violations: [], count: 1))
    // XML Schema needs none.
    let types = xsd(
      "<xs:element name='r'><xs:complexType><xs:sequence><xs:element name='a' maxOccurs='unbounded'/>"
        + "</xs:sequence></xs:complexType></xs:element>"
    )
    let schema = try XML.Schema(types, limits: schemaLimits(\.documentComplexity, 1))
    #expect(try schema.validate(parse("<r><a/><a/></r>")).isValid)
  }

  @Test func circlesAreErrors() {
    let schemas = [
      xsd(Self.group("g", "<xs:group ref='g'/><xs:group ref='g'/>") + Self.root("<xs:group ref='g'/>")),
      xsd(Self.group("g", "<xs:group ref='h'/>") + Self.group("h", "<xs:group ref='g'/>")),
      xsd("<xs:simpleType name='t'><xs:restriction base='t'/></xs:simpleType>"),
      xsd("<xs:simpleType name='t'><xs:union memberTypes='t'/></xs:simpleType>"),
      xsd("<xs:simpleType name='t'><xs:list itemType='t'/></xs:simpleType>"),
      xsd(
        "<xs:complexType name='t'><xs:complexContent><xs:extension base='t'/></xs:complexContent></xs:complexType>"
      ),
      xsd("<xs:element name='a' substitutionGroup='b'/><xs:element name='b' substitutionGroup='a'/>"),
      rng("<start><ref name='a'/></start><define name='a'><ref name='a'/></define>"),
      rng(
        "<start><ref name='a'/></start><define name='a'><choice><ref name='b'/><empty/></choice></define>"
          + "<define name='b'><group><ref name='a'/><ref name='a'/></group></define>"
      ),
    ]
    for schema in schemas {
      guard case .invalid = schemaError(schema)?.reason else {
        Issue.record("\(String(decoding: schema)): \(String(describing: schemaError(schema)))")
        continue
      }
    }
    let include = rng("<include href='a.rng'/>")
    guard case .invalid = schemaError(include, location: "a.rng", resources: ["a.rng": include])?.reason
    else {
      Issue.record("a grammar that includes itself")
      return
    }
  }
}
