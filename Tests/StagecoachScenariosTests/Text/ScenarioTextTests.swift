import Foundation
import HTTPTypes
import StagecoachFormats
import StagecoachScenarios
import TestSupport
import Testing

/// Exchanges that were written by hand.
struct ScenarioTextTests {
  private static let text = """
    # Two exchanges.
    ### Get a user
    GET https://api.test/users/42?a=b HTTP/1.1
    Accept: application/json

    ###
    HTTP/1.1 200 OK
    Content-Type: application/json
    X-Long: one
     two

    {
      "id": 42
    }

    ### Make one
    // A comment
    POST /users
    Host: api.test:8080
    Content-Type: text/plain

    name
    # no comment

    ###
    HTTP/2 204

    """

  @Test(arguments: ["\n", "\r\n"])
  func exchangesAreRead(_ lineBreak: String) throws {
    let folder = try ScratchDirectory()
    let path = try folder.file("users.http", Array(Self.text.replacing("\n", with: lineBreak).utf8))
    let scenario = try Scenario(folder: path)
    try #require(scenario.exchanges.map(\.id) == ["01", "02"])
    let (first, second) = (scenario.exchanges[0], scenario.exchanges[1])
    #expect(first.request.method == "GET" && first.request.target == "{api}/users/42?a=b")
    #expect(first.request.version == "1.1" && first.request.fields[.accept] == "application/json")
    #expect(first.request.body == nil)
    #expect(first.reply.head?.response.status.reasonPhrase == "OK")
    #expect(first.reply.head?.response.headerFields[HTTPField.Name("X-Long")!] == "one two")
    let json = ["{", "  \"id\": 42", "}"].joined(separator: lineBreak)
    #expect(first.reply.body?.bytes == Bytes(json) && first.reply.body?.type == "application/json")
    #expect(scenario.url(of: second.request.target) == "http://api.test:8080/users")
    #expect(second.request.body?.bytes == Bytes("name\(lineBreak)# no comment"))
    #expect(second.reply.head?.version == "2.0" && second.reply.body == nil)
    // As a folder it is the same scenario.
    try scenario.write(folder: "\(folder.path)/written.http")
    #expect(try Scenario(folder: "\(folder.path)/written.http").exchanges == scenario.exchanges)
  }

  @Test(arguments: [
    ("GET http://a.test/\n", 1), ("\n\nHTTP/1.1 200 OK\n", 3), ("GET /a\n\n###\nHTTP/1.1 200 OK\n", 1),
    ("GET http://a.test/\n\n###\nHTTP/1.1 99 OK\n", 4), ("G(T http://a.test/\n", 1), ("", 1),
    ("### only\n", 1),
    ("GET http://a.test/\nno field\n", 2), ("GET http://a.test/\n\n###\nGET http://a.test/\n", 1),
  ])
  func errorsNameTheLine(_ text: String, _ line: Int) throws {
    let folder = try ScratchDirectory()
    let path = try folder.file("a.http", Array(text.utf8))
    let error = try #require(throws: ScenarioError.self) { try Scenario(folder: path) }
    #expect(error.kind == .invalid && error.line == line && error.file == path, "\(error)")
  }

  @Test func aMissingFileIsAnError() throws {
    let folder = try ScratchDirectory()
    #expect(throws: ScenarioError.self) { try Scenario(folder: "\(folder.path)/none.http") }
  }
}
