import Foundation
import HTTPTypes
import Stagecoach

/// Forms of parameters against Foundation's.
struct FormRows {
  let quick: Bool

  private static let pairs = (0..<100).map { ("field \($0)", "value & more = \($0)/ü") }

  func run() async throws -> [Row] {
    let serializer = FormRequestSerializer()
    let count = 500
    let costs = try await interleaved(rounds: quick ? 5 : 15, units: count) {
      for _ in 0..<count {
        let parameters = Parameters(Self.pairs.map { Parameters.Member(key: $0.0, value: .string($0.1)) })
        var request = Request.post("/")
        try serializer.serialize(parameters, into: &request)
      }
    } peer: {
      for _ in 0..<count {
        var components = URLComponents()
        components.queryItems = Self.pairs.map { URLQueryItem(name: $0.0, value: $0.1) }
        _ = Data((components.percentEncodedQuery ?? "").utf8)
      }
    }
    return [
      Row("form/100-parameters/cpu", unit: "µs", peerName: "Foundation.URLComponents", costs) { $0.cpu * 1e6 }
    ]
  }
}
