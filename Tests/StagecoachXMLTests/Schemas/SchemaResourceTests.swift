import Foundation
import Stagecoach
import StagecoachConformance
import StagecoachXML
import Testing

/// What a schema refers to comes from the caller or not at all.
@Suite struct SchemaResourceTests {
  private static let types = xsd(
    "<xs:simpleType name='size'><xs:restriction base='xs:int'><xs:maxInclusive value='9'/></xs:restriction>"
      + "</xs:simpleType>"
  )

  @Test func usesIncludedDocuments() throws {
    let schema = try XML.Schema(
      xsd("<xs:include schemaLocation='types.xsd'/><xs:element name='a' type='size'/>"),
      resources: ["types.xsd": Self.types, "other.xsd": "not even XML"]
    )
    #expect(schema.validate(try parse("<a>9</a>")).isValid)
    #expect(!schema.validate(try parse("<a>10</a>")).isValid)
  }

  /// An included document without a target namespace takes that of the one that includes it.
  @Test func anIncludedDocumentTakesTheNamespace() throws {
    let schema = try XML.Schema(
      xsd(
        "<xs:include schemaLocation='types.xsd'/><xs:element name='a' type='t:size'/>",
        "targetNamespace='urn:t' xmlns:t='urn:t'"
      ),
      resources: ["types.xsd": Self.types]
    )
    #expect(schema.validate(try parse("<a xmlns='urn:t'>9</a>")).isValid)
    #expect(!schema.validate(try parse("<a xmlns='urn:t'>x</a>")).isValid)
  }

  @Test func usesImportedNamespaces() throws {
    let schema = try XML.Schema(
      xsd(
        """
        <xs:import namespace='urn:b' schemaLocation='https://example.com/b.xsd'/>
        <xs:import namespace='http://www.w3.org/XML/1998/namespace' schemaLocation='xml.xsd'/>
        <xs:element name='a'><xs:complexType><xs:sequence><xs:element ref='b:b'/></xs:sequence>
          <xs:attribute ref='xml:lang'/></xs:complexType></xs:element>
        """,
        "xmlns:b='urn:b'"
      ),
      resources: [
        "https://example.com/b.xsd": xsd("<xs:element name='b' type='xs:int'/>", "targetNamespace='urn:b'"),
        "xml.xsd": xsd(
          "<xs:attribute name='lang' type='xs:language'/>",
          "targetNamespace='http://www.w3.org/XML/1998/namespace'"
        ),
      ]
    )
    #expect(schema.validate(try parse("<a xml:lang='en'><b xmlns='urn:b'>1</b></a>")).isValid)
    let report = schema.validate(try parse("<a xml:lang='?'><b xmlns='urn:b'>x</b></a>"))
    #expect(report.violations.map(\.path) == ["/a/@xml:lang", "/a/b"])
  }

  @Test func usesRedefinedTypes() throws {
    let schema = try XML.Schema(
      xsd(
        """
        <xs:redefine schemaLocation='types.xsd'><xs:simpleType name='size'>
          <xs:restriction base='size'><xs:minInclusive value='5'/></xs:restriction></xs:simpleType></xs:redefine>
        <xs:element name='a' type='size'/>
        """
      ),
      resources: ["types.xsd": Self.types]
    )
    #expect(schema.validate(try parse("<a>5</a>")).isValid)
    #expect(!schema.validate(try parse("<a>4</a>")).isValid)
    #expect(!schema.validate(try parse("<a>10</a>")).isValid)
  }

  /// References are resolved against the document they stand in (RFC 3986, section 5).
  @Test func resolvesRelativeLocations() throws {
    let main = xsd("<xs:include schemaLocation='parts/a.xsd'/><xs:element name='a' type='a'/>")
    let resources = [
      "parts/a.xsd": xsd(
        "<xs:include schemaLocation='b.xsd'/><xs:include schemaLocation='../c.xsd'/>"
          + "<xs:simpleType name='a'><xs:restriction base='b'/></xs:simpleType>"
      ),
      "parts/b.xsd": xsd("<xs:simpleType name='b'><xs:restriction base='c'/></xs:simpleType>"),
      "c.xsd": xsd("<xs:simpleType name='c'><xs:restriction base='xs:int'/></xs:simpleType>"),
    ]
    let schema = try XML.Schema(main, location: "main.xsd", resources: resources)
    #expect(schema.validate(try parse("<a>1</a>")).isValid)
    #expect(!schema.validate(try parse("<a>x</a>")).isValid)
    let absolute = Dictionary(uniqueKeysWithValues: resources.map { ("http://h/x/" + $0.key, $0.value) })
    let other = try XML.Schema(main, location: "http://h/x/main.xsd", resources: absolute)
    #expect(!other.validate(try parse("<a>x</a>")).isValid)
  }

  /// `xml:base` moves the base of what is in an element, relative to that around it.
  @Test func resolvesLocationsAgainstXMLBase() throws {
    let b =
      "<xs:simpleType name='size'><xs:restriction base='xs:int'><xs:maxInclusive value='9'/>"
      + "</xs:restriction></xs:simpleType>"
    let uses = "<xs:element name='a' type='size'/>"
    let redefine =
      "<xs:redefine xml:base='y/' schemaLocation='t.xsd'><xs:simpleType name='size'>"
      + "<xs:restriction base='size'/></xs:simpleType></xs:redefine>"
    for (location, base, found) in [
      ("", "x/", "x/y/t.xsd"), ("s/m.xsd", "x/", "s/x/y/t.xsd"), ("s/m.xsd", "../x/z.xsd", "x/y/t.xsd"),
      ("http://h/m.xsd", "http://o/p/", "http://o/p/y/t.xsd"),
    ] {
      for part in ["<xs:include xml:base='y/' schemaLocation='t.xsd'/>", redefine] {
        let schema = try XML.Schema(
          xsd(part + uses, "xml:base='\(base)'"),
          location: location,
          resources: [found: xsd(b), "y/t.xsd": "no schema", "s/t.xsd": "no schema", "s/y/t.xsd": "none"]
        )
        #expect(schema.validate(try parse("<a>9</a>")).isValid)
        #expect(!schema.validate(try parse("<a>10</a>")).isValid)
      }
    }
    // As written it is found too, as without a base.
    _ = try XML.Schema(
      xsd("<xs:include schemaLocation='t.xsd'/>" + uses, "xml:base='x/'"),
      resources: ["t.xsd": xsd(b)]
    )
  }

  /// The same reference means different documents where the bases differ.
  @Test func resolvesEachReferenceAgainstItsOwnBase() throws {
    func part(_ name: String) -> Bytes {
      xsd("<xs:element name='\(name)'/>", "targetNamespace='urn:\(name)'")
    }
    let schema = try XML.Schema(
      xsd(
        """
        <xs:import xml:base='b/' namespace='urn:b' schemaLocation='t.xsd'/>
        <xs:import xml:base='c/' namespace='urn:c' schemaLocation='t.xsd'/>
        """
      ),
      resources: ["b/t.xsd": part("b"), "c/t.xsd": part("c")]
    )
    #expect(schema.validate(try parse("<b xmlns='urn:b'/>")).isValid)
    #expect(schema.validate(try parse("<c xmlns='urn:c'/>")).isValid)
    func pattern(_ name: String) -> Bytes {
      Bytes("<element name='\(name)' xmlns='http://relaxng.org/ns/structure/1.0'><empty/></element>")
    }
    let grammar = try XML.Schema(
      rng(
        """
        <start><element name='a'><group xml:base='b/'><externalRef href='t.rng'/></group>
        <externalRef xml:base='c/' href='t.rng'/></element></start>
        <div xml:base='d/'><include href='t.rng'/></div>
        """
      ),
      resources: [
        "b/t.rng": pattern("b"), "c/t.rng": pattern("c"), "d/t.rng": rng("<define name='d'><text/></define>"),
      ]
    )
    #expect(grammar.validate(try parse("<a><b/><c/></a>")).isValid)
    #expect(!grammar.validate(try parse("<a><b/><b/></a>")).isValid)
  }

  @Test func documentsMayReferToEachOther() throws {
    let first = xsd("<xs:include schemaLocation='b.xsd'/><xs:element name='a' type='b'/>")
    let second = xsd(
      "<xs:include schemaLocation='a.xsd'/><xs:complexType name='b'><xs:sequence>"
        + "<xs:element ref='a' minOccurs='0'/></xs:sequence></xs:complexType>"
    )
    let schema = try XML.Schema(first, location: "a.xsd", resources: ["a.xsd": first, "b.xsd": second])
    #expect(schema.validate(try parse("<a><a><a/></a></a>")).isValid)
    #expect(!schema.validate(try parse("<a><a/><a/></a>")).isValid)
  }

  @Test func usesIncludedGrammars() throws {
    let schema = try XML.Schema(
      rng(
        """
        <include href='base.rng'><define name='b'><element name='b'><empty/></element></define></include>
        <define name='c'><externalRef href='c.rng'/></define>
        """
      ),
      resources: [
        "base.rng": rng(
          "<start><element name='a'><ref name='b'/><ref name='c'/></element></start>"
            + "<define name='b'><notAllowed/></define>"
        ),
        "c.rng": Bytes("<element name='c' xmlns='http://relaxng.org/ns/structure/1.0'><text/></element>"),
      ]
    )
    #expect(schema.validate(try parse("<a><b/><c>x</c></a>")).isValid)
    #expect(!schema.validate(try parse("<a><b/></a>")).isValid)
  }

  // MARK: - Nothing else

  @Test func namesAResourceThatIsNotSupplied() {
    let asking = [
      xsd("\n<xs:include schemaLocation='away.xsd'/>"),
      xsd("\n<xs:redefine schemaLocation='away.xsd'/>"),
      xsd("\n<xs:import namespace='urn:x' schemaLocation='away.xsd'/>"),
      rng("\n<include href='away.xsd'/>"),
      rng("\n<start><externalRef href='away.xsd'/></start>"),
    ]
    for schema in asking {
      let error = schemaError(schema, resources: ["here.xsd": Self.types])
      #expect(error?.reason == .missingResource(location: "away.xsd"))
      #expect(error?.line == 2)
      #expect(error?.description.contains("“away.xsd”") == true)
    }
    let nested = schemaError(
      xsd("<xs:include schemaLocation='a.xsd'/>"),
      resources: ["a.xsd": xsd("\n\n<xs:include schemaLocation='b.xsd'/>")]
    )
    #expect(nested?.reason == .missingResource(location: "b.xsd"))
    #expect(nested?.location == "a.xsd")
    #expect(nested?.line == 3)
  }

  @Test func readsNoFileAndOpensNoConnection() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).xsd")
    try Data(Self.types).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let server = try WireServer { _ in }
    defer { server.stop() }
    for url in [file.path, "file://\(file.path)", "http://127.0.0.1:\(server.port)/x.xsd"] {
      for schema in [
        xsd("<xs:include schemaLocation='\(url)'/><xs:element name='a' type='size'/>"),
        xsd("<xs:import namespace='urn:x' schemaLocation='\(url)'/>"),
        rng("<include href='\(url)'/>"),
        rng("<start><externalRef href='\(url)'/></start>"),
      ] {
        #expect(schemaError(schema)?.reason == .missingResource(location: url))
      }
      // Hints in documents are no references of the schema.
      let schema = try XML.Schema(xsd("<xs:element name='a'/>"))
      let hint = "xmlns:i='http://www.w3.org/2001/XMLSchema-instance' i:noNamespaceSchemaLocation='\(url)'"
      #expect(schema.validate(try parse("<a \(hint)/>")).isValid)
      #expect(!schema.validate(try parse("<b \(hint)/>")).isValid)
    }
    #expect(try await !server.isAsked)
  }

  // Processes cannot be started on Apple's other systems.
  #if os(macOS) || os(Linux)
    /// libxml2 would ask its catalogs for documents that it does not find. Opening a named pipe without a writer
    /// blocks, so a process that tried would never end.
    @Test(.timeLimit(.minutes(1)))
    func catalogsAreNotRead() async {
      await #expect(processExitsWith: .success) {
        let pipe = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).pipe")
        try #require(mkfifo(pipe.path, 0o600) == 0)
        defer { try? FileManager.default.removeItem(at: pipe) }
        try #require(setenv("XML_CATALOG_FILES", pipe.path, 1) == 0)
        let part = xsd("<xs:element name='b'/>", "targetNamespace='urn:b'")
        let schema = try XML.Schema(
          xsd("<xs:import namespace='urn:b' schemaLocation='b.xsd'/><xs:element name='a'/>"),
          resources: ["b.xsd": part]
        )
        try #require(schema.validate(try parse("<b xmlns='urn:b'/>")).isValid)
        let grammar = try XML.Schema(
          rng("<include href='b.rng'/>"),
          resources: ["b.rng": rng("<start><element name='b'><empty/></element></start>")]
        )
        try #require(grammar.validate(try parse("<b/>")).isValid)
      }
    }

    @Test func compilingPrintsNothing() async {
      let result = await #expect(
        processExitsWith: .success,
        observing: [\.standardErrorContent, \.standardOutputContent]
      ) {
        let schemas = [
          xsd("<xs:element name='a' type='none'/>"), xsd("<xs:nonsense/>"), xsd("<xs:element/>"),
          xsd("<xs:include schemaLocation='b'/>"), rng("<start><ref name='none'/></start>"), rng(""),
          rng("<start><data type='x' datatypeLibrary='urn:none'/></start>"), rng("<include href='b'/>"),
        ]
        for schema in schemas {
          for other in ["<x/>", "<x", "", xsd("<xs:nonsense/>"), rng("<nonsense/>")] as [Bytes] {
            _ = try? XML.Schema(schema, resources: ["b": other])
          }
        }
        if let document = try? parse("<a b='c'><d/></a>") {
          _ = try? XML.Schema(xsd("<xs:element name='a' type='xs:int'/>")).validate(document)
          _ = try? XML.Schema(rng("<start><element name='a'><empty/></element></start>")).validate(document)
        }
      }
      #expect(result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } == "")
      #expect(result?.standardOutputContent.isEmpty == true)
    }
  #endif
}
