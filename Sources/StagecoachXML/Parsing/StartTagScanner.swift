internal import CLibXML2

/// Counts the attributes of a start tag that has not arrived whole.
///
/// libxml2 parses a start tag once it is complete and compares every attribute with every other, which
/// takes minutes for a tag of a few megabytes; so the tag has to be refused before it is complete.
struct StartTagScanner {
  private var position = 0
  private var scanned = 0
  private var count = 0
  private var quote: UInt8 = 0
  /// The end of the last piece of a CDATA section.
  private var sectionEnd = -1
  /// Whether its last character was a carriage return.
  private var sectionEndsInReturn = false
  /// The number of bytes that the parser held the last time.
  private(set) var heldSize = 0

  /// Notes a piece of a CDATA section, which the parser is about to pass.
  ///
  /// - Returns: Whether the piece before it belongs to the same section and ends in a carriage return.
  mutating func noteCDATA(_ text: UnsafeBufferPointer<UInt8>, at context: xmlParserCtxtPtr) -> Bool {
    var size = 0
    var start = 0
    guard stagecoach_xml_held(context, &size, &start) != nil else { return false }
    let isContinued = start == sectionEnd && sectionEndsInReturn
    sectionEnd = start + text.count
    sectionEndsInReturn = text.last == UInt8(ascii: "\r")
    return isContinued
  }

  mutating func attributes(heldBy context: xmlParserCtxtPtr) -> Int {
    var size = 0
    var start = 0
    let bytes = stagecoach_xml_held(context, &size, &start)
    heldSize = size
    // A section is followed by its end; text directly after a piece of it is more of it, not a tag.
    guard let bytes, start != sectionEnd, size > 1, bytes[0] == UInt8(ascii: "<"),
      bytes[1] != UInt8(ascii: "!"), bytes[1] != UInt8(ascii: "?")
    else { return 0 }
    if start != position || size < scanned {
      (position, scanned, count, quote) = (start, 0, 0, 0)
    }
    while scanned < size {
      let byte = bytes[scanned]
      scanned += 1
      if quote != 0 {
        if byte == quote { quote = 0 }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: "=") {
        count += 1
      }
    }
    return count
  }
}
