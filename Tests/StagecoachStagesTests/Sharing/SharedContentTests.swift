import HTTPTypes
import Testing

@testable import StagecoachStages

/// Nobody gets the head of one response and the body of another.
@Suite struct SharedContentTests {
  @Test(arguments: [
    "ETag", "Last-Modified", "Content-Digest", "Repr-Digest", "Digest", "Content-MD5", "Content-Type",
    "Content-Length", "Content-Encoding",
  ])
  func eachFieldDecidesWhetherContentIsShared(name: String) throws {
    let field = try #require(HTTPField.Name(name))
    let first = HTTPResponse(status: .ok, headerFields: [field: "W/\"1\""])
    #expect(SharedContent(first).agrees(with: first))
    #expect(!SharedContent(first).agrees(with: HTTPResponse(status: .ok, headerFields: [field: "W/\"2\""])))
    #expect(!SharedContent(first).agrees(with: HTTPResponse(status: .ok)))
    #expect(!SharedContent(HTTPResponse(status: .ok)).agrees(with: first))
  }
}
