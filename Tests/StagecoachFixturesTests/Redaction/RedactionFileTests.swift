import Foundation
import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@testable import StagecoachFixtures

/// The file `redaction.json`, and the options beside it: one meaning for all that reads or writes recordings.
@Suite struct RedactionFileTests {
  private let folder: ScratchDirectory

  init() throws { folder = try ScratchDirectory() }

  private func write(_ text: String, to name: String) throws {
    let url = URL(filePath: "\(folder.path)/\(name)")
    let parent = url.deletingLastPathComponent()
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  @Test func theNearestFileIsUsed() throws {
    try write(#"{"redact": ["tenant"]}"#, to: "redaction.json")
    try write(#"{"redact": ["$.a[*].b"], "keep": ["query.code", "sid"]}"#, to: "a/redaction.json")
    #expect(try RedactionOptions(for: "\(folder.path)/b/c").secretNames == ["tenant"])
    let near = try RedactionOptions(for: "\(folder.path)/a/b/c")
    #expect(near.secretNames == [] && near.secretPaths == ["$.a[*].b"])
    #expect(near.allowedPaths == ["query.code"] && near.allowedNames == ["sid"])
    // What is above a package is another project.
    try write("", to: "b/Package.swift")
    #expect(try RedactionOptions(for: "\(folder.path)/b/c").secretNames == [])
    try write("{}", to: "b/redaction.json")
    #expect(try RedactionOptions(for: "\(folder.path)/b").secretNames == [])
  }

  @Test(arguments: [
    #"{"redact": ["password=hunter2"]}"#, #"{"keep": ["q7Hw2LzX9bRt4KpV0sDmE8yU"]}"#,
    #"{"redact": ["ghp_%"]}"#,
    #"{"secrets": {"A": "b"}}"#, #"{"redact": {"tenant": "acme"}}"#, #"{"redact": [1]}"#,
    #"{"redact": [""]}"#, "[]",
    #"{"redact": "#,
  ])
  func aSecretValueInTheFileIsAnError(_ text: String) throws {
    let text = text.replacing("%", with: "16C7e42F292c6912E7710c838347Ae178B4a")
    try write(text, to: "redaction.json")
    let error = try #require(throws: ScenarioError.self) { try RedactionOptions(for: folder.path) }
    #expect("\(error)".contains("redaction.json"))
    // What may be a secret is not shown.
    #expect(!"\(error)".contains("hunter2") && !"\(error)".contains("q7Hw") && !"\(error)".contains("ghp_"))
  }

  private func record(to name: String, _ options: RedactionOptions = RedactionOptions()) async throws
    -> (RedactionSummary, String)
  {
    let recorder = Recorder(folder: "\(folder.path)/\(name)", redaction: options)
    let body = #"{"tenant":"acme","code":"FR","token":"Xk29dkfj3Lq8Zp1m","by":"hunter2"}"#
    let service = HandlerTransport { _ in
      Response(.ok, fields: [.contentType: "application/json"], body: .bytes(Bytes(body)))
    }
    let response = try await Pipeline(over: service) { recorder }.send(
      .get("https://api.example.com/a?pin=4829&user=b")
    )
    _ = try await response.body.collect(upTo: 1000)
    let summary = try await recorder.finish()
    return (summary, try String(contentsOfFile: "\(folder.path)/\(name)/scenario.json", encoding: .utf8))
  }

  @Test func aRecorderReadsItAndSaysWhatItDid() async throws {
    try write(#"{"redact": ["tenant"], "keep": ["$.token"]}"#, to: "redaction.json")
    var options = RedactionOptions()
    options.secrets["MAN"] = "hunter2"
    options.keep("query.pin")
    let (summary, manifest) = try await record(to: "a", options)
    #expect(manifest.contains(#""tenant": "SECRET-TENANT-1""#) && manifest.contains(#""by": "SECRET-MAN-1""#))
    #expect(manifest.contains("Xk29dkfj3Lq8Zp1m") && manifest.contains("?pin=4829&user=b"))
    #expect(
      summary.lines == [
        "replaced TENANT-1: reply.body $.tenant", "replaced MAN-1: reply.body $.by",
        "kept: reply.body $.token", "kept: request.target query.pin",
      ]
    )
    let (plain, text) = try await record(to: "b")
    #expect(!text.contains("Xk29dkfj3Lq8Zp1m") || plain.kept == ["reply.body $.token"])
  }

  @Test func aKeptValueThatIsASecretElsewhereIsReplaced() throws {
    var options = RedactionOptions()
    options.keep("X-Request-Token")
    let value = "Xk29dkfj3Lq8Zp1mWv7c"
    let fields: HTTPFields = [
      .init("X-Request-Token")!: value, .init("X-Other-Token")!: "Zt83mQx04Lq8Zp1mWv7c",
    ]
    let redactor = Redactor(options)
    let kept = RedactableMessage(response: fields)
    try redactor.learn([kept])
    let result = try redactor.redact(kept, side: "reply", listed: [])
    #expect(result.message.fields[.init("X-Request-Token")!] == value)
    #expect(result.summary.kept == ["reply.header x-request-token/#text"])
    try redactor.learn([RedactableMessage(response: [.init("X-Api-Key")!: value])])
    let other = try redactor.redact(kept, side: "reply", listed: [])
    #expect(
      other.message.fields[.init("X-Request-Token")!] == "SECRET-X_API_KEY-1" && other.summary.kept == []
    )
  }

  @Test(arguments: ["token", "$.token", "Authorization"])
  func whatIsKeptStaysWhole(_ entry: String) throws {
    var options = RedactionOptions()
    options.keep(entry)
    // The token of a known service in it, a JSON Web Token, and credentials.
    let github = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    let claims = String(
      decoding: Base64.encode(Array(#"{"password":"abc"}"#.utf8), urlSafe: true, padded: false),
      as: UTF8.self
    )
    let jwt = "eyJhbGciOiJIUzI1NiJ9.\(claims).c2lnbmF0dXJlLXNpZ25hdHVyZQ"
    for value in [github, jwt] {
      let message = RedactableMessage(
        response: [.authorization: "Bearer \(value)"],
        body: Bytes(#"{"token":"\#(value)"}"#),
        mediaType: .json
      )
      let redactor = Redactor(options)
      let result = try redactor.redact(message)
      let isField = entry == "Authorization"
      // The value is a secret at the other place, and so at both.
      #expect(!String(decoding: result.body ?? Bytes()).contains(value))
      var alone = message
      if isField { alone.body = nil } else { alone.fields = [:] }
      let other = try Redactor(options).redact(alone)
      #expect(other == alone, "\(entry)")
    }
  }

  @Test func aVerificationReadsTheFilesOfItsScenarios() async throws {
    let exchange = contractExchange(answer: #"{"tenant":"SECRET-TENANT-1"}"#)
    try contractScenario(exchange).write(folder: folder.path + "/contracts/a")
    try write(#"{"redact": ["tenant", "owner"]}"#, to: "contracts/a/redaction.json")
    let service = service(#"{"tenant":"acme","owner":"ada"}"#)
    let verification = try Verification(contract: folder.path + "/contracts", against: service)
    let report = try await verification.run()
    #expect(report.isAgreed)
    let text = String(decoding: report.serialized(as: .json), as: UTF8.self)
    #expect(!text.contains("acme") && !text.contains("ada") && text.contains("SECRET-OWNER-1"), "\(text)")
    try write(#"{"redact": ["a=b"]}"#, to: "contracts/a/redaction.json")
    #expect(throws: ScenarioError.self) {
      try Verification(contract: folder.path + "/contracts", against: service)
    }
  }

  @Test func aNameWithANumberIsOnePlaceholder() throws {
    var options = RedactionOptions()
    options.secrets = ["PASSWORD-2": "right-horse-1", "apiToken": "battery-staple-2"]
    let redactor = Redactor(options)
    let message = RedactableMessage(
      response: [:],
      body: Bytes(#"{"a":"right-horse-1","b":"battery-staple-2","password":"other-horse-3"}"#),
      mediaType: .json
    )
    #expect(
      try redactor.redact(message).body.map { String(decoding: $0) }
        == #"{"a":"SECRET-PASSWORD-2","b":"SECRET-API_TOKEN-1","password":"SECRET-PASSWORD-3"}"#
    )
  }

  @Test func lintKnowsTheOptions() throws {
    let answer = #"{"password":"hunter2","tenant":"acme","a":{"b":"Mr. Horse"}}"#
    try contractScenario(contractExchange(answer: answer)).write(folder: folder.path)
    func texts(_ options: RedactionOptions) throws -> [String] {
      try ScenarioLint(folder: folder.path, options).findings.map {
        $0.components(separatedBy: "01: ").last ?? ""
      }
    }
    var options = RedactionOptions()
    #expect(try texts(options) == ["reply.body $.password: a value with the name of a secret"])
    options.keep("password")
    #expect(try texts(options) == [])
    options.redact("$.tenant")
    #expect(try texts(options) == ["reply.body $.tenant: a value with the name of a secret"])
    options.secrets = ["MAN": "Mr. Horse", "TENANT": "acme"]
    #expect(
      try texts(options) == [
        "reply.body $.a.b: the secret MAN-1", "reply.body $.tenant: the secret TENANT-1",
      ]
        || texts(options) == [
          "reply.body $.tenant: the secret TENANT-1", "reply.body $.a.b: the secret MAN-1",
        ]
    )
  }
}
