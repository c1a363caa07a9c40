internal import CLibXML2

// libxml2 keeps an internal subset until all of it is there, and then parses it at once. It compares each name of an
// enumeration with all names before, and calls itself as often as there are names to free them; so a large subset has
// to be refused before it is complete.
extension ParserGuard {
  /// How far the document type declaration is.
  struct InternalSubset {
    /// Whether the parser is inside it.
    var isOpen = false
    /// Whether none can come any more.
    var isOver = false
    /// Whether an instruction follows that is none of the document.
    var hidesInstruction = false
    /// Where it begins in the input.
    fileprivate var start = 0
    /// How many bytes of it the parser held the last time; nil if it held no document type declaration.
    fileprivate var held: Int?
  }

  /// Notes where an internal subset begins, if there is one.
  final func beginSubset(at context: UnsafeMutableRawPointer) {
    subset.start = Self.position(of: context)
    subset.isOpen = true
  }

  /// Checks the size of a whole internal subset, which may have come at once.
  final func endSubset(at context: UnsafeMutableRawPointer) {
    subset.isOpen = false
    subset.isOver = true
    // libxml2 2.13 and later note an error when they have reported it.
    if hasHarmlessErrors { xmlCtxtResetLastError(context) }
    // Behind it stands the end of the declaration.
    _ = admitSubset(Self.position(of: context) - subset.start - 1, at: context)
  }

  /// Checks the internal subset of which the parser has only the beginning.
  final func inspectHeldSubset(at context: UnsafeMutableRawPointer) {
    subset.held = heldSubset(of: context.assumingMemoryBound(to: xmlParserCtxt.self))
    if let held = subset.held { _ = admitSubset(held, at: context) }
  }

  /// Whether an instruction is none of the document.
  final var isHidden: Bool { subset.hidesInstruction && !subset.isOpen }

  /// How many more bytes the parser may get before the document type declaration of which it holds the beginning is
  /// looked at again; nil if it holds none.
  final var subsetRoom: Int? {
    // One more than may be, so that there is too much then.
    subset.held.map { max(0, limits.internalSubsetSize - $0) + 1 }
  }

  /// How many bytes of an internal subset the parser holds; nil if it holds no document type declaration.
  private func heldSubset(of parser: xmlParserCtxtPtr) -> Int? {
    guard !subset.isOver else { return nil }
    var size = 0
    var start = 0
    guard let held = stagecoach_xml_held(parser, &size, &start) else { return nil }
    if subset.isOpen { return size }
    guard size > 2, held[1] == UInt8(ascii: "!"), held[2] == UInt8(ascii: "D") else { return nil }
    // libxml2 waits for the end of the first declaration in it before it says that there is one.
    return size - Self.bracket(in: UnsafeBufferPointer(start: held, count: min(size, Self.prefixSize)))
  }

  /// Where the first bracket outside of quotation marks is, or the end.
  private static func bracket(in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var quote: UInt8 = 0
    for (index, byte) in bytes.enumerated() {
      if quote != 0 {
        if byte == quote { quote = 0 }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: "[") {
        return index
      }
    }
    return bytes.count
  }

  /// How far the beginning of a declaration is looked through; what goes on longer counts as if it were the subset.
  private static var prefixSize: Int { 8 << 10 }

  private static func position(of context: UnsafeMutableRawPointer) -> Int {
    Int(stagecoach_xml_position(context.assumingMemoryBound(to: xmlParserCtxt.self)))
  }
}
