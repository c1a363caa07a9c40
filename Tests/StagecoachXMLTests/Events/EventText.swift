@testable import StagecoachXML

/// The events of a document as lines of text, to be compared.
func lines(of events: some Sequence<XML.Event>) -> [String] {
  events.map { event in
    switch event {
    case .startDocument(let declaration):
      "document \(declaration.version) \(declaration.encoding ?? "-") \(declaration.isStandalone as Any)"
    case .endDocument: "end"
    case .startElement(let tag):
      (["<\(tag.name)"]
        + tag.namespaces.sorted { $0.key < $1.key }.map { "xmlns:\($0.key)=\($0.value)" }
        + tag.attributes.map { "\($0.name)=\($0.value)" }).joined(separator: " ") + " @\(tag.line)"
    case .endElement(let tag): "</\(tag.name) @\(tag.line)"
    case .text(let text): "text \(text.string)"
    case .cdata(let text): "cdata \(text.string)"
    case .comment(let text): "comment \(text.string)"
    case .processingInstruction(let instruction): "pi \(instruction.target) \(instruction.data)"
    @unknown default: "?"
    }
  }
}

/// The same lines from a handler, whose pieces of text are put together.
struct LineHandler: XML.EventHandler, Sendable {
  var lines: [String] = []
  private var isInText = ""

  mutating func startDocument(_ declaration: XML.Declaration) {
    add("document \(declaration.version) \(declaration.encoding ?? "-") \(declaration.isStandalone as Any)")
  }

  mutating func endDocument() { add("end") }

  mutating func startElement(_ tag: borrowing XML.RawStartTag) {
    var parts = ["<\(tag.name.interned)"]
    parts += tag.namespaces.sorted { $0.key < $1.key }.map { "xmlns:\($0.key)=\($0.value)" }
    for index in 0..<tag.attributeCount {
      let name = tag.attributeName(at: index)
      parts.append("\(name.interned)=\(String(utf8: tag.attributeValue(at: index)))")
    }
    add(parts.joined(separator: " ") + " @\(tag.line)")
  }

  mutating func endElement(_ name: borrowing XML.RawName) { add("</\(name.interned)") }

  mutating func text(_ characters: Span<UInt8>) { append("text ", String(utf8: characters)) }

  mutating func cdata(_ characters: Span<UInt8>) { append("cdata ", String(utf8: characters)) }

  mutating func comment(_ characters: Span<UInt8>) { add("comment \(String(utf8: characters))") }

  mutating func processingInstruction(target: Span<UInt8>, data: Span<UInt8>) {
    add("pi \(String(utf8: target)) \(String(utf8: data))")
  }

  private mutating func add(_ line: String) {
    isInText = ""
    lines.append(line)
  }

  private mutating func append(_ kind: String, _ text: String) {
    if isInText == kind {
      lines[lines.count - 1] += text
    } else {
      add(kind + text)
      isInText = kind
    }
  }
}

/// The events of bytes that come in chunks, taken batch by batch.
func events(
  _ bytes: [UInt8],
  cuts: [Int],
  encoding: String? = nil,
  limits: XML.Limits = XML.Limits()
) throws(XML.ParseError) -> [String] {
  let reader = EventReader(encoding: encoding, limits: limits)
  var found: [String] = []
  var start = 0
  for end in cuts.filter({ $0 < bytes.count }) + [bytes.count] {
    try Array(bytes[start..<end]).withUnsafeBufferPointer { bytes throws(XML.ParseError) in
      try reader.append(UnsafeRawBufferPointer(bytes))
    }
    start = end
    if let batch = reader.takeBatch(isLast: false) { found += lines(of: batch) }
  }
  try reader.finish()
  if let batch = reader.takeBatch(isLast: true) { found += lines(of: batch) }
  return found
}
