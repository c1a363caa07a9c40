import Foundation
import HTTPTypes
import StagecoachFormats
import StagecoachScenarios
import TestSupport
import Testing

@testable import StagecoachFixturesGenerator

struct AccessorSourceTests {
  private let folder: ScratchDirectory

  init() throws { folder = try ScratchDirectory() }

  private func write(_ name: String, title: String? = nil, exchanges: Int = 1) throws {
    var scenario = Scenario(title: title)
    for number in 0..<exchanges {
      let reply = Scenario.Reply(Scenario.Head(HTTPResponse(status: .ok)))
      let request = Scenario.Request("GET", "http://a/\(number)")
      scenario.exchanges.append(.init(id: "\(number)", request: request, reply: reply))
    }
    try scenario.write(folder: "\(folder.path)/\(name)")
  }

  private func source(_ product: Product = .accessors) throws -> String {
    try product.source(of: folder.path)
  }

  @Test func foldersAreTypesAndScenariosAreConstants() throws {
    try write("users/get-user", title: "a `user`\nis read")
    let file = "\(folder.path)/users/get-user/scenario.json"
    let digest = SHA256.hash([UInt8](try Data(contentsOf: URL(filePath: file)))).hexadecimal
    #expect(
      try source() == """
        // Generated from the scenarios in \(folder.path).

        public import StagecoachFixtures

        extension Fixtures {
          /// The folder of the fixtures.
          public static let root = "\(folder.path)"

          /// The SHA-256 of each file of the fixtures, by its path below the root.
          public static let index: [String: String] = [
            "users/get-user/scenario.json": "\(digest)",
          ]

          /// A folder of fixtures.
          public enum Users {
            /// a \\`user\\` is read: 1 exchange.
            ///
            /// - 0: GET http://a/0, 200
            public static let getUser = Fixture("users/get-user", in: Fixtures.root, index: Fixtures.index)
          }
        }

        """
    )
  }

  @Test func namesAreIdentifiers() {
    let names = [
      ("get-user", "getUser"), ("2fa", "_2fa"), ("default", "default_"), ("a.b c", "aBC"), ("Über", "über"),
      ("--", "_"), ("index", "index_"), ("日本", "日本"),
    ]
    for (name, identifier) in names {
      #expect(SwiftText.identifier(name, capitalized: false) == identifier)
    }
    #expect(SwiftText.identifier("type", capitalized: true) == "Type_")
    #expect(SwiftText.literal("a\"\\\n\u{202e}(b)") == #""a\"\\\u{a}\u{202e}(b)""#)
    #expect(SwiftText.comment("a\n*/ <b>") == #"a \*/ \<b\>"#)
  }

  @Test func namesThatAreTheSameInSwiftAreRefused() throws {
    try write("get-user")
    try write("get_user")
    let failure = try #require(throws: GeneratorFailure.self) { try source() }
    #expect(
      failure.lines == [
        "\(folder.path)/get_user/scenario.json:1: error: get_user and get-user are both called getUser in Swift; "
          + "rename one of the folders"
      ]
    )
  }

  @Test func anEmptyFolderHasAnEmptyIndex() throws {
    #expect(try source().contains("= [\n    :\n  ]"))
    #expect(try !source(.contractTests).contains("@Test"))
  }

  @Test func everyExchangeHasATest() throws {
    try write("a", exchanges: 2)
    try write("b \"c\"")
    let text = try source(.contractTests)
    #expect(text.components(separatedBy: "@Test(").count == 4)
    #expect(text.contains(#"@Test("a 1: GET http://a/1") func exchange2() async throws {"#))
    #expect(text.contains(#"static let root = "\#(folder.path)""#))
    #expect(text.contains(#"Fixture("b \"c\"", in: Self.root, index: Self.index)"#))
    #expect(
      text.contains(
        #".verify(exchange: "0", against: contractSubject(), states: contractStates(), redaction: contractRedaction())"#
      )
    )
    #expect(text.contains(#"@Suite("Contracts") struct"#))
  }

  @Test func testsOfStatesRunOneAfterTheOtherAndRecordedFailuresAreDisabled() throws {
    var scenario = Scenario()
    let request = Scenario.Request("GET", "http://a/")
    var asked = Scenario.Exchange(
      id: "1",
      request: request,
      reply: .init(Scenario.Head(HTTPResponse(status: .ok)))
    )
    asked.requires = [Scenario.State(name: "a user exists", value: "Ada")]
    scenario.exchanges = [asked, Scenario.Exchange(id: "2", request: request, reply: .init(.init(.reset)))]
    try scenario.write(folder: "\(folder.path)/a")
    let text = try source(.contractTests)
    #expect(text.contains(#"@Suite("Contracts", .serialized) struct"#))
    #expect(text.contains(#"@Test("a 1: GET http://a/") func"#))
    #expect(text.contains(#".disabled("the recorded reply is not complete (reset)")) func exchange2"#))
  }

  @Test func malformedFixturesAreNamedWithFileAndLine() throws {
    try write("good")
    try write("syntax")
    try write("digest")
    let (syntax, digest) = ("\(folder.path)/syntax/scenario.json", "\(folder.path)/digest/scenario.json")
    try "{\n  \"format\": \"stagecoach-scenario/1\",\n".write(
      toFile: syntax,
      atomically: true,
      encoding: .utf8
    )
    let manifest = """
      {
        "format": "stagecoach-scenario/1",
        "exchanges": [
          {
            "id": "1",
            "request": { "method": "GET", "target": "http://a/" },
            "reply": [
              { "status": 200 },
              { "body": { "file": "gone.txt" } }
            ]
          }
        ]
      }
      """
    try manifest.write(toFile: digest, atomically: true, encoding: .utf8)
    let failure = try #require(throws: GeneratorFailure.self) { try source() }
    #expect(failure.lines.count == 2)
    #expect(failure.lines[0] == "\(digest):9: error: gone.txt: there is no such file")
    #expect(failure.lines[1].hasPrefix("\(syntax):3: error: "))
    let missing = try #require(throws: GeneratorFailure.self) {
      try Product.accessors.source(of: "\(folder.path)/none")
    }
    #expect(missing.lines == ["\(folder.path)/none:1: error: the folder does not exist or cannot be read"])
  }
}
