internal import CLibXML2

extension ParserGuard {
  /// The messages of libxml2 for markup or text larger than 10,000,000 bytes, for which it has no code.
  private static let sizeMessages = [
    "Huge input lookup", "huge text node", "too big found", "length too long", "size limit exceeded",
    "Text node too long",
  ]

  /// The messages of newer versions for entities that grow too much, or a document that grows because of attributes of
  /// its DTD.
  private static let growthMessages = ["amplification factor exceeded", "entity nesting depth exceeded"]

  /// Returns the limit of libxml2 that an error reports; `nil` for other errors.
  final func libraryLimit(_ error: xmlError) -> XML.ParseError.Reason? {
    switch UInt32(bitPattern: error.code) {
    case XML_ERR_NAME_TOO_LONG.rawValue:
      return .limit(name: "nameLength", value: min(limits.nameLength, Int(XML_MAX_NAME_LENGTH)))
    // It has an eye on how much entities grow too, and takes what grows without end for a loop.
    case XML_ERR_ENTITY_LOOP.rawValue:
      return .limit(name: "entityExpansion", value: limits.entityExpansion)
    default:
      let message = String(libxmlMessage: error.message)
      if Self.growthMessages.contains(where: { message.contains($0) }) {
        return .limit(name: "entityExpansion", value: limits.entityExpansion)
      }
      guard Self.sizeMessages.contains(where: { message.contains($0) }) else { return nil }
      return .limit(name: "nodeSize", value: limits.nodeSize)
    }
  }
}
