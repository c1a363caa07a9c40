import Stagecoach

@testable import StagecoachXML

/// Any octets give the same batches and the same records however they are cut, and decode as the same values from the
/// tape, from a tree and from an element, or not at all; what is encoded of a value decodes as that value.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 0 else { return 0 }
  // The first octet says where the rest is cut, beside after each octet.
  let octets = UnsafeRawBufferPointer(start: start + 1, count: count - 1)
  let sizes = [1, Int(start[0]) + 2]
  let whole = events(octets, size: .max)
  for size in sizes {
    let cut = events(octets, size: size)
    precondition(cut == whole, "in pieces of \(size): \(cut as Any) and \(whole as Any)")
  }
  for path in [1, 2, 3].map({ XML.ElementPath("r/i/*/x", steps: $0) }) {
    let all = records(octets, at: path, size: .max)
    for size in sizes {
      let cut = records(octets, at: path, size: size)
      precondition(cut.isWhole == all.isWhole, "\(path), in pieces of \(size): \(cut.isWhole)")
      precondition(cut.elements == all.elements, "\(path), in pieces of \(size): \(cut) and \(all)")
    }
    precondition(all.isWhole == (whole != nil), "records: \(all.isWhole), events: \(whole != nil)")
    for (record, element) in zip(all.records, all.elements) { compareValues(record, element) }
  }
  if whole != nil { compareValues(octets) }
  return 0
}

extension XML.ElementPath {
  /// The first steps of a path.
  fileprivate init(_ text: String, steps count: Int) {
    guard let path = Self(text.split(separator: "/").prefix(count).joined(separator: "/")) else {
      preconditionFailure(text)
    }
    self = path
  }
}

private func feed(_ octets: UnsafeRawBufferPointer, size: Int, to reader: EventReader, _ step: () -> Void)
  -> Bool
{
  do {
    var rest = octets[...]
    while !rest.isEmpty {
      try reader.append(UnsafeRawBufferPointer(rebasing: rest.prefix(size)))
      rest = rest.dropFirst(size)
      step()
    }
    try reader.finish()
    return true
  } catch {
    return false
  }
}

/// The events, one a line; nil if this is no document.
private func events(_ octets: UnsafeRawBufferPointer, size: Int) -> [String]? {
  let reader = EventReader(encoding: nil, limits: XML.Limits())
  var lines: [String] = []
  func take(isLast: Bool) {
    for event in reader.takeBatch(isLast: isLast).map(Array.init) ?? [] { lines.append(line(of: event)) }
  }
  guard feed(octets, size: size, to: reader, { take(isLast: false) }) else { return nil }
  take(isLast: true)
  return lines
}

private func line(of event: XML.Event) -> String {
  switch event {
  case .startDocument(let declaration): "document \(declaration)"
  case .startElement(let tag):
    "<\(tag.name) \(tag.namespaces.sorted { $0.key < $1.key }) \(tag.attributes) @\(tag.line)"
  case .endElement(let tag): "</\(tag.name)"
  case .text(let text): "text \(text)"
  case .cdata(let text): "cdata \(text)"
  case .comment(let text): "comment \(text)"
  case .processingInstruction(let instruction): "pi \(instruction.target) \(instruction.data)"
  case .endDocument: "end"
  @unknown default: preconditionFailure("an event of another kind")
  }
}

/// The elements at a path, and whether the document is one to its end.
private func records(
  _ octets: UnsafeRawBufferPointer,
  at path: XML.ElementPath,
  size: Int
) -> (records: [XML.Record], elements: [XML.Element], isWhole: Bool) {
  let reader = EventReader(encoding: nil, limits: XML.Limits(), path: path)
  var found: [XML.Record] = []
  func take() { found += reader.takeRecords().map { XML.Record(batch: $0) } }
  let isWhole = feed(octets, size: size, to: reader, take)
  take()
  return (found, found.map(\.element), isWhole)
}
