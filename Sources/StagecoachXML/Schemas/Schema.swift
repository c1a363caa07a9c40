internal import CLibXML2
public import StagecoachCore

extension XML {
  /// A compiled schema for validating documents, in XML Schema 1.0 or RELAX NG (XML syntax).
  ///
  /// ```swift
  /// func violations(of document: XML.Document, of schema: Bytes, with types: Bytes) throws -> [XML.Violation] {
  ///   let schema = try XML.Schema(schema, resources: ["types.xsd": types])
  ///   return schema.validate(document).violations
  /// }
  /// ```
  ///
  /// Nothing is loaded from a disk or network: the resources must contain all documents that a schema includes,
  /// imports, redefines or refers to. Several tasks may use a schema at the same time.
  ///
  /// A schema determines how much work libxml2 does, to compile it and to validate a document. Like code, it is trusted:
  /// only use schemas from trusted sources. Documents may be untrusted.
  public final class Schema: Sendable {
    /// The language of the schema.
    public let language: Language

    /// The limits that the schema was created with.
    public let limits: Limits

    // Safe: libxml2 writes to a compiled schema only while it compiles it. All that a validation changes
    // belongs to its own context and to the copy of the document that it works on.
    private nonisolated(unsafe) let compiled: Compiled

    private enum Compiled {
      // libxml2 leaves the document of the schema to us, and looks into it.
      case xmlSchema(xmlSchemaPtr, xmlDocPtr)
      case relaxNG(xmlRelaxNGPtr)
    }

    /// Compiles a schema; its root element determines the language.
    ///
    /// - Parameters:
    ///   - schema: The document.
    ///   - location: Its location, relative or absolute, against which its references are resolved (RFC 3986 5).
    ///     Empty, the default, leaves them unresolved.
    ///   - resources: The documents it may refer to, by their locations, resolved or as written.
    ///   - limits: The limits of the schema.
    /// - Throws: ``XML/SchemaError`` if the schema is invalid, with document and line.
    public convenience init(
      _ schema: Bytes,
      location: String = "",
      resources: [String: Bytes] = [:],
      limits: Limits = Limits()
    ) throws(SchemaError) {
      let document = try SchemaSources.parse(schema, at: location, limits: limits.document)
      try self.init(document, location: location, resources: resources, limits: limits)
    }

    /// Compiles a parsed schema; its root element determines the language.
    ///
    /// - Parameters:
    ///   - schema: The document.
    ///   - location: Its location, relative or absolute, against which its references are resolved.
    ///   - resources: The documents it may refer to, by their locations, resolved or as written.
    ///   - limits: The limits of the schema.
    /// - Throws: ``XML/SchemaError`` if the schema is invalid, with document and line.
    public init(
      _ schema: Document,
      location: String = "",
      resources: [String: Bytes] = [:],
      limits: Limits = Limits()
    ) throws(SchemaError) {
      _ = Self.library
      let sources = try SchemaSources(
        schema: schema,
        location: location,
        resources: resources,
        limits: limits.document
      )
      language = sources.language
      self.limits = limits
      let texts = sources.texts()
      let loader = SchemaLoader(texts: texts, locations: sources.sources.map(\.location))
      // libxml2 descends from each construct into those it refers to, at worst through all of them.
      let compiled = LargeStack.run(size: (1 << 20) + texts.joined().count << 6) {
        loader.withLoader { Self.compile(sources.language, with: loader) }
      }
      let problems = loader.problems
      guard let compiled = compiled.flatMap(\.self), problems.isEmpty else {
        if let compiled = compiled.flatMap(\.self) { Self.free(compiled) }
        throw SchemaError(
          reason: .invalid(problems),
          location: problems.first?.location ?? location,
          line: problems.first?.line
        )
      }
      self.compiled = compiled
    }

    deinit { Self.free(compiled) }

    /// Registers the types of both languages once: libxml2 would do it when it first needs them, on any
    /// thread.
    private static let library: Void = {
      _ = XML.library
      xmlSchemaInitTypes()
      xmlRelaxNGInitTypes()
    }()

    private static func compile(_ language: Language, with loader: SchemaLoader) -> Compiled? {
      guard let document = loader.readSchema() else { return nil }
      let data = stagecoach_xml_redirected_data()
      switch language {
      case .xmlSchema:
        let context = xmlSchemaNewDocParserCtxt(document)
        defer { xmlSchemaFreeParserCtxt(context) }
        xmlSchemaSetParserStructuredErrors(context, stagecoach_xml_redirected_handler(), data)
        if let schema = xmlSchemaParse(context) { return .xmlSchema(schema, document) }
        xmlFreeDoc(document)
      case .relaxNG:
        let context = xmlRelaxNGNewDocParserCtxt(document)
        xmlFreeDoc(document)
        defer { xmlRelaxNGFreeParserCtxt(context) }
        xmlRelaxNGSetParserStructuredErrors(context, stagecoach_xml_redirected_handler(), data)
        if let schema = xmlRelaxNGParse(context) { return .relaxNG(schema) }
      }
      return nil
    }

    private static func free(_ compiled: Compiled) {
      switch compiled {
      case .xmlSchema(let schema, let document):
        xmlSchemaFree(schema)
        xmlFreeDoc(document)
      case .relaxNG(let schema): xmlRelaxNGFree(schema)
      }
    }

    /// Validates a document, and returns all violations.
    ///
    /// The document does not change: libxml2 works on a copy, because it stores identifiers in the validated document
    /// and temporarily reorders the children of an interleaved pattern. So validation needs as much memory again as
    /// the document. After a violation, RELAX NG continues with the next element that it can interpret, and so finds
    /// fewer violations than XML Schema. Validation cannot be interrupted: for RELAX NG, ``Limits/documentComplexity``
    /// limits its time.
    ///
    /// - Parameter document: The document.
    /// - Returns: The violations with lines and paths, up to the limit.
    public func validate(_ document: Document) -> ValidationReport {
      let violations = ViolationCollector(limit: limits.violations)
      let copy = document.withExclusiveTree { tree in TreeCopy(of: tree) }
      if case .relaxNG = compiled, copy.complexity > Double(limits.documentComplexity) {
        copy.free()
        return violations.report(exceeding: "documentComplexity", limits.documentComplexity)
      }
      let result = copy.tree.flatMap { tree in
        switch compiled {
        case .xmlSchema: violations.collecting { validate(tree) }
        case .relaxNG:
          // libxml2 descends into the elements of the document, and for each into nested patterns.
          LargeStack.run(size: (1 << 20) + copy.depth * Self.stackPerElement) {
            violations.collecting { validate(tree) }
          }
        }
      }
      copy.free()
      return violations.report(on: document, isValid: result == 0)
    }

    /// The stack space for two hundred nested patterns and their environment.
    private static let stackPerElement = 256 << 10

    private func validate(_ tree: xmlDocPtr) -> Int32 {
      // Whoever validates may be the last to hold the schema.
      defer { withExtendedLifetime(self) {} }
      let data = stagecoach_xml_redirected_data()
      switch compiled {
      case .xmlSchema(let schema, _):
        guard let context = xmlSchemaNewValidCtxt(schema) else { return -1 }
        defer { xmlSchemaFreeValidCtxt(context) }
        xmlSchemaSetValidStructuredErrors(context, stagecoach_xml_redirected_handler(), data)
        return xmlSchemaValidateDoc(context, tree)
      case .relaxNG(let schema):
        guard let context = xmlRelaxNGNewValidCtxt(schema) else { return -1 }
        defer { xmlRelaxNGFreeValidCtxt(context) }
        xmlRelaxNGSetValidStructuredErrors(context, stagecoach_xml_redirected_handler(), data)
        return xmlRelaxNGValidateDoc(context, tree)
      }
    }
  }
}
