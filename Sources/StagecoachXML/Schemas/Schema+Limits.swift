extension XML.Schema {
  /// The limits of the documents of a schema, and of validated documents.
  public struct Limits: Sendable, Hashable {
    /// The limits for parsing each document of the schema.
    public var document = XML.Limits()

    /// The maximum number of steps for validating a document against RELAX NG, estimated from above: the sum of the
    /// squares of the numbers of children of its elements, without blank text. For `interleave`, `mixed` and some
    /// choices libxml2 examines all children of an element again for each of them; 10,000,000,000 by default: an
    /// element with 100,000 children, for which it takes at most five seconds. A document beyond the limit is not
    /// validated, and the report contains that as its only violation. It does not apply to XML Schema.
    public var documentComplexity = 10_000_000_000

    /// The maximum number of violations in a report; further ones are only counted; 100 by default.
    public var violations = 100

    /// Creates the default limits.
    public init() {}
  }
}
