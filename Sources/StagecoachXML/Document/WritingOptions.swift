public import StagecoachCore

extension XML {
  /// How elements, documents and their nodes are written.
  public struct WritingOptions: Sendable, Hashable {
    /// Whether elements that hold no text get lines of their own, indented by two spaces per level.
    /// Default: no.
    ///
    /// Where an element holds text, or says `xml:space="preserve"`, everything in it stays as it is. A
    /// parsed document usually holds white space between its elements, so it keeps its layout.
    public var isPretty: Bool

    /// Whether an element or document begins with an XML declaration that names the charset. Default: no.
    ///
    /// Without it, text in a charset other than UTF-8 and UTF-16 can be read only by who is told the
    /// charset otherwise.
    public var hasDeclaration: Bool

    /// The charset. Default: UTF-8.
    ///
    /// Characters that it does not have are written as references in text and in values of attributes.
    public var charset: Charset

    /// The document type that stands in front of an element. Default: none.
    ///
    /// It is for elements, and what ``XMLEncoder`` makes. A ``Document`` and its nodes are written with what they
    /// came with.
    public var documentType: DocumentType?

    /// The comments and processing instructions that stand in front of an element and its document type, each in a
    /// line of its own. Default: none.
    ///
    /// As with ``documentType``, those of a ``Document`` are its own.
    public var prolog: [PrologItem]

    /// The options given, the default for the others.
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
