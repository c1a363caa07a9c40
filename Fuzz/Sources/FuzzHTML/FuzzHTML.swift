import Stagecoach
import StagecoachXML

/// Any octets are HTML. The first says how they are cut and whether the transport names a charset; however they
/// are cut, the same comes of them, which written as HTML and read again stays a document, and XPath finds its
/// root.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 0 else { return 0 }
  let octets = UnsafeRawBufferPointer(start: start + 1, count: count - 1)
  let charsets = [nil, "utf-8", "shift_jis", "utf-16le", "gbk", "euc-jp", "iso-2022-jp", "big5"]
  let charset = charsets[Int(start[0] & 7)]
  let whole = parse(octets, charset: charset, chunk: octets.count)
  let cut = parse(octets, charset: charset, chunk: Int(start[0] >> 3) + 1)
  precondition(whole.outcome == cut.outcome, "cut: \(cut.outcome)\nwhole: \(whole.outcome)")
  precondition(whole.issues == cut.issues, "cut: \(cut.issues)\nwhole: \(whole.issues)")
  guard let document = whole.document else { return 0 }
  precondition(document.root.name == "html", "the root is \(document.root.name)")
  precondition((try? document.xpath("/html").nodes.count) == 1, "no root, or more than one")
  _ = document.xmlString
  let again = Array(document.htmlString.utf8)
  again.withUnsafeBytes { _ = parse($0, charset: "utf-8", chunk: 100) }
  return 0
}

private func parse(
  _ octets: UnsafeRawBufferPointer,
  charset: String?,
  chunk: Int
) -> (document: XML.Document?, outcome: String, issues: [XML.HTMLParser.Issue]) {
  let parser = XML.HTMLParser(encoding: charset)
  do {
    var rest = octets[...]
    while !rest.isEmpty {
      try parser.append(UnsafeRawBufferPointer(rebasing: rest.prefix(max(1, chunk))))
      rest = rest.dropFirst(max(1, chunk))
    }
    let document = try parser.finish()
    return (document, document.htmlString, parser.issues)
  } catch {
    return (nil, "\(error)", parser.issues)
  }
}
