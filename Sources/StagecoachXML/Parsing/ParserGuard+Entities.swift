internal import CLibXML2

extension ParserGuard {
  /// The text of an entity that content refers to; nil after a refusal.
  func replacement(for name: UnsafePointer<xmlChar>, at context: UnsafeMutableRawPointer) -> [UInt8]? {
    var text: [UInt8] = []
    do throws(EntityExpansion.Failure) {
      try expansion.expand(name, of: document(of: context), into: &text, isAttribute: false)
    } catch {
      refuse(error, at: context)
      return nil
    }
    return text
  }

  /// The value of an attribute of a tag with its references replaced, and with the spaces that its type allows (XML
  /// 1.0, section 3.3.3); nil after a refusal.
  func replacingReferences(
    inAttribute index: Int,
    of tag: SAXStartTag,
    at context: UnsafeMutableRawPointer
  ) -> [UInt8]? {
    guard var text = replacingReferences(in: tag.value(index), at: context) else { return nil }
    let space = UInt8(ascii: " ")
    if tag.hasReferences(index), text.contains(space),
      isTokenized(tag.attributeName(index), of: tag.name, at: context)
    {
      text = Array(text.split(separator: space).joined(separator: [space]))
    }
    return text
  }

  /// Whether the DTD gives an attribute another type than CDATA.
  private func isTokenized(
    _ attribute: SAXName,
    of element: SAXName,
    at context: UnsafeMutableRawPointer
  ) -> Bool {
    guard let subset = document(of: context)?.pointee.intSubset, let local = element.local else {
      return false
    }
    let declaration =
      if let prefix = element.prefix {
        xmlGetDtdQAttrDesc(
          subset,
          Array(bytes(of: prefix)) + [UInt8(ascii: ":")] + Array(bytes(of: local)) + [0],
          attribute.local,
          attribute.prefix
        )
      } else {
        xmlGetDtdQAttrDesc(subset, local, attribute.local, attribute.prefix)
      }
    return declaration.map { $0.pointee.atype != XML_ATTRIBUTE_CDATA } ?? false
  }

  /// The value of an attribute with its references replaced, numeric ones included; nil after a refusal.
  func replacingReferences(
    in value: UnsafeBufferPointer<UInt8>,
    at context: UnsafeMutableRawPointer
  ) -> [UInt8]? {
    var text: [UInt8] = []
    do throws(EntityExpansion.Failure) {
      try expansion.replace(in: value, of: document(of: context), into: &text, isAttribute: true)
    } catch {
      refuse(error, at: context)
      return nil
    }
    return text
  }

  private func refuse(_ failure: EntityExpansion.Failure, at context: UnsafeMutableRawPointer) {
    switch failure {
    case .forbidden(let name): fail(.forbiddenEntity(name: name), at: context)
    case .budget: fail(.limit(name: "entityExpansion", value: limits.entityExpansion), at: context)
    }
  }

  /// Counts a reference that libxml2 asks for. What it costs is counted again where the reference is replaced here.
  final func admitReference(to entity: xmlEntityPtr, at context: UnsafeMutableRawPointer) -> Bool {
    guard doctype != .open, entity.pointee.etype == XML_INTERNAL_GENERAL_ENTITY else { return true }
    if openReference == nil { openReference = entity }
    referenceCost += EntityExpansion.cost(of: entity)
    if expansion.affords(referenceCost) { return true }
    refuse(.budget, at: context)
    return false
  }

  /// Whether a reference that is reported is the one that the document holds, as opposed to those in its text.
  final func closeReference(_ name: UnsafePointer<xmlChar>) -> Bool {
    if let openReference, xmlStrEqual(openReference.pointee.name, name) == 0 { return false }
    openReference = nil
    referenceCost = 0
    return true
  }

  /// Counts the references that libxml2 has replaced in the names of namespaces, which it does not report: those that
  /// it asked for, but for those in attributes.
  final func admitNamespaceReferences(of tag: SAXStartTag, at context: UnsafeMutableRawPointer) -> Bool {
    guard referenceCost > 0, tag.namespaceCount > 0, Self.libraryExpands else { return true }
    var cost = referenceCost
    for index in 0..<Int(tag.attributeCount) where tag.hasReferences(index) {
      cost -= EntityExpansion.cost(ofReferencesIn: tag.value(index), of: document(of: context))
    }
    if expansion.spend(max(0, cost)) { return true }
    refuse(.budget, at: context)
    return false
  }

  /// The number of bytes that the DTD may add to each element at no cost: as much as reading the element costs anyway.
  private static let freeDefaults = 256
  /// The cost of an attribute or declaration in addition to its value, because libxml2 compares it with the previous
  /// ones.
  private static let defaultCost = 16

  /// Counts what the DTD adds to a start tag: a document of a few bytes for each element makes it do so without end.
  @inline(never)
  final func admitDefaults(of tag: SAXStartTag, at context: UnsafeMutableRawPointer) -> Bool {
    var size = 0
    var referring = 0
    func count(_ value: UnsafeBufferPointer<UInt8>) {
      size += Self.defaultCost + value.count
      if value.holds(UInt8(ascii: "&")) { referring += value.count }
    }
    let attributes = Int(tag.attributeCount)
    for index in max(0, attributes - Int(tag.defaultedCount))..<attributes { count(tag.value(index)) }
    if defaultsNamespaces {
      // Which of them the document wrote itself is not told.
      for index in 0..<Int(tag.namespaceCount) { count(bytes(of: tag.namespace(index).1)) }
    }
    if expansion.spend(referring + max(0, size - Self.freeDefaults)) { return true }
    refuse(.budget, at: context)
    return false
  }
}
