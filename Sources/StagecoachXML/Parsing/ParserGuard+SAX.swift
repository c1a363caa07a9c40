internal import CLibXML2

extension ParserGuard {
  static func installErrors(in sax: xmlSAXHandlerPtr) {
    sax.pointee.serror = { context, error in
      guard let error else { return }
      // Failures of the tree building come without the user data, but name the context.
      ParserGuard.of(context ?? error.pointee.ctxt)?.note(error.pointee)
    }
    sax.pointee.warning = nil
    sax.pointee.error = nil
    sax.pointee.fatalError = nil
  }

  static func installDeclarations(in sax: xmlSAXHandlerPtr) {
    sax.pointee.internalSubset = { context, name, publicID, systemID in
      guard let context, let owner = ParserGuard.of(context),
        owner.admitDeclaration(name: name, at: context)
      else { return }
      // A subset whose size nobody has looked at.
      guard owner.doctype == .expected else {
        return owner.fail(.malformed(message: "a document type declaration in the wrong place"), at: context)
      }
      owner.doctype = .open
      xmlSAX2InternalSubset(context, name, publicID, systemID)
    }
    sax.pointee.entityDecl = { context, name, type, publicID, systemID, content in
      guard let context, ParserGuard.of(context)?.admitDeclaration(name: name, at: context) == true
      else { return }
      xmlSAX2EntityDecl(context, name, type, publicID, systemID, content)
    }
    sax.pointee.notationDecl = { context, name, publicID, systemID in
      guard let context, ParserGuard.of(context)?.admitDeclaration(name: name, at: context) == true
      else { return }
      xmlSAX2NotationDecl(context, name, publicID, systemID)
    }
    sax.pointee.unparsedEntityDecl = { context, name, publicID, systemID, notation in
      guard let context, ParserGuard.of(context)?.admitDeclaration(name: name, at: context) == true
      else { return }
      xmlSAX2UnparsedEntityDecl(context, name, publicID, systemID, notation)
    }
    sax.pointee.elementDecl = { context, name, type, content in
      guard let context, ParserGuard.of(context)?.admitDeclaration(name: name, at: context) == true
      else { return }
      xmlSAX2ElementDecl(context, name, type, content)
    }
    sax.pointee.attributeDecl = { context, element, name, type, defaultKind, value, enumeration in
      guard let context, let owner = ParserGuard.of(context),
        owner.admitDeclaration(name: name, at: context)
      else {
        // The callback owns the enumeration.
        xmlFreeEnumeration(enumeration)
        return
      }
      if value != nil, xmlStrncmp(name, "xmlns", 5) == 0 { owner.defaultsNamespaces = true }
      xmlSAX2AttributeDecl(context, element, name, type, defaultKind, value, enumeration)
      if let value { owner.keepDefault(value, of: name, on: element, at: context) }
    }
  }

  /// Notes the default value of an attribute where libxml2 forgets it because it does not fit the type: that makes a
  /// document invalid, and the value is a default all the same.
  private func keepDefault(
    _ value: UnsafePointer<xmlChar>,
    of name: UnsafePointer<xmlChar>?,
    on element: UnsafePointer<xmlChar>?,
    at context: UnsafeMutableRawPointer
  ) {
    guard let subset = document(of: context)?.pointee.intSubset, let last = subset.pointee.last,
      last.pointee.type == XML_ATTRIBUTE_DECL
    else { return }
    let attribute = UnsafeMutableRawPointer(last).assumingMemoryBound(to: xmlAttribute.self)
    // A second declaration is ignored and not stored.
    guard attribute.pointee.defaultValue == nil,
      attribute.pointee.def == XML_ATTRIBUTE_NONE || attribute.pointee.def == XML_ATTRIBUTE_FIXED,
      xmlStrEqual(attribute.pointee.elem, element) != 0,
      xmlStrQEqual(attribute.pointee.prefix, attribute.pointee.name, name) != 0
    else { return }
    stagecoach_xml_set_default(attribute, value)
  }

  /// Installs callbacks that never load anything from outside the document, and only expand entities that the document
  /// declares.
  static func installEntities(in sax: xmlSAXHandlerPtr) {
    sax.pointee.externalSubset = { context, _, _, _ in
      guard let context, let owner = ParserGuard.of(context) else { return }
      owner.doctype = .over
      // libxml2 2.13 and later record an error after reporting it.
      if owner.hasHarmlessErrors { xmlCtxtResetLastError(context) }
    }
    sax.pointee.resolveEntity = { _, _, _ in nil }
    sax.pointee.getEntity = { context, name in
      guard let context, let owner = ParserGuard.of(context) else { return nil }
      if let entity = xmlSAX2GetEntity(context, name),
        entity.pointee.etype != XML_EXTERNAL_GENERAL_PARSED_ENTITY,
        // libxml2 would parse the markup before it reports the reference, which is then refused.
        owner.doctype == .open || !owner.holdsMarkup(entity)
      {
        return owner.admitReference(to: entity, at: context) ? entity : nil
      }
      // Where an external subset might declare it, libxml2 would only warn, and drop it from attributes.
      owner.fail(.forbiddenEntity(name: String(libxml: name)), at: context)
      return nil
    }
    sax.pointee.getParameterEntity = { context, name in
      guard let context, let owner = ParserGuard.of(context) else { return nil }
      // The declaration itself asks too, to note the original text; nothing else comes before that.
      if let entity = xmlSAX2GetParameterEntity(context, name), entity.pointee.orig == nil,
        entity.pointee.etype == XML_INTERNAL_PARAMETER_ENTITY
      {
        return entity
      }
      owner.fail(.forbiddenEntity(name: "%" + String(libxml: name)), at: context)
      return nil
    }
  }
}
