extension XML {
  /// What a document may cost before parsing it ends with ``XML/ParseError/Reason/limit(name:value:)``.
  ///
  /// All sizes are bytes of UTF-8, whatever encoding the document came in. libxml2 has limits of its
  /// own that cannot be raised from here: 10,000,000 bytes for one text, attribute value, comment or
  /// processing instruction, which errors call ``textSize``.
  public struct Limits: Sendable, Hashable {
    /// The most elements open at once. Default 256, which is also the most that counts: libxml2 refuses
    /// deeper documents itself.
    public var depth: Int

    /// The most nodes: elements, attributes, namespace declarations, texts, CDATA sections, comments
    /// and processing instructions. Default 1,000,000, about 150 MB of memory.
    public var nodes: Int

    /// The most attributes of one element, namespace declarations and defaults of the DTD included.
    /// Default 1,024.
    public var attributesPerElement: Int

    /// The most namespace declarations in scope at any place. Default 256.
    public var namespacesInScope: Int

    /// The longest name of an element, attribute or processing instruction, prefix and colon included.
    /// Default 1,024 bytes.
    public var nameLength: Int

    /// The most text in the whole document: characters, attribute values, namespace names, comments
    /// and processing instructions. Default 64 MiB; 2 GiB is the most that counts where a document is decoded.
    public var textSize: Int

    /// The most bytes of the internal subset of the DTD, brackets included. Default 32 KiB. Raise it for documents
    /// you trust only: libxml2 takes quadratic time for a long enumeration, and up to fourteen times its size of
    /// the stack.
    public var internalSubsetSize: Int

    /// The most declarations in the internal subset of the DTD. Default 1,024.
    public var declarations: Int

    /// The most replacement text that references to entities may go through, counted once for every
    /// time it is used. Default 1 MiB. Where no tree is built, for which ``nodes`` and ``textSize`` count, this
    /// is also the most that the DTD may add to elements: its attributes and namespace declarations count their
    /// values and 16 bytes each, of which 256 bytes are free for each element, but for values with references.
    public var entityExpansion: Int

    /// The most different names of elements, attributes, processing instructions and what the DTD declares. Prefixes
    /// and the names of namespaces are names too, and so is short white space between the tags of a tree: libxml2
    /// keeps each once, and takes quadratic time for many. They are counted with every 16 KiB of a document, or
    /// 128 KiB behind large markup. Default 10,000; 16,777,216 is the most that counts.
    public var distinctNames: Int

    /// Limits with their defaults.
    public init() {
      depth = 256
      nodes = 1_000_000
      attributesPerElement = 1_024
      namespacesInScope = 256
      nameLength = 1_024
      textSize = 64 << 20
      internalSubsetSize = 32 << 10
      declarations = 1_024
      entityExpansion = 1 << 20
      distinctNames = 10_000
    }
  }
}
