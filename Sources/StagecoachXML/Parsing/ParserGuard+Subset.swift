internal import CLibXML2

// libxml2 keeps an internal subset until all of it is there, and then parses it at once. It compares each name of an
// enumeration with all names before, and calls itself as often as there are names to free them; so a large subset has
// to be refused before it is complete.
extension ParserGuard {
  /// Notes where an internal subset begins, if there is one.
  final func beginSubset(at context: UnsafeMutableRawPointer) {
    subsetStart = Self.position(of: context)
  }

  /// Checks the size of a whole internal subset, which may have come at once.
  final func endSubset(at context: UnsafeMutableRawPointer) {
    // Behind it stands the end of the declaration.
    _ = admitSubset(Self.position(of: context) - subsetStart - 1, at: context)
  }

  /// Checks the internal subset of which the parser has only the beginning.
  final func inspectHeldSubset(at context: UnsafeMutableRawPointer) {
    let parser = context.assumingMemoryBound(to: xmlParserCtxt.self)
    guard stagecoach_xml_holds_subset(parser) != 0 else { return }
    var size = 0
    var start = 0
    guard stagecoach_xml_held(parser, &size, &start) != nil else { return }
    _ = admitSubset(size, at: context)
  }

  /// How many more bytes of an internal subset of which the parser holds the beginning it may get before that is
  /// looked at; nil if it holds none.
  final func subsetRoom(at context: UnsafeMutableRawPointer) -> Int? {
    let parser = context.assumingMemoryBound(to: xmlParserCtxt.self)
    guard stagecoach_xml_holds_subset(parser) != 0 else { return nil }
    // One more than may be, so that there is too much then.
    return max(0, limits.internalSubsetSize - heldSize) + 1
  }

  private static func position(of context: UnsafeMutableRawPointer) -> Int {
    Int(stagecoach_xml_position(context.assumingMemoryBound(to: xmlParserCtxt.self)))
  }
}
