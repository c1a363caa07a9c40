import CXMLPeer
import Foundation
import FoundationXML
import GeneratedRows
import HTTPTypes
import Stagecoach
import StagecoachXML
import Synchronization

/// XML against the same libxml2 driven from C, and against FoundationXML.
struct XMLRows {
  let quick: Bool
  let wants: (String) -> Bool

  private static let chunkSize = 64 * 1024

  func run() async throws -> [Row] {
    let count = quick ? 20_000 : 50_000
    let text = "<?xml version=\"1.0\"?>\n<rows>\n" + (0..<count).map(GeneratedRows.xml).joined() + "</rows>\n"
    let bytes = Array(text.utf8)
    var rows: [Row] = []
    if wants("xml/events/") { rows += try await events(bytes, rows: count) }
    if wants("xml/document/") { rows += try await document(bytes, rows: count) }
    return rows
  }

  private var rounds: Int { quick ? 7 : 21 }

  // MARK: - Events

  private struct Counter: XML.EventHandler {
    var elements = 0
    var attributes = 0
    var text = 0

    mutating func startElement(_ tag: borrowing XML.RawStartTag) {
      elements += 1
      attributes += tag.attributeCount
    }

    mutating func text(_ characters: Span<UInt8>) { text += characters.count }
    mutating func cdata(_ characters: Span<UInt8>) { text += characters.count }
  }

  private func events(_ bytes: [UInt8], rows count: Int) async throws -> [Row] {
    let mebibytes = Double(bytes.count) / 1_048_576
    let elements = 7 * count + 1
    let inC = {
      var counts = xml_counts()
      let result = bytes.withUnsafeBytes {
        xml_count($0.baseAddress, $0.count, Self.chunkSize, &counts)
      }
      try Self.check(result == 0 && counts.elements == elements)
    }
    let handler = {
      let parser = XML.EventParser(Counter())
      try bytes.withUnsafeBytes { bytes in
        for start in stride(from: 0, to: bytes.count, by: Self.chunkSize) {
          let end = min(bytes.count, start + Self.chunkSize)
          try parser.append(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
        }
      }
      try Self.check(try parser.finish().elements == elements)
    }
    let chunks = stride(from: 0, to: bytes.count, by: Self.chunkSize).map {
      Bytes(bytes[$0..<min($0 + Self.chunkSize, bytes.count)])
    }
    let batches = {
      var found = 0
      for try await batch in try await Self.events(of: chunks).batches {
        for event in batch {
          if case .startElement = event { found += 1 }
        }
      }
      try Self.check(found == elements)
    }
    let oneByOne = {
      var found = 0
      for try await event in try await Self.events(of: chunks) {
        if case .startElement = event { found += 1 }
      }
      try Self.check(found == elements)
    }
    let foundation = {
      final class Delegate: NSObject, XMLParserDelegate {
        var elements = 0
        var attributes = 0
        var text = 0
        func parser(
          _ parser: XMLParser,
          didStartElement name: String,
          namespaceURI: String?,
          qualifiedName: String?,
          attributes: [String: String]
        ) {
          elements += 1
          self.attributes += attributes.count
        }
        func parser(_ parser: XMLParser, foundCharacters string: String) { text += string.utf8.count }
      }
      let parser = XMLParser(data: Data(bytes))
      let delegate = Delegate()
      parser.delegate = delegate
      _ = parser.parse()
      try Self.check(delegate.elements == elements)
    }
    var result: [Row] = []
    for (name, work) in [("handler", handler), ("batches", batches), ("one-by-one", oneByOne)]
      as [(String, () async throws -> Void)]
    {
      let costs = try await interleaved(rounds: rounds, units: 1, ours: work, peer: { try inC() })
      result.append(
        Row("xml/events/\(name)", unit: "MiB/s", peerName: "libxml2 from C", costs) { mebibytes / $0.cpu }
      )
    }
    let costs = try await interleaved(
      rounds: rounds,
      units: 1,
      ours: { try handler() },
      peer: { try foundation() }
    )
    result.append(
      Row("xml/events/foundation", unit: "MiB/s", peerName: "XMLParser", costs) { mebibytes / $0.cpu }
    )
    return result
  }

  private static func events(of chunks: [Bytes]) async throws -> XML.Events {
    let response = Response(.ok, body: Response.Body(source: Chunks(chunks)))
    return try await XMLEventsResponseSerializer().serialize(response)
  }

  // MARK: - Documents

  private func document(_ bytes: [UInt8], rows count: Int) async throws -> [Row] {
    let mebibytes = Double(bytes.count) / 1_048_576
    let build: () throws -> XML.Document = {
      let parser = XML.DocumentParser()
      try bytes.withUnsafeBytes { bytes in
        for start in stride(from: 0, to: bytes.count, by: Self.chunkSize) {
          let end = min(bytes.count, start + Self.chunkSize)
          try parser.append(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
        }
      }
      return try parser.finish()
    }
    let built = try await interleaved(rounds: rounds, units: 1) {
      try Self.check(try build().root.name == "rows")
    } peer: {
      let children = bytes.withUnsafeBytes { xml_build($0.baseAddress, $0.count, Self.chunkSize) }
      try Self.check(children == count)
    }
    let searched = try await interleaved(rounds: quick ? 3 : 7, units: 1) {
      let nodes = try build().xpath("//name").nodes
      try Self.check(nodes.count == count && nodes[7].text == "Coach number 7")
    } peer: {
      let nodes = try XMLDocument(data: Data(bytes)).nodes(forXPath: "//name")
      try Self.check(nodes.count == count && nodes[7].stringValue == "Coach number 7")
    }
    return [
      Row("xml/document/build", unit: "MiB/s", peerName: "libxml2 from C", built) { mebibytes / $0.cpu },
      Row("xml/document/xpath", unit: "MiB/s", peerName: "XMLDocument", searched) { mebibytes / $0.cpu },
    ]
  }

  static func check(_ holds: Bool) throws {
    guard holds else { throw ExchangeError(.incompleteBody, "a side of the benchmark found something else") }
  }

  /// Hands out chunks that are in memory.
  final class Chunks: BodySource {
    private let rest: Mutex<ArraySlice<Bytes>>

    init(_ chunks: [Bytes]) {
      rest = Mutex(chunks[...])
    }

    func next() async throws -> Bytes? {
      rest.withLock { $0.popFirst() }
    }

    func cancel() {
      rest.withLock { $0 = [] }
    }
  }
}
