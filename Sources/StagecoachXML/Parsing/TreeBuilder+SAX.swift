internal import CLibXML2

extension TreeBuilder {
  /// Puts the builder's callbacks in front of libxml2's own, in the handler of this one context.
  func install(in context: xmlParserCtxtPtr) {
    guard let sax = stagecoach_xml_sax(context) else { return }
    adopt(context)
    Self.installErrors(in: sax)
    Self.installElements(in: sax)
    Self.installText(in: sax)
    Self.installDeclarations(in: sax)
    Self.installEntities(in: sax)
  }

  private static func installErrors(in sax: xmlSAXHandlerPtr) {
    sax.pointee.serror = { context, error in
      guard let error else { return }
      // Failures of the tree building come without the user data, but name the context.
      TreeBuilder.of(context ?? error.pointee.ctxt)?.note(error.pointee)
    }
    sax.pointee.warning = nil
    sax.pointee.error = nil
    sax.pointee.fatalError = nil
  }

  private static func installElements(in sax: xmlSAXHandlerPtr) {
    sax.pointee.startElementNs = {
      context,
      name,
      prefix,
      uri,
      namespaceCount,
      namespaces,
      count,
      defaulted,
      attributes in
      guard let context, let builder = TreeBuilder.of(context) else { return }
      builder.startElement(
        StartTag(
          name: name,
          prefix: prefix,
          uri: uri,
          namespaceCount: namespaceCount,
          namespaces: namespaces,
          attributeCount: count,
          defaulted: defaulted,
          attributes: attributes
        ),
        at: context
      )
    }
    sax.pointee.endElementNs = { context, name, prefix, uri in
      guard let context, let builder = TreeBuilder.of(context), builder.isOpen(context) else { return }
      builder.closeElement()
      xmlSAX2EndElementNs(context, name, prefix, uri)
    }
  }

  private static func installText(in sax: xmlSAXHandlerPtr) {
    sax.pointee.characters = { context, text, count in
      guard let context, let builder = TreeBuilder.of(context),
        builder.admitCharacters(Int(count), at: context)
      else { return }
      xmlSAX2Characters(context, text, count)
    }
    sax.pointee.ignorableWhitespace = sax.pointee.characters
    sax.pointee.cdataBlock = { context, text, count in
      guard let context, let builder = TreeBuilder.of(context),
        builder.admitNodes(1, at: context), builder.admitText(Int(count), at: context)
      else { return }
      xmlSAX2CDataBlock(context, text, count)
    }
    sax.pointee.comment = { context, text in
      guard let context, let builder = TreeBuilder.of(context),
        builder.admitNodes(1, at: context), builder.admitText(length(text), at: context)
      else { return }
      xmlSAX2Comment(context, text)
    }
    sax.pointee.processingInstruction = { context, target, data in
      guard let context, let builder = TreeBuilder.of(context),
        builder.admitNodes(1, at: context), builder.admitName(length(target), at: context),
        builder.admitText(length(data), at: context)
      else { return }
      xmlSAX2ProcessingInstruction(context, target, data)
    }
  }

  private static func installDeclarations(in sax: xmlSAXHandlerPtr) {
    sax.pointee.internalSubset = { context, name, publicID, systemID in
      guard let context, TreeBuilder.of(context)?.admitDeclaration(name: name, at: context) == true
      else { return }
      xmlSAX2InternalSubset(context, name, publicID, systemID)
    }
    sax.pointee.entityDecl = { context, name, type, publicID, systemID, content in
      guard let context, TreeBuilder.of(context)?.admitDeclaration(name: name, at: context) == true
      else { return }
      xmlSAX2EntityDecl(context, name, type, publicID, systemID, content)
    }
    sax.pointee.notationDecl = { context, name, publicID, systemID in
      guard let context, TreeBuilder.of(context)?.admitDeclaration(name: name, at: context) == true
      else { return }
      xmlSAX2NotationDecl(context, name, publicID, systemID)
    }
    sax.pointee.unparsedEntityDecl = { context, name, publicID, systemID, notation in
      guard let context, TreeBuilder.of(context)?.admitDeclaration(name: name, at: context) == true
      else { return }
      xmlSAX2UnparsedEntityDecl(context, name, publicID, systemID, notation)
    }
    sax.pointee.elementDecl = { context, name, type, content in
      guard let context, TreeBuilder.of(context)?.admitDeclaration(name: name, at: context) == true
      else { return }
      xmlSAX2ElementDecl(context, name, type, content)
    }
    sax.pointee.attributeDecl = { context, element, name, type, defaultKind, value, enumeration in
      guard let context, TreeBuilder.of(context)?.admitDeclaration(name: name, at: context) == true
      else {
        // The callback owns the enumeration.
        xmlFreeEnumeration(enumeration)
        return
      }
      xmlSAX2AttributeDecl(context, element, name, type, defaultKind, value, enumeration)
    }
  }

  /// Nothing outside the document is ever looked for, and only entities that the document declares
  /// expand.
  private static func installEntities(in sax: xmlSAXHandlerPtr) {
    sax.pointee.externalSubset = { _, _, _, _ in }
    sax.pointee.resolveEntity = { _, _, _ in nil }
    sax.pointee.getEntity = { context, name in
      guard let context, let builder = TreeBuilder.of(context) else { return nil }
      if let entity = xmlSAX2GetEntity(context, name),
        entity.pointee.etype != XML_EXTERNAL_GENERAL_PARSED_ENTITY
      {
        return entity
      }
      // Where an external subset might declare it, libxml2 would only warn, and drop it from attributes.
      builder.fail(.forbiddenEntity(name: String(libxml: name)), at: context)
      return nil
    }
    sax.pointee.getParameterEntity = { context, name in
      guard let context, let builder = TreeBuilder.of(context) else { return nil }
      // The declaration itself asks too, to note the original text; nothing else comes before that.
      if let entity = xmlSAX2GetParameterEntity(context, name), entity.pointee.orig == nil,
        entity.pointee.etype == XML_INTERNAL_PARAMETER_ENTITY
      {
        return entity
      }
      builder.fail(.forbiddenEntity(name: "%" + String(libxml: name)), at: context)
      return nil
    }
    sax.pointee.reference = { context, name in
      guard let context, let builder = TreeBuilder.of(context), builder.isOpen(context) else { return }
      builder.reference(name, at: context)
    }
  }
}
