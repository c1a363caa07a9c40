extension XML.Schema {
  /// What a schema may cost, before compiling it ends with ``XML/SchemaError/Reason/limit(name:value:)``.
  public struct Limits: Sendable, Hashable {
    /// The limits of each document of the schema when it is parsed.
    public var document: XML.Limits

    /// The most bytes of all documents that are used. Default 8 MiB.
    public var size: Int

    /// The most documents, the schema itself included. Default 100.
    public var documents: Int

    /// The most definitions (types, groups, elements, attributes, patterns with a name) in all documents,
    /// which may refer to each other one after the other. Default 20,000.
    public var definitions: Int

    /// The most references that follow each other before an element is reached: groups in groups, types
    /// derived from types, patterns that are references. Default 64.
    public var nesting: Int

    /// The most transitions of the automata that content models are compiled to, estimated from above as
    /// the sum of the squares of their sizes. The size of a model is the number of elements it names, those
    /// of a group or pattern counted wherever it is used. Default 4,000,000: one model of 2,000, or a
    /// thousand of 63.
    public var transitions: Int

    /// The violations that a report keeps; the others are only counted. Default 100.
    public var violations: Int

    /// Limits with their defaults.
    public init() {
      document = XML.Limits()
      size = 8 << 20
      documents = 100
      definitions = 20_000
      nesting = 64
      transitions = 4_000_000
      violations = 100
    }
  }
}
