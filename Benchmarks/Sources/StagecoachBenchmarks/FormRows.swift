import Foundation
import HTTPTypes
import Stagecoach

/// Forms of parameters against Foundation's. Both sides make their parameters and write the same bytes: the keys are
/// in the order that the serializer brings them to.
struct FormRows {
  let quick: Bool

  private static let pairs = (0..<100).map { ("field \($0 + 100)", "value & more = \($0)/ü") }

  func run() async throws -> [Row] {
    guard try ours() == Bytes(peer()) else {
      throw ExchangeError(.requestSerialization, "the forms of the two sides differ")
    }
    let count = 500
    let costs = try await interleaved(rounds: quick ? 5 : 15, units: count) {
      for _ in 0..<count { _ = try ours() }
    } peer: {
      for _ in 0..<count { _ = peer() }
    }
    return [
      Row("form/100-parameters/cpu", unit: "µs", peerName: "Foundation.URLComponents", costs) { $0.cpu * 1e6 }
    ]
  }

  private func ours() throws -> Bytes? {
    let parameters = Parameters(Self.pairs.map { Parameters.Member(key: $0.0, value: .string($0.1)) })
    var request = Request.post("/")
    try FormRequestSerializer().serialize(parameters, into: &request)
    return request.body.bytes
  }

  private func peer() -> Data {
    var components = URLComponents()
    components.queryItems = Self.pairs.map { URLQueryItem(name: $0.0, value: $0.1) }
    return Data((components.percentEncodedQuery ?? "").utf8)
  }
}
