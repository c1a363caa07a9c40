import Foundation
import Stagecoach

/// Query and JSON serialization against Foundation's.
struct SerializationRows {
  let quick: Bool

  struct Item: Codable, Sendable {
    var id: Int
    var name: String
    var tags: [String]
    var price: Double
    var active: Bool
  }

  static let items = (0..<80).map { index in
    Item(
      id: index,
      name: "item number \(index) with a name",
      tags: ["red", "green", "blue"],
      price: Double(index) * 1.25,
      active: index % 2 == 0
    )
  }

  func run() async throws -> [Row] {
    try await query() + untypedJSON() + encodeJSON()
  }

  private func query() async throws -> [Row] {
    let pairs = (0..<20).map { ("key \($0)", "value & more = \($0)/ü") }
    let encoder = QueryEncoder()
    let count = 2_000
    let costs = try await interleaved(rounds: quick ? 5 : 15, units: count) {
      for _ in 0..<count {
        let parameters = Parameters(pairs.map { Parameters.Member(key: $0.0, value: .string($0.1)) })
        _ = try encoder.encode(parameters)
      }
    } peer: {
      for _ in 0..<count {
        var components = URLComponents()
        components.queryItems = pairs.map { URLQueryItem(name: $0.0, value: $0.1) }
        _ = components.percentEncodedQuery
      }
    }
    return [
      Row("query/20-pairs/cpu", unit: "µs", peerName: "Foundation.URLComponents", costs) { $0.cpu * 1e6 }
    ]
  }

  private func untypedJSON() async throws -> [Row] {
    let data = try JSONEncoder().encode(Self.items)
    let bytes = [UInt8](data)
    let count = 300
    let costs = try await interleaved(rounds: quick ? 5 : 15, units: count) {
      for _ in 0..<count { _ = try bytes.withUnsafeBytes { try JSONValue(parsing: $0) } }
    } peer: {
      for _ in 0..<count { _ = try JSONSerialization.jsonObject(with: data) }
    }
    return [
      Row("json/parse-untyped-10KB/cpu", unit: "µs", peerName: "Foundation.JSONSerialization", costs) {
        $0.cpu * 1e6
      }
    ]
  }

  private func encodeJSON() async throws -> [Row] {
    let serializer = JSONRequestSerializer([Item].self)
    let encoder = JSONEncoder()
    let count = 300
    let costs = try await interleaved(rounds: quick ? 5 : 15, units: count) {
      for _ in 0..<count {
        var request = Request.post("/")
        try serializer.serialize(Self.items, into: &request)
      }
    } peer: {
      for _ in 0..<count { _ = try encoder.encode(Self.items) }
    }
    return [
      Row("json/encode-10KB/cpu", unit: "µs", peerName: "Foundation.JSONEncoder", costs) { $0.cpu * 1e6 }
    ]
  }
}
