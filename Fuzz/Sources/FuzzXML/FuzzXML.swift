import Stagecoach
import StagecoachXML

/// Any octets are a document or an error, the same for a tree as for events, however they are cut; what is written of
/// a document reads the same. An octet that no UTF-8 has stands for markup and text that are longer than inputs are.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 0 else { return 0 }
  let expanded = expand(UnsafeRawBufferPointer(start: start + 1, count: count - 1))
  // The first octet says where the rest is cut: in fewer pieces, if it is long.
  let size = max(1, Int(start[0]) * max(1, expanded.count >> 12))
  expanded.withUnsafeBytes { check($0, size: size) }
  return 0
}

/// What an input stands for: F8, a number and an octet are that octet so many times 1,024, for which the parser holds
/// what it has not seen the end of. The rest is as it is, and so is what would be longer than 192 KiB in all.
private func expand(_ octets: UnsafeRawBufferPointer) -> [UInt8] {
  var expanded: [UInt8] = []
  var index = 0
  while index < octets.count {
    guard octets[index] == 0xF8, index + 2 < octets.count,
      expanded.count + Int(octets[index + 1]) << 10 <= 192 << 10
    else {
      expanded.append(octets[index])
      index += 1
      continue
    }
    expanded.append(contentsOf: repeatElement(octets[index + 2], count: Int(octets[index + 1]) << 10))
    index += 3
  }
  return expanded
}

private func check(_ octets: UnsafeRawBufferPointer, size: Int) {
  let whole = events(octets, size: .max)
  let pieces = events(octets, size: size)
  precondition(whole == pieces, "in pieces of \(size): \(whole as Any) and \(pieces as Any)")

  let document = tree(octets, size: size)
  precondition((document == nil) == (whole == nil), "a tree: \(document != nil), events: \(whole != nil)")
  guard let document else { return }
  let written = document.xmlString
  let again = Bytes(written).withUnsafeBytes { tree($0, size: size) }
  guard let again else { preconditionFailure("not read: \(written)") }
  precondition(again.xmlString == written, "\(written)\nbecame \(again.xmlString)")
  _ = try? document.xpath("count(//*) + sum(//@*)")
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
