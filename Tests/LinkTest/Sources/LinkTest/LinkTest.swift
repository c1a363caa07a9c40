import Stagecoach

/// Uses enough of the core that the linker has to bring in what the core needs.
@main
struct LinkTest {
  struct Note: Codable, Sendable, Equatable {
    var text: String
  }

  struct Failure: Error {
    var got: String
  }

  static func main() async throws {
    let transport = HandlerTransport { request in
      let body = try await request.body.collectForEcho()
      return Response(.ok, fields: [.contentType: "application/json"], body: .bytes(body))
    }
    let client = try Client(over: transport, base: "http://link.test/v1")
    let sent = Note(text: "Grüße")
    let echoed: Note = try await client.post("notes", .json(sent))
    guard echoed == sent else { throw Failure(got: "\(echoed)") }
    let target = transport.requests.first?.head.path
    guard target == "/v1/notes" else { throw Failure(got: target ?? "no request") }
    // Without the trait PublicSuffixes nothing is known of domains: a cookie is for its host only.
    let jar = CookieJar()
    let page = try TargetURI(parsing: "https://www.example.com/")
    let wide = try? jar.store("wide=1; Domain=example.com", from: page)
    guard wide == nil else { throw Failure(got: "a cookie for all of example.com") }
    try jar.store("narrow=1", from: page)
    guard jar.cookies().map(\.name) == ["narrow"] else { throw Failure(got: "\(jar.cookies())") }
    print("link test passed")
  }
}

extension Request.Body {
  /// The content as one piece.
  func collectForEcho() async throws -> Bytes {
    var bytes: [UInt8] = []
    let source = try makeSource()
    while let chunk = try await source.next() { bytes += [UInt8](chunk) }
    return Bytes(bytes)
  }
}
