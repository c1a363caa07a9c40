import Foundation
import Stagecoach
import StagecoachURLSession
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct URLRequestTests {
  private static func make(_ url: String = "https://api.example.com/v1/users?page=2#top") throws -> URLRequest
  {
    URLRequest(url: try #require(URL(string: url)))
  }

  @Test func methodURLFieldsAndContentAreTaken() throws {
    var urlRequest = try Self.make()
    urlRequest.httpMethod = "PUT"
    urlRequest.setValue("b", forHTTPHeaderField: "X-B")
    urlRequest.setValue("a", forHTTPHeaderField: "X-A")
    urlRequest.httpBody = Data("Grüße".utf8)
    let request = try Request(urlRequest)
    #expect(request.method == .put)
    #expect(request.head.scheme == "https")
    #expect(request.head.authority == "api.example.com")
    #expect(request.head.path == "/v1/users?page=2")
    #expect(request.fields.map { "\($0.name.rawName): \($0.value)" } == ["X-A: a", "X-B: b"])
    #expect(request.body.length == 7)
    #expect(try Request(Self.make()).method == .get)
  }

  @Test(arguments: ["users", "ftp://h/"]) func anotherURLIsRefused(url: String) throws {
    let urlRequest = try Self.make(url)
    #expect(throws: ExchangeError.self) { try Request(urlRequest) }
  }

  @Test func aStreamIsRefused() throws {
    var urlRequest = try Self.make()
    urlRequest.httpMethod = "POST"
    urlRequest.httpBodyStream = InputStream(data: Data("x".utf8))
    let streamed = urlRequest
    let error = #expect(throws: ExchangeError.self) { try Request(streamed) }
    #expect(error?.kind == .unsupported)
  }

  @Test func foundationsDataAndArraysGoInAndOut() async throws {
    let transport = HandlerTransport { request in Response(.ok, body: .bytes(try await read(request.body))) }
    let client = try Client(over: transport, base: "http://h/")
    let answer = try await client.post("x", .data(Data([1, 2, 3])), as: .data)
    #expect([UInt8](answer) == [1, 2, 3])
    #expect(Data(answer) == Data([1, 2, 3]))
  }

  private func read(_ body: Request.Body) async throws -> Bytes {
    let source = try body.makeSource()
    var all: [UInt8] = []
    while let chunk = try await source.next() { all += [UInt8](chunk) }
    return Bytes(all)
  }
}
