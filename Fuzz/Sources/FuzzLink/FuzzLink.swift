import HTTPTypes
import Stagecoach

/// Any octets are a Link field that gives some links, each of which is written, in one line, as something that
/// reads the same: alone, and together with the others.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let octets = UnsafeBufferPointer(start: start, count: count)
  let text = String(decoding: octets, as: UTF8.self)
  let links = LinkField.parse(text)
  precondition(links.count <= LinkField.maximumCount, "\(links.count) links")
  for link in links { check(link) }
  let written = links.map(\.description).joined(separator: ", ")
  precondition(LinkField.parse(written) == links, "\(links) became \(LinkField.parse(written))")
  var fields = HTTPFields()
  fields.append(HTTPField(name: HTTPField.Name("Link")!, lenientValue: octets))
  for link in fields.links { check(link) }
  if let link = LinkField(target: text, relations: [text]) { check(link) }
  if let link = LinkField(
    target: "/",
    relations: ["next"],
    parameters: [
      FieldParameter(name: "title", value: text, isExtended: true), FieldParameter(name: "type", value: text),
    ]
  ) {
    check(link)
    precondition(link.title == text, "\(text.debugDescription) was lost")
  }
  return 0
}

private func check(_ link: LinkField) {
  let written = link.description
  precondition(!written.utf8.contains { $0 == 0x0D || $0 == 0x0A || $0 == 0 }, "a line break in \(written)")
  guard let again = LinkField(written) else { preconditionFailure("not read: \(written)") }
  precondition(again == link, "\(written) became \(again)")
  for relation in link.relations {
    precondition(!relation.isEmpty && relation == relation.lowercased(), "a relation: \(relation)")
  }
  precondition(link.parameters.count <= 65, "\(link.parameters.count) parameters")
  _ = (link.anchor, link.title, link.mediaType)
}
