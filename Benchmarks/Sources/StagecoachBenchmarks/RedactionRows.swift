import Foundation
import HTTPTypes
import Stagecoach
import StagecoachFixtures
import StagecoachXML

/// Recording contents without their secrets, against reading them, and answering a login whose secrets were replaced.
struct RedactionRows {
  let quick: Bool
  let wants: (String) -> Bool

  private static let logins = 1_000

  func run() async throws -> [Row] {
    var rows: [Row] = []
    if wants("redact/") { rows += try await redactRows() }
    if wants("replay/login/") { rows += try await loginRows() }
    return rows
  }

  // MARK: Contents

  private enum Content: String, CaseIterable {
    case names, attributes, page

    var type: String {
      switch self {
      case .names: "application/json"
      case .attributes: "application/xml"
      case .page: "text/html"
      }
    }

    var text: String {
      switch self {
      case .names:
        let members = (0..<10_000).map { "\"name_\($0)_of_member\": \"the value with number \($0)\"" }
        return "{\(members.joined(separator: ", "))}"
      case .attributes:
        let items = (0..<14_000).map {
          "<item id=\"\($0)\" name=\"item\($0)\" kind=\"small and blue\" price=\"7.50\"/>"
        }
        return "<items>\(items.joined())</items>"
      case .page:
        let items = (0..<5_000).map { number in
          """
          <div class="card" id="c\(number)"><a href="/items/\(number)?ref=list&amp;page=2">An item of the list</a>
          <p>It is small &amp; blue, in line \(number).</p><img src="/images/\(number).png" alt="An item"></div>

          """
        }
        return "<!doctype html><html><head><title>Items</title></head><body>\(items.joined())</body></html>"
      }
    }

    /// What it costs to read the content alone.
    func read(_ bytes: Bytes) throws {
      switch self {
      case .names: _ = try JSONSerialization.jsonObject(with: Data([UInt8](bytes)))
      case .attributes: _ = try XML.Document(parsing: bytes)
      case .page: _ = try XML.Document(parsingHTML: bytes)
      }
    }
  }

  private func redactRows() async throws -> [Row] {
    var rows: [Row] = []
    for content in Content.allCases {
      let bytes = Bytes([UInt8](content.text.utf8))
      let handler = HandlerTransport(recordLimit: 0) { _ in
        Response(.ok, fields: [.contentType: content.type], body: .bytes(bytes))
      }
      let costs = try await interleaved(rounds: quick ? 3 : 9, units: 1) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "stagecoach-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let recorder = Recorder(folder: folder, commit: .finish)
        let response = try await Pipeline(over: handler) { recorder }.send(Request(.get, "http://test/"))
        _ = try await response.body.collect(upTo: 4 << 20)
        try await recorder.finish()
      } peer: {
        try content.read(bytes)
      }
      let megabytes = Double(bytes.count) / 1e6
      rows.append(
        Row("redact/\(content.rawValue)/cpu", unit: "ms/MB", peerName: "reading it", costs) {
          $0.cpu * 1e3 / megabytes
        }
      )
    }
    return rows
  }

  // MARK: Logins

  private func loginRows() async throws -> [Row] {
    var login = Scenario.Exchange(
      id: "1",
      request: Scenario.Request(
        "POST",
        "http://test/login",
        fields: [.contentType: "application/x-www-form-urlencoded"]
      ),
      reply: Scenario.Reply(
        Scenario.Head(HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"])),
        body: Scenario.Body(Bytes(#"{"access_token": "SECRET-ACCESS_TOKEN-1"}"#), type: "application/json")
      )
    )
    login.request.body = Scenario.Body(
      Bytes("grant_type=password&username=ada&password=SECRET-PASSWORD-1"),
      type: "application/x-www-form-urlencoded"
    )
    login.times = .any
    var scenario = Scenario()
    scenario.exchanges = [login]
    let replay = try ReplayTransport(scenario)
    let handler = HandlerTransport(recordLimit: 0) { _ in
      Response(
        .ok,
        fields: [.contentType: "application/json"],
        body: .bytes(Bytes(#"{"access_token": "x"}"#))
      )
    }
    var request = Request(
      head: HTTPRequest(
        method: .post,
        scheme: "http",
        authority: "test",
        path: "/login",
        headerFields: [.contentType: "application/x-www-form-urlencoded"]
      )
    )
    request.body = .bytes(Bytes("grant_type=password&username=ada&password=a7-live-password"))
    let sent = request
    let costs = try await interleaved(rounds: quick ? 5 : 15, units: Self.logins) {
      // What it remembers of the requests would grow with the rounds.
      replay.reset()
      for _ in 0..<Self.logins { _ = try await replay.send(sent).body.collect(upTo: 2048) }
    } peer: {
      for _ in 0..<Self.logins { _ = try await handler.send(sent).body.collect(upTo: 2048) }
    }
    return [Row("replay/login/cpu", unit: "ns/request", peerName: "HandlerTransport", costs) { $0.cpu * 1e9 }]
  }
}
