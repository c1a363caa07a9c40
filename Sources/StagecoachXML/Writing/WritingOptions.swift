public import StagecoachCore

extension XML {
  /// The options for writing elements, documents and their nodes.
  public struct WritingOptions: Sendable, Hashable {
    /// Whether elements without text are written on separate lines, indented by two spaces per level; `false` by
    /// default.
    ///
    /// The content of an element that contains text, or has `xml:space="preserve"`, is not changed. A parsed document
    /// usually contains white space between its elements, so it keeps its layout.
    public var isPretty: Bool

    /// Whether to write an XML declaration with the charset; `false` by default.
    ///
    /// Without it, text in a charset other than UTF-8 and UTF-16 can only be read if the charset is known otherwise.
    public var hasDeclaration: Bool

    /// The charset; UTF-8 by default.
    ///
    /// Characters that are not in the charset are written as references in text and in values of attributes.
    public var charset: Charset

    /// The document type to write before an element; none by default.
    ///
    /// It applies to elements, and the output of ``XMLEncoder``. A ``Document`` and its nodes are written with their
    /// own document type.
    public var documentType: DocumentType?

    /// The comments and processing instructions to write before an element and its document type, each on a separate
    /// line; none by default.
    ///
    /// As with ``documentType``, a ``Document`` is written with its own.
    public var prolog: [PrologItem]

    /// Creates options.
    public init(
      isPretty: Bool = false,
      hasDeclaration: Bool = false,
      charset: Charset = .utf8,
      documentType: DocumentType? = nil,
      prolog: [PrologItem] = []
    ) {
      self.isPretty = isPretty
      self.hasDeclaration = hasDeclaration
      self.charset = charset
      self.documentType = documentType
      self.prolog = prolog
    }
  }
}
