internal import CLibXML2

// libxml2 stores an internal subset until it is complete, and then parses it at once. It compares each name of an
// enumeration with all previous names, and frees names recursively; so a large subset must be refused before it is
// complete.
extension ParserGuard {
  /// The progress of the document type declaration.
  struct InternalSubset {
    /// Whether the parser is inside it.
    var isOpen = false
    /// Whether none can come any more.
    var isOver = false
    /// Whether an instruction follows that does not belong to the document.
    var hidesInstruction = false
    /// Its start in the input.
    fileprivate var start = 0
    /// The number of bytes of it that the parser held the last time; `nil` if it held no document type declaration.
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
    // libxml2 2.13 and later record an error after reporting it.
    if hasHarmlessErrors { xmlCtxtResetLastError(context) }
    // It is followed by the end of the declaration.
    _ = admitSubset(Self.position(of: context) - subset.start - 1, at: context)
  }

  /// Checks the internal subset of which the parser only has the start.
  final func inspectHeldSubset(at context: UnsafeMutableRawPointer) {
    subset.held = heldSubset(of: context.assumingMemoryBound(to: xmlParserCtxt.self))
    if let held = subset.held { _ = admitSubset(held, at: context) }
  }

  /// Whether an instruction does not belong to the document.
  final var isHidden: Bool { subset.hidesInstruction && !subset.isOpen }

  /// The number of bytes that the parser may get before the incomplete document type declaration is checked again;
  /// `nil` if there is none.
  final var subsetRoom: Int? {
    // One byte more than the limit, so that it is exceeded.
    subset.held.map { max(0, limits.internalSubsetSize - $0) + 1 }
  }

  /// Returns the number of bytes of an internal subset that the parser holds; `nil` if it holds no document type
  /// declaration.
  private func heldSubset(of parser: xmlParserCtxtPtr) -> Int? {
    guard !subset.isOver else { return nil }
    var size = 0
    var start = 0
    guard let held = stagecoach_xml_held(parser, &size, &start) else { return nil }
    if subset.isOpen { return size }
    guard size > 2, held[1] == UInt8(ascii: "!"), held[2] == UInt8(ascii: "D") else { return nil }
    // libxml2 reports an internal subset only after the end of the first declaration in it.
    return size - Self.bracket(in: UnsafeBufferPointer(start: held, count: min(size, Self.prefixSize)))
  }

  /// Returns the position of the first bracket outside of quotation marks, or the end.
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

  /// The length of the start of a declaration that is searched; a longer one is treated as a subset.
  private static var prefixSize: Int { 8 << 10 }

  private static func position(of context: UnsafeMutableRawPointer) -> Int {
    Int(stagecoach_xml_position(context.assumingMemoryBound(to: xmlParserCtxt.self)))
  }
}
