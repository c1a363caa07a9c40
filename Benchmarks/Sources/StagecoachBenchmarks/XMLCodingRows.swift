import Foundation
import GeneratedRows
import HTTPTypes
import Stagecoach
import StagecoachXML
import XMLCoder

/// Structs from XML, against XMLCoder, and against Foundation's decoder of the same rows as JSON.
struct XMLCodingRows {
  let quick: Bool

  private struct Item: Codable, Equatable, Sendable {
    var id: Int
    var name: String
    var city: String
    var wheels: Int
    var price: Double
    var open: Bool
    var note: String
  }

  private struct Rows: Codable, Equatable {
    var row: [Item]
  }

  func run() async throws -> [Row] {
    let count = 20_000
    let xml = Data(
      ("<?xml version=\"1.0\"?>\n<rows>\n" + (0..<count).map(GeneratedRows.xml).joined() + "</rows>\n").utf8
    )
    let bytes = Bytes(xml)
    let ours = { try StagecoachXML.XMLDecoder().decode(Rows.self, from: bytes) }
    let rows = try ours()
    let json = try JSONEncoder().encode(rows)
    let theirs = { try XMLCoder.XMLDecoder().decode(Rows.self, from: xml) }
    try XMLRows.check(rows.row.count == count && rows == theirs())
    let mebibytes = Double(xml.count) / 1_048_576
    let coder = try await interleaved(rounds: quick ? 3 : 7, units: 1) {
      try XMLRows.check(ours().row.count == count)
    } peer: {
      try XMLRows.check(theirs().row.count == count)
    }
    let foundation = try await interleaved(rounds: quick ? 7 : 21, units: 1) {
      try XMLRows.check(ours().row.count == count)
    } peer: {
      try XMLRows.check(JSONDecoder().decode(Rows.self, from: json).row.count == count)
    }
    return [
      Row("xml/decode/xmlcoder", unit: "MiB/s", peerName: "XMLCoder", coder) {
        mebibytes / $0.cpu
      },
      Row("xml/decode/json", unit: "ms", peerName: "JSONDecoder", foundation) {
        $0.cpu * 1e3
      },
    ]
  }
}
