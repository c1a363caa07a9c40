internal import CLibXML2

extension XML {
  /// The limits of a document. Exceeding one ends the parse with ``XML/ParseError/Reason/limit(name:value:)``.
  ///
  /// All sizes are in bytes of UTF-8, whatever the encoding of the document.
  public struct Limits: Sendable, Hashable {
    /// The maximum depth of elements; 256 by default, with an upper bound of 2,048. Deeper documents can be parsed,
    /// searched and written, but an ``Element`` deeper than 256 cannot be written, and decoded values are nested at
    /// most 768 levels deep.
    public var depth: Int

    /// The maximum number of nodes: elements, attributes, namespace declarations, texts, CDATA sections, comments and
    /// processing instructions; 1,000,000 by default, about 150 MB of memory.
    public var nodes: Int

    /// The maximum number of attributes of one element, including namespace declarations and defaults of the DTD;
    /// 1,024 by default.
    public var attributesPerElement: Int

    /// The maximum number of namespace declarations in scope at any place; 256 by default.
    public var namespacesInScope: Int

    /// The maximum length of a name of an element, attribute or processing instruction, including prefix and colon;
    /// 1,024 bytes by default.
    public var nameLength: Int

    /// The maximum size of one text, attribute value, comment or processing instruction; 10,000,000 bytes by default,
    /// with an upper bound of 1,000,000,000. For more than ``textSize``, raise both. In XML, though not in
    /// HTML, incomplete markup may always take 10,000,000 bytes.
    public var nodeSize: Int

    /// The maximum size of all text of the document: characters, attribute values, namespace names, comments and
    /// processing instructions; 64 MiB by default, with an upper bound of 2 GiB if the document is decoded.
    public var textSize: Int

    /// The maximum size of the internal subset of the DTD, including brackets, in bytes; 32 KiB by default. Raise it
    /// only for trusted documents: libxml2 takes quadratic time for a long enumeration, and up to fourteen times its
    /// size of stack.
    public var internalSubsetSize: Int

    /// The maximum number of declarations in the internal subset of the DTD; 1,024 by default.
    public var declarations: Int

    /// The maximum size of expanded entities, counted for each use; 1 MiB by default. If no tree is built, so that
    /// ``nodes`` and ``textSize`` do not apply, it also limits what the DTD may add to elements: its attributes and
    /// namespace declarations count their values plus 16 bytes each, of which 256 bytes per element are free, except
    /// for values with references.
    public var entityExpansion: Int

    /// The maximum number of different names of elements, attributes, processing instructions and declarations of the
    /// DTD. Prefixes and the names of namespaces count too, and so does short white space between the tags of a tree:
    /// libxml2 stores each once, and takes quadratic time for many. They are counted every 16 KiB of a document, or
    /// 128 KiB after large markup; 10,000 by default, with an upper bound of 16,777,216.
    public var distinctNames: Int

    /// Creates the default limits.
    public init() {
      depth = 256
      nodes = 1_000_000
      attributesPerElement = 1_024
      namespacesInScope = 256
      nameLength = 1_024
      nodeSize = 10_000_000
      textSize = 64 << 20
      internalSubsetSize = 32 << 10
      declarations = 1_024
      entityExpansion = 1 << 20
      distinctNames = 10_000
    }
  }
}

extension XML.Limits {
  /// The greatest depth and size of a node that libxml2 allows.
  static let maxDepth = 2_048
  static let maxNodeSize = 1_000_000_000

  /// Whether libxml2 must not apply the limits that it has by default.
  var exceedDefaultsOfLibrary: Bool { depth > 256 || nodeSize > Int(XML_MAX_TEXT_LENGTH) }
}
