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
    case .budget: fail(.limit(name: "entity expansion", value: limits.entityExpansion), at: context)
    }
  }

  func document(of context: UnsafeMutableRawPointer) -> xmlDocPtr? {
    stagecoach_xml_document(context.assumingMemoryBound(to: xmlParserCtxt.self))
  }
}
