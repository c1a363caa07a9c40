internal import CLibXML2

extension ParserGuard {
  /// Notes what the XML declaration says that has been read.
  final func noteDeclaration(at context: UnsafeMutableRawPointer) {
    guard !ignoresDeclaredEncoding else { return }
    declaredEncoding = stagecoach_xml_encoding(context.assumingMemoryBound(to: xmlParserCtxt.self))
      .map { String(libxml: $0) }
  }

  /// The document that is being parsed.
  final func document(of context: UnsafeMutableRawPointer) -> xmlDocPtr? {
    stagecoach_xml_document(context.assumingMemoryBound(to: xmlParserCtxt.self))
  }
}

/// The line where a parser is, from 1.
@inline(__always)
func line(at context: UnsafeMutableRawPointer) -> Int { Int(xmlSAX2GetLineNumber(context)) }

/// The column where a parser is, from 1.
func column(at context: UnsafeMutableRawPointer) -> Int { Int(xmlSAX2GetColumnNumber(context)) }
