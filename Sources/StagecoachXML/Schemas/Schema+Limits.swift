extension XML.Schema {
  /// The limits of a schema, which end its compilation with ``XML/SchemaError/Reason/limit(name:value:)``, and of
  /// validated documents.
  public struct Limits: Sendable, Hashable {
    /// The limits for parsing each document of the schema.
    public var document: XML.Limits

    /// The maximum size of all used documents in bytes; 8 MiB by default.
    public var size: Int

    /// The maximum number of documents, including the schema itself; 100 by default.
    public var documents: Int

    /// The maximum number of elements of all documents; 100,000 by default.
    public var elements: Int

    /// The maximum nesting of constructs, and of definitions that refer to definitions, before an element is reached:
    /// groups in groups, types derived from types, patterns that are references; 200 by default, which is also the
    /// upper bound.
    public var nesting: Int

    /// The maximum number of steps for compiling, estimated from above: the sum of the cubes of the sizes of content
    /// models. The size is the number of elements that a type, group or pattern names, including those of groups and
    /// patterns for each use; 4,000,000,000 by default: a model of 1,500 elements, or a thousand of 150, which libxml2
    /// compiles in at most 20 seconds.
    public var complexity: Int

    /// The maximum number of steps for validating a document against RELAX NG, estimated from above: the sum of the
    /// squares of the numbers of children of its elements, without blank text. For `interleave`, `mixed` and some
    /// choices libxml2 examines all children of an element again for each of them; 10,000,000,000 by default: an
    /// element with 100,000 children, for which it takes at most five seconds. A document beyond the limit is not
    /// validated, and the report contains that as its only violation. It does not apply to XML Schema.
    public var documentComplexity: Int

    /// The maximum number of violations in a report; further ones are only counted; 100 by default.
    public var violations: Int

    /// Creates the default limits.
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
