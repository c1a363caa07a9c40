import Foundation
import Stagecoach
import StagecoachXML

/// All that keys can say, none of which has to be there, so that many inputs decode.
struct Loose: Codable, Equatable {
  @XMLAttribute var id: Int?
  @XMLAttribute var name: String?
  @XMLAttribute var numbers: [Int8]?
  var item: [Item]
  var wrapped: [Number]
  var maybe: [Bool?]
  var grid: [[Int]]
  var date: Date?
  var data: Data?
  var url: URL?
  var decimal: Decimal?
  var space: String?
  var nested: [Loose]
  var any: XML.Element?
  var other: [Shape]

  enum CodingKeys: String, CodingKey {
    case id, name, numbers, item = "i", maybe = "m", grid = "g", date, data, url, decimal, nested, any
    case wrapped = "w/v", space = "a:s", other = "*"
  }
}

/// A number that equals itself, whatever it is.
struct Number: Codable, Equatable {
  var value: Double
  init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(Double.self) }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
  static func == (left: Self, right: Self) -> Bool {
    left.value == right.value || left.value.isNaN && right.value.isNaN
  }
}

struct Item: Codable, Equatable {
  @XMLAttribute var id: String?
  @XMLText var text: String
  var key: UInt16?
  enum CodingKeys: String, CodingKey { case id, text, key = "k" }
}

enum Shape: Codable, Equatable {
  case circle(Item)
  case rect(width: Int, height: Int?)
  case empty
  case list([Int])
}

struct Paragraph: Codable, Equatable {
  var content: [Inline]
  enum CodingKeys: String, CodingKey { case content = "node()" }
}

enum Inline: Codable, Equatable {
  case text(String)
  case em(Paragraph)
  case br
  enum CodingKeys: String, CodingKey { case text = "text()", em, br }
}

typealias Value = Codable & Equatable

private var kinds: [any Value.Type] {
  [
    Loose.self, Item.self, Shape.self, Paragraph.self, [String: String].self, [String: [Int]].self,
    [Item].self,
    String.self, Date.self, Data.self, XML.Element.self,
  ]
}

private let coders: [(decoder: XMLDecoder, encoder: XMLEncoder)] = {
  var other = XMLEncoder()
  other.keyCase = .capitalized
  other.namespaces = ["": "urn:d", "a": "urn:a"]
  other.nilStyle = .marked
  other.dataStyle = .hexadecimal
  other.dateStyle = .seconds
  return [XMLEncoder(), other].map { (XMLDecoder(reading: $0), $0) }
}()

/// Decodes a document from its bytes, from its tree and from its root as a value.
func compareValues(_ octets: UnsafeRawBufferPointer) {
  let bytes = Bytes(Array(octets))
  guard let document = try? XML.Document(parsing: bytes) else { preconditionFailure("events, and no tree") }
  let element = XML.Element(document)
  for (decoder, encoder) in coders {
    for kind in kinds {
      compare(
        kind,
        encoder,
        decoder,
        [
          ("bytes", { try $0.decode($1, from: bytes) }),
          ("a node", { try $0.decode($1, from: document.root) }),
          ("an element", { try $0.decode($1, from: element) }),
        ]
      )
    }
  }
}

/// Decodes a record from its tape and as a value.
func compareValues(_ record: XML.Record, _ element: XML.Element) {
  for (decoder, encoder) in coders {
    for kind in kinds {
      compare(
        kind,
        encoder,
        decoder,
        [
          ("a record", { try $0.decode($1, from: record) }),
          ("an element", { try $0.decode($1, from: element) }),
        ]
      )
    }
  }
}

private typealias Source = (name: String, decode: (XMLDecoder, any Value.Type) throws -> any Value)

private func compare(
  _ kind: any Value.Type,
  _ encoder: XMLEncoder,
  _ decoder: XMLDecoder,
  _ sources: [Source]
) {
  let values = sources.map { try? $0.decode(decoder, kind) }
  for (source, value) in zip(sources, values) {
    precondition(
      isSame(value, values[0]),
      "\(kind) from \(source.name): \(value as Any), from \(sources[0].name): \(values[0] as Any)"
    )
  }
  // An element has the name that it came with.
  guard kind != XML.Element.self, let value = values[0], let bytes = try? encoder.encode(value, root: "r")
  else {
    return
  }
  let again = try? decoder.decode(kind, from: bytes)
  // Characters that stand side by side in several texts become one.
  let isSame = isSame(again, value) || again.map { (try? encoder.encode($0, root: "r")) == bytes } ?? false
  precondition(
    isSame,
    "\(kind) \(value) became \(String(decoding: bytes, as: UTF8.self)), and that \(again as Any)"
  )
}

private func isSame(_ left: (any Value)?, _ right: (any Value)?) -> Bool {
  switch (left, right) {
  case (nil, nil): return true
  case (let left?, let right?): return isEqual(left, right)
  default: return false
  }
}

private func isEqual<Left: Equatable>(_ left: Left, _ right: any Value) -> Bool { right as? Left == left }
