import StagecoachXML
import Testing

/// Parses bytes in chunks.
func parse(
  _ bytes: [UInt8],
  chunk: Int = 4096,
  encoding: String? = nil,
  limits: XML.Limits = XML.Limits()
) throws(XML.ParseError) -> XML.Document {
  let parser = XML.DocumentParser(encoding: encoding, limits: limits)
  var rest = bytes[...]
  while !rest.isEmpty {
    try Array(rest.prefix(chunk)).withUnsafeBufferPointer { bytes throws(XML.ParseError) in
      try parser.append(UnsafeRawBufferPointer(bytes))
    }
    rest = rest.dropFirst(chunk)
  }
  return try parser.finish()
}

func parse(
  _ text: String,
  chunk: Int = 4096,
  encoding: String? = nil,
  limits: XML.Limits = XML.Limits()
) throws(XML.ParseError) -> XML.Document {
  try parse(Array(text.utf8), chunk: chunk, encoding: encoding, limits: limits)
}

/// The error that parsing ends with.
func parseError(
  _ bytes: [UInt8],
  chunk: Int = 4096,
  encoding: String? = nil,
  limits: XML.Limits = XML.Limits(),
  sourceLocation: SourceLocation = #_sourceLocation
) -> XML.ParseError? {
  do throws(XML.ParseError) {
    let document = try parse(bytes, chunk: chunk, encoding: encoding, limits: limits)
    Issue.record("parsed: \(document.xmlString.prefix(200))", sourceLocation: sourceLocation)
    return nil
  } catch {
    return error
  }
}

func parseError(
  _ text: String,
  chunk: Int = 4096,
  encoding: String? = nil,
  limits: XML.Limits = XML.Limits(),
  sourceLocation: SourceLocation = #_sourceLocation
) -> XML.ParseError? {
  parseError(
    Array(text.utf8),
    chunk: chunk,
    encoding: encoding,
    limits: limits,
    sourceLocation: sourceLocation
  )
}

/// Limits with one changed.
func limits<Value>(_ path: WritableKeyPath<XML.Limits, Value>, _ value: Value) -> XML.Limits {
  var limits = XML.Limits()
  limits[keyPath: path] = value
  return limits
}

func utf16(_ text: String, bigEndian: Bool, mark: Bool) -> [UInt8] {
  ((mark ? "\u{FEFF}" : "") + text).utf16.flatMap { unit -> [UInt8] in
    let high = UInt8(unit >> 8), low = UInt8(unit & 0xFF)
    return bigEndian ? [high, low] : [low, high]
  }
}
