internal import CLibXML2

extension ParserGuard {
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
