import Foundation
import HTTPTypes
import Stagecoach
import StagecoachFixtures
import TestSupport
import Testing

/// What was recorded of a service with secrets is replayed to clients that have others, and verified.
struct RecordedLoginTests {
  private static let json: HTTPFields = [.contentType: "application/json"]

  /// A service with a login, whose answers depend on what it is sent.
  private func service(_ suffix: String) -> HandlerTransport {
    let token = Self.token("ada-\(suffix)")
    return HandlerTransport { request in
      let body = request.body.bytes.map { String(decoding: $0) } ?? ""
      switch request.head.path {
      case "/login":
        guard body.contains("right-Horse-\(suffix)") else {
          return Response(.unauthorized, fields: Self.json, body: .bytes(#"{"error": "no"}"#))
        }
        let fields: HTTPFields = [
          .contentType: "application/json", .setCookie: "session=s-9f8e7d6c5b4a\(suffix); HttpOnly",
        ]
        let text = #"{"access_token": "\#(token)", "pin": 48291, "expires_in": 3600, "user": {"id": 17}}"#
        return Response(.ok, fields: fields, body: .bytes(Bytes(text)))
      case "/me":
        guard request.fields[.authorization] == "Bearer \(token)" else { return Response(.unauthorized) }
        return Response(.ok, fields: Self.json, body: .bytes(#"{"name": "Ada"}"#))
      default: return Response(.notFound)
      }
    }
  }

  private static func token(_ subject: String) -> String {
    func part(_ text: String) -> String {
      Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        .replacing("=", with: "")
    }
    return [
      #"{"alg":"HS256","typ":"JWT"}"#, #"{"sub":"\#(subject)","exp":1900000000}"#, "s1gn4ture-of-\(subject)",
    ]
    .map(part).joined(separator: ".")
  }

  /// Logs in with a wrong password and the right one, and reads a page with the token.
  private func session(_ transport: any Transport, _ suffix: String) async throws -> [Int] {
    let client = try Client(Pipeline(over: transport) {}, base: "https://api.example.com/")
    var codes: [Int] = []
    var token = ""
    for password in ["wrong-Horse-\(suffix)", "right-Horse-\(suffix)"] {
      let login = Request(
        .post,
        "login",
        fields: Self.json,
        body: .bytes(Bytes(#"{"user": "ada", "password": "\#(password)"}"#))
      )
      let response = try await client.send(login)
      codes.append(response.status.code)
      let reply = try JSONValue(parsing: try await response.body.collect(upTo: 10_000).array)
      token = reply["access_token"]?.stringValue ?? token
    }
    let page = Request(.get, "me", fields: [.authorization: "Bearer \(token)"])
    codes.append(try await client.send(page).status.code)
    return codes
  }

  @Test func aRecordedLoginIsReplayedAndVerified() async throws {
    let folder = try ScratchDirectory()
    let recorder = Recorder(folder: folder.path)
    let recording = Pipeline(over: service("a1b2c3")) { recorder }
    let codes = try await session(recording, "a1b2c3")
    #expect(codes == [401, 200, 200])
    try await recorder.finish()
    let replay = try ReplayTransport(folder: folder.path)
    let manifest = try String(contentsOfFile: "\(folder.path)/scenario.json", encoding: .utf8)
    #expect(!manifest.contains("a1b2c3") && !manifest.contains("48291"), "\(manifest)")
    for suffix in ["a1b2c3", "other-77"] {
      #expect(try await session(replay, suffix) == codes)
      try replay.finish()
      replay.reset()
    }

    var verification = try Verification([replay.scenario], against: service("f0e1d2"))
    verification.redaction.secrets = ["PASSWORD-1": "wrong-Horse-f0e1d2", "PASSWORD-2": "right-Horse-f0e1d2"]
    let report = try await verification.run()
    #expect(report.isAgreed, "\(report)")
    for format in VerificationReport.FileFormat.allCases {
      let text = String(decoding: report.serialized(as: format), as: UTF8.self)
      #expect(!text.contains("f0e1d2"), "\(format)")
    }
  }
}
