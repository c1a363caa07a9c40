import Stagecoach
import StagecoachXML

/// Any octets are a document or an error, the same for a tree as for events, however they are cut; what is written of
/// a document reads the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 0 else { return 0 }
  // The first octet says where the rest is cut.
  let octets = UnsafeRawBufferPointer(start: start + 1, count: count - 1)
  let size = max(1, Int(start[0]))
  let whole = events(octets, size: .max)
  let pieces = events(octets, size: size)
  precondition(whole == pieces, "in pieces of \(size): \(whole as Any) and \(pieces as Any)")

  let document = tree(octets, size: size)
  precondition((document == nil) == (whole == nil), "a tree: \(document != nil), events: \(whole != nil)")
  guard let document else { return 0 }
  let written = document.xmlString
  let again = Bytes(written).withUnsafeBytes { tree($0, size: size) }
  guard let again else { preconditionFailure("not read: \(written)") }
  precondition(again.xmlString == written, "\(written)\nbecame \(again.xmlString)")
  _ = try? document.xpath("count(//*) + sum(//@*)")
  return 0
}

private func feed(
  _ octets: UnsafeRawBufferPointer,
  size: Int,
  _ append: (UnsafeRawBufferPointer) throws -> Void
) rethrows {
  var rest = octets[...]
  while !rest.isEmpty {
    try append(UnsafeRawBufferPointer(rebasing: rest.prefix(size)))
    rest = rest.dropFirst(size)
  }
}

private func tree(_ octets: UnsafeRawBufferPointer, size: Int) -> XML.Document? {
  let parser = XML.DocumentParser()
  do {
    try feed(octets, size: size) { try parser.append($0) }
    return try parser.finish()
  } catch {
    return nil
  }
}

private func events(_ octets: UnsafeRawBufferPointer, size: Int) -> [UInt8]? {
  let parser = XML.EventParser(Digest())
  do {
    try feed(octets, size: size) { try parser.append($0) }
    return try parser.finish().bytes
  } catch {
    return nil
  }
}

/// What a handler hears, in one row of octets; where a text is cut makes no difference.
private struct Digest: XML.EventHandler {
  var bytes: [UInt8] = []
  private var isInText = false

  mutating func startElement(_ tag: borrowing XML.RawStartTag) {
    add("<", tag.name.localName)
    add("{", tag.name.namespaceURI)
    for index in 0..<tag.attributeCount {
      add("@", tag.attributeName(at: index).localName)
      add("=", tag.attributeValue(at: index))
    }
    _ = (tag.name.interned, tag.namespaces, tag.attribute("id"))
  }

  mutating func endElement(_ name: borrowing XML.RawName) { add(">", name.localName) }

  mutating func text(_ characters: Span<UInt8>) {
    if !isInText { bytes.append(UInt8(ascii: "t")) }
    append(characters)
    isInText = true
  }

  mutating func cdata(_ characters: Span<UInt8>) { append(characters) }

  mutating func comment(_ characters: Span<UInt8>) { add("!", characters) }

  mutating func processingInstruction(target: Span<UInt8>, data: Span<UInt8>) {
    add("?", target)
    add(" ", data)
  }

  private mutating func add(_ mark: Unicode.Scalar, _ text: Span<UInt8>) {
    isInText = false
    bytes.append(UInt8(ascii: mark))
    append(text)
  }

  private mutating func append(_ text: Span<UInt8>) {
    text.withUnsafeBufferPointer { text in
      // What libxml2 hands out is UTF-8, without characters that XML does not have.
      precondition(String(validating: text, as: UTF8.self) != nil && !text.contains(0), "\(Array(text))")
      bytes.append(contentsOf: text)
    }
  }
}
