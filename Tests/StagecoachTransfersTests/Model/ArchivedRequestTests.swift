import Foundation
import HTTPTypes
import StagecoachCore
import StagecoachResilience
import StagecoachSerializers
import StagecoachStages
import TestSupport
import Testing

@testable import StagecoachTransfers

@Suite struct ArchivedRequestTests {
  private let client: Client

  init() throws {
    client = try Client(Pipeline(over: HandlerTransport { _ in Response(.ok) }) {}, base: "http://test/")
  }

  private func restored(_ request: Request, sending content: RequestContent? = nil, withSecrets: Bool = false)
    throws -> (request: Request, snapshot: TransferSnapshot)
  {
    let transfer = client.transfer(request, sending: content, as: .data)
    let data = try transfer.snapshot(includingSecrets: withSecrets).encoded
    let snapshot = try TransferSnapshot(decoding: data)
    return (try client.restore(snapshot, as: .data).request, snapshot)
  }

  @Test func secretsAreLeftOutUnlessAskedFor() throws {
    var request = Request(.put, "http://user:password@test/a@b//c@d?x=1#f")
    let team = try #require(HTTPField.Name("X-Team"))
    let mine = try #require(HTTPField.Name("X-Mine"))
    request.fields[.accept] = "text/plain"
    let secrets = ["Authorization", "Cookie", "Proxy-Authorization", "X-Api-Key", "X-Team", "X-Mine"]
    for name in secrets { try request.addField(name, "hidden") }
    request.options.sensitiveFields = [mine]
    client.updateDefaults { $0.options.sensitiveFields = [team] }
    let (plain, snapshot) = try restored(request)
    #expect(plain.fields == [.accept: "text/plain"])
    #expect(plain.reference == "http://test/a@b//c@d?x=1#f")
    #expect(snapshot.omittedFields == secrets.sorted())
    let text = String(decoding: try snapshot.encoded, as: UTF8.self)
    #expect(!text.contains("hidden") && !text.contains("password@"))
    #expect(plain.options.sensitiveFields == [mine])

    let (whole, complete) = try restored(request, withSecrets: true)
    #expect(whole.fields == request.fields)
    #expect(whole.reference == request.reference)
    #expect(complete.omittedFields == [])
  }

  @Test func fieldsKeepTheirOrderCaseAndDuplicates() throws {
    var request = Request.get("films?q=1")
    for (name, value) in [("X-B", "1"), ("x-a", "2"), ("X-B", "3"), ("Empty", "")] {
      try request.addField(name, value)
    }
    let (copy, _) = try restored(request)
    #expect(copy.fields.map(\.name.rawName) == ["X-B", "x-a", "X-B", "Empty"])
    #expect(copy.fields.map(\.value) == ["1", "2", "3", ""])
    #expect(copy.reference == "films?q=1")
  }

  @Test(arguments: [
    ("//u:p@h/a", "//h/a"), ("http://u@h?x", "http://h?x"), ("a//b@c", "a//b@c"),
    ("a?http://u:p@h", "a?http://u:p@h"),
    ("x:y//u@h", "x:y//u@h"), ("/a@b", "/a@b"),
  ])
  func onlyUserInformationIsRemovedFromAURL(_ reference: String, _ expected: String) throws {
    #expect(try restored(.get(reference)).request.reference == expected)
  }

  @Test func aCompleteHeadBecomesAURL() throws {
    let head = HTTPRequest(method: .get, scheme: "https", authority: "h:8443", path: "/a?b")
    #expect(try restored(Request(head: head)).request.reference == "https://h:8443/a?b")
    let star = HTTPRequest(method: .options, scheme: "http", authority: "h", path: "*")
    let error = #expect(throws: ExchangeError.self) { try restored(Request(head: star)) }
    #expect(error?.kind == .invalidRequest)
  }

  @Test func contentInMemoryIsKept() throws {
    let bytes: [UInt8] = Array(0...255)
    #expect(try restored(.put("a", body: .bytes(Bytes(bytes)))).request.body.bytes?.array == bytes)
    #expect(try restored(.put("a", body: .bytes(""))).request.body.isEmpty == false)
    #expect(try restored(.get("a")).request.body.isEmpty)
    // Encoded content is kept as its bytes and fields.
    let (json, _) = try restored(.post("a"), sending: .json(["a": 1]))
    #expect(json.body.bytes?.array == Array(#"{"a":1}"#.utf8))
    #expect(json.fields[.contentType] == "application/json")
  }

  @Test func aFileIsKeptByItsPathAndRange() async throws {
    let directory = try ScratchDirectory()
    let path = try directory.file("body", Array("0123456789".utf8))
    let (whole, snapshot) = try restored(.put("a", body: try .file(path)))
    #expect(whole.body.fileRange?.path == path)
    #expect(whole.body.fileRange?.range == nil)
    #expect(
      try restored(.put("a", body: try .file(path, range: 2..<5))).request.body.fileRange?.range == 2..<5
    )
    try FileManager.default.removeItem(atPath: path)
    let error = #expect(throws: ExchangeError.self) { try client.restore(snapshot, as: .data) }
    #expect(error?.kind == .file)
  }

  @Test func aStreamCannotBeArchived() throws {
    let body = Request.Body.stream(length: nil) { AsyncStream<Bytes> { $0.finish() } }
    let error = #expect(throws: ExchangeError.self) { try restored(.put("a", body: body)) }
    #expect(error?.kind == .bodyNotReplayable)
    #expect(error?.advice != nil)
  }

  @Test func optionsAreKeptOrNamed() throws {
    var request = Request.get("a")
    request.options.connectTimeout = .milliseconds(1)
    request.options.poolTimeout = nil
    request.options.headTimeout = .seconds(2)
    request.options.idleTimeout = .nanoseconds(3)
    request.options.totalTimeout = .seconds(Int64.max)
    request.options.bodyLimit = 5
    request.options.errorBodyLimit = 6
    request.options.requestHeadLimit = 7
    request.options.elementLimit = 8
    request.options.authenticationAttempts = 9
    request.options.fileBodyLimit = nil
    request.options.redirectLimit = 10
    request.options.coalesces = false
    request.options.usesStoredCredentials = false
    request.options.usesCircuitBreaker = false
    request.options.isIdempotent = true
    request.options.priority = .high
    request.options.sensitiveFields = [.server]
    let names = Set(request.options.namesSetHere)
    let (copy, snapshot) = try restored(request)
    #expect(names.count == 18)
    #expect(Set(copy.options.namesSetHere) == names)
    #expect(snapshot.omittedOptions == [])
    #expect(copy.options.connectTimeout == .milliseconds(1))
    #expect(copy.options.poolTimeout == nil)
    #expect(copy.options.headTimeout == .seconds(2))
    #expect(copy.options.idleTimeout == .nanoseconds(3))
    #expect(copy.options.totalTimeout == .nanoseconds(Int64.max))
    #expect(copy.options.bodyLimit == 5)
    #expect(copy.options.errorBodyLimit == 6)
    #expect(copy.options.requestHeadLimit == 7)
    #expect(copy.options.elementLimit == 8)
    #expect(copy.options.authenticationAttempts == 9)
    #expect(copy.options.fileBodyLimit == nil)
    #expect(copy.options.redirectLimit == 10)
    #expect(!copy.options.coalesces)
    #expect(!copy.options.usesStoredCredentials)
    #expect(!copy.options.usesCircuitBreaker)
    #expect(copy.options.isIdempotent == true)
    #expect(copy.options.priority == .high)
    #expect(copy.options.sensitiveFields == [.server])

    request.options.credential = Credential(user: "u", password: "p")
    request.options.monitors = []
    let (_, named) = try restored(request)
    #expect(named.omittedOptions == ["credential", "monitors"])
  }
}
