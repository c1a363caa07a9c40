import Foundation
import HTTPTypes
import Stagecoach
import StagecoachFixtures

/// Replaying and recording against a transport that answers from a closure.
struct FixtureRows {
  let quick: Bool

  /// The exchanges of the scenario, each with 1 KB of content.
  private static let exchanges = 1_000
  private static let requests = 10_000

  func run() async throws -> [Row] {
    let content = Bytes([UInt8](repeating: 0x61, count: 1024))
    var scenario = Scenario()
    for number in 0..<Self.exchanges {
      let head = Scenario.Head(HTTPResponse(status: .ok, headerFields: [.contentType: "text/plain"]))
      var exchange = Scenario.Exchange(
        id: "\(number)",
        request: Scenario.Request("GET", "http://test/items/\(number)?page=1", fields: [.accept: "*/*"]),
        reply: Scenario.Reply(head, body: Scenario.Body(content, type: "text/plain"))
      )
      exchange.times = .any
      scenario.exchanges.append(exchange)
    }
    let replay = try ReplayTransport(scenario)
    let handler = HandlerTransport(recordLimit: 0) { _ in
      Response(.ok, fields: [.contentType: "text/plain"], body: .bytes(content))
    }
    var generator = SystemRandomNumberGenerator()
    let order = (0..<Self.requests).map { _ in
      Request(
        head: HTTPRequest(
          method: .get,
          scheme: "http",
          authority: "test",
          path: "/items/\(Int.random(in: 0..<Self.exchanges, using: &generator))?page=1",
          headerFields: [.accept: "*/*"]
        )
      )
    }
    return try await replayRows(replay, handler, order) + recordRows(handler, order)
  }

  private func send(_ requests: [Request], over transport: any Transport) async throws {
    for request in requests { _ = try await transport.send(request).body.collect(upTo: 2048) }
  }

  private func replayRows(
    _ replay: ReplayTransport,
    _ handler: HandlerTransport,
    _ order: [Request]
  ) async throws -> [Row] {
    let costs = try await interleaved(rounds: quick ? 5 : 15, units: order.count) {
      // What it remembers of the requests would grow with the rounds.
      replay.reset()
      try await send(order, over: replay)
    } peer: {
      try await send(order, over: handler)
    }
    return [
      Row("replay/thousand/cpu", unit: "ns/request", peerName: "HandlerTransport", costs) { $0.cpu * 1e9 }
    ]
  }

  /// Without the writing of the folder, which is not on the path of a request.
  private func recordRows(_ handler: HandlerTransport, _ order: [Request]) async throws -> [Row] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "stagecoach-\(UUID())").path
    let requests = Array(order.prefix(1000))
    let peer = Pipeline(over: handler) {}
    let costs = try await interleaved(rounds: quick ? 5 : 15, units: requests.count) {
      let recorder = Recorder(folder: folder, commit: .finish)
      try await send(requests, over: Pipeline(over: handler) { recorder })
    } peer: {
      try await send(requests, over: peer)
    }
    return [Row("record/stage/cpu", unit: "µs/request", peerName: "no recorder", costs) { $0.cpu * 1e6 }]
  }
}
