internal import CLibXML2

/// Provides the documents of a schema to libxml2 while it compiles one, and collects the errors that libxml2 reports.
///
/// libxml2 has no function that accepts the documents a schema refers to; it loads them by name. Its entity loader is
/// global for the process and is not changed; but the function that opens files for the standard loader is set per
/// thread. So while a schema is compiled, the opener of the calling thread provides these documents and nothing else.
///
/// The names are spellings of the root directory: libxml2 looks up only names of files that do not exist in its
/// catalogs, which it reads from the disk, and a custom loader of the host finds nothing to read.
final class SchemaLoader {
  private var found: [XML.SchemaError.Problem] = []
  private let texts: [[UInt8]]
  private let locations: [String]

  private static let problemLimit = 100

  init(texts: [[UInt8]], locations: [String]) {
    self.texts = texts
    self.locations = locations
  }

  /// The errors that libxml2 reported for the documents; those with a line first.
  var problems: [XML.SchemaError.Problem] {
    found.filter { $0.line != nil } + found.filter { $0.line == nil }
  }

  /// The name by which libxml2 asks for the document of an index: `/./`, `/././` and so on.
  static func name(of index: Int) -> String { "/" + String(repeating: "./", count: index + 1) }

  private func index(named name: UnsafePointer<CChar>) -> Int? {
    let name = String(cString: name)
    let index = (name.utf8.count - 1) / 2 - 1
    return texts.indices.contains(index) && name == Self.name(of: index) ? index : nil
  }

  /// Runs libxml2 while this thread can open the documents and nothing else, and reports errors here.
  func withLoader<Result>(_ body: () -> Result) -> Result {
    let saved = stagecoach_xml_redirect(
      { loader, error in
        guard let loader, let error else { return }
        Unmanaged<SchemaLoader>.fromOpaque(loader).takeUnretainedValue().note(error.pointee)
      },
      Unmanaged.passUnretained(self).toOpaque()
    )
    let opener = stagecoach_xml_set_opener { name, encoding in
      guard let name, let loader = stagecoach_xml_redirected_data() else { return nil }
      return Unmanaged<SchemaLoader>.fromOpaque(loader).takeUnretainedValue().open(name)
    }
    defer {
      _ = stagecoach_xml_set_opener(opener)
      stagecoach_xml_restore(saved)
    }
    return withExtendedLifetime(self) { body() }
  }

  /// Returns the schema itself, with the name by which other documents refer to it.
  func readSchema() -> xmlDocPtr? {
    texts[0].withUnsafeBytes { bytes in
      xmlReadMemory(
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
        Int32(clamping: bytes.count),
        Self.name(of: 0),
        "UTF-8",
        Int32(bitPattern: XML_PARSE_NONET.rawValue | XML_PARSE_BIG_LINES.rawValue)
      )
    }
  }

  private func open(_ name: UnsafePointer<CChar>) -> xmlParserInputBufferPtr? {
    guard let index = index(named: name) else { return nil }
    return texts[index].withUnsafeBytes { bytes in
      xmlParserInputBufferCreateMem(
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
        Int32(clamping: bytes.count),
        XML_CHAR_ENCODING_UTF8
      )
    }
  }

  private func note(_ error: xmlError) {
    // That a document was not found is a warning to libxml2 where the reference is an import.
    let isLoss = error.code == Int32(XML_SCHEMAP_WARN_UNLOCATED_SCHEMA.rawValue)
    guard error.level.rawValue >= XML_ERR_ERROR.rawValue || isLoss, found.count < Self.problemLimit
    else { return }
    let location = error.file.flatMap { index(named: $0) }.map { locations[$0] } ?? ""
    let line =
      error.node.map { Int(xmlGetLineNo($0.assumingMemoryBound(to: xmlNode.self))) } ?? Int(error.line)
    found.append(
      XML.SchemaError.Problem(
        message: readable(String(libxmlMessage: error.message)),
        location: location,
        line: line > 0 ? line : nil
      )
    )
  }

  /// A message with locations in place of our names.
  private func readable(_ message: String) -> String {
    var message = message
    // The longest first: each name begins with all shorter ones.
    for index in texts.indices.reversed() where message.contains(Self.name(of: index)) {
      message = message.replacing(
        Self.name(of: index),
        with: locations[index].isEmpty ? "the schema" : locations[index]
      )
    }
    return String(message.prefix(1_024))
  }
}
