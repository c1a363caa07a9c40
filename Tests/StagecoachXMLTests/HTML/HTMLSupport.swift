import Stagecoach
import Testing

@testable import StagecoachXML

/// Text with a paragraph around it, which old versions of libxml2 open for text that stands in the body alone.
func paragraph(_ text: String) -> String { XML.libraryVersion < 21400 ? "<p>\(text)</p>" : text }

/// Parses HTML in chunks.
func parseHTML(
  _ bytes: [UInt8],
  chunk: Int = .max,
  encoding: String? = nil,
  fallback: Charset? = nil,
  limits: XML.Limits = XML.Limits(),
  issues: inout [XML.HTMLParser.Issue]
) throws(XML.ParseError) -> XML.Document {
  let parser = XML.HTMLParser(encoding: encoding, fallback: fallback, limits: limits)
  defer { issues = parser.issues }
  var rest = bytes[...]
  while !rest.isEmpty {
    try Array(rest.prefix(chunk)).withUnsafeBufferPointer { bytes throws(XML.ParseError) in
      try parser.append(UnsafeRawBufferPointer(bytes))
    }
    rest = rest.dropFirst(chunk)
  }
  return try parser.finish()
}

func parseHTML(
  _ bytes: [UInt8],
  chunk: Int = .max,
  encoding: String? = nil,
  fallback: Charset? = nil,
  limits: XML.Limits = XML.Limits()
) throws(XML.ParseError) -> XML.Document {
  var issues: [XML.HTMLParser.Issue] = []
  return try parseHTML(
    bytes,
    chunk: chunk,
    encoding: encoding,
    fallback: fallback,
    limits: limits,
    issues: &issues
  )
}

func parseHTML(
  _ text: String,
  chunk: Int = .max,
  limits: XML.Limits = XML.Limits()
) throws(XML.ParseError) -> XML.Document {
  try parseHTML(Array(text.utf8), chunk: chunk, encoding: "utf-8", limits: limits)
}

/// What a browser would call the inner HTML of the body.
func body(_ text: String, chunk: Int = .max) throws -> String {
  let body = try #require(try parseHTML(text, chunk: chunk).xpath("/html/body").first)
  return body.children.map(\.htmlString).joined()
}

/// The error that parsing ends with.
func htmlError(
  _ text: String,
  chunk: Int = .max,
  limits: XML.Limits = XML.Limits(),
  sourceLocation: SourceLocation = #_sourceLocation
) -> XML.ParseError? {
  do throws(XML.ParseError) {
    let document = try parseHTML(text, chunk: chunk, limits: limits)
    Issue.record("parsed: \(document.htmlString.prefix(200))", sourceLocation: sourceLocation)
    return nil
  } catch {
    return error
  }
}
