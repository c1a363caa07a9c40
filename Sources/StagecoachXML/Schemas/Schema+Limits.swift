extension XML.Schema {
  /// What a schema may cost, before compiling it ends with ``XML/SchemaError/Reason/limit(name:value:)``, and what
  /// a document may.
  public struct Limits: Sendable, Hashable {
    /// The limits of each document of the schema when it is parsed.
    public var document: XML.Limits

    /// The most bytes of all documents that are used. Default 8 MiB.
    public var size: Int

    /// The most documents, the schema itself included. Default 100.
    public var documents: Int

    /// The most elements of all documents. Default 100,000.
    public var elements: Int

    /// How deep constructs may stand in each other, and definitions refer to definitions, before an element
    /// is reached: groups in groups, types derived from types, patterns that are references. Default 200,
    /// which is also the most that counts.
    public var nesting: Int

    /// The most steps that compiling may take, estimated from above: the sum of the cubes of the sizes of
    /// content models. Such a size is the number of elements that a type, group or pattern names, those of
    /// groups and patterns counted wherever they are used. Default 4,000,000,000: a model of 1,500 elements,
    /// or a thousand of 150, which libxml2 compiles in 20 seconds at worst.
    public var complexity: Int

    /// The most steps that validating a document against RELAX NG may take, estimated from above: the sum of the
    /// squares of the numbers of children of its elements, blank text aside. For `interleave`, `mixed` and some
    /// choices libxml2 looks at all children of an element again with each of them. Default 10,000,000,000: an
    /// element with 100,000 children, for which it takes five seconds at worst. A document beyond it is not
    /// validated, and the report has that as its one violation. XML Schema takes no such steps.
    public var documentComplexity: Int

    /// The violations that a report keeps; the others are only counted. Default 100.
    public var violations: Int

    /// Limits with their defaults.
    public init() {
      document = XML.Limits()
      size = 8 << 20
      documents = 100
      elements = 100_000
      nesting = 200
      complexity = 4_000_000_000
      documentComplexity = 10_000_000_000
      violations = 100
    }
  }
}
