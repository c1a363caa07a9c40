import HTTPTypes
import Stagecoach
import Testing

@testable import StagecoachXML

/// What each way to read a document gives for bytes that come in pieces.
struct Readings: Equatable {
  /// By a handler, without the lines of tags, and in batches.
  var handled: [String]
  var batched: [String]
  /// The elements in the root, and the text of the last one.
  var records: [XML.Element]
  /// The canonical form of the document, and the document as it is written.
  var canonical: String
  var written: String
  /// The texts of the elements in the root, decoded.
  var values: [String]

  private struct Root: Decodable, Sendable {
    var values: [String]
    init(from decoder: any Decoder) throws {
      var values: [String] = []
      var container = try decoder.unkeyedContainer()
      while !container.isAtEnd { values.append(try container.decode(String.self)) }
      self.values = values
    }
  }

  init(_ bytes: [UInt8], chunk: Int, encoding: String? = nil) async throws {
    let parser = XML.EventParser(LineHandler(), encoding: encoding)
    for start in stride(from: 0, to: bytes.count, by: chunk) {
      try bytes[start..<min(bytes.count, start &+ chunk)].withUnsafeBytes { try parser.append($0) }
    }
    handled = try parser.finish().lines
    let cuts = Array(stride(from: chunk, to: bytes.count, by: chunk))
    batched = try events(bytes, cuts: cuts, encoding: encoding)
    let document = try parse(bytes, chunk: chunk, encoding: encoding)
    canonical = String(decoding: try document.canonicalXML(), as: UTF8.self)
    written = document.xmlString
    var response = Response(.ok, body: .chunks(of: bytes, size: chunk))
    if let encoding { response.fields[.contentType] = "application/xml; charset=\(encoding)" }
    let records = try await XMLRecordsResponseSerializer("*/*") { $0.element }.serialize(response)
    var found: [XML.Element] = []
    for try await record in records {
      found.append(record)
    }
    self.records = found
    response.body = .chunks(of: bytes, size: chunk)
    values = try await XMLValueResponseSerializer(Root.self, decoder: XMLDecoder()).serialize(response).values
  }
}
