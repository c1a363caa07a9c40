import Foundation
import HTTPTypes
import Stagecoach
import TestSupport
import Testing

/// The transport of the article "Writing a transport".
@Suite(.timeLimit(.minutes(1))) struct PlainTransportTests {
  private static func client() throws -> Client {
    try Client(Pipeline(over: PlainTransport()) { Validation() })
  }

  private static func failure(_ answer: String?, timeout: Duration? = nil) async throws -> ExchangeError.Kind
  {
    let server = try OneAnswer(answer)
    defer { server.stop() }
    var request = Request.get(server.url)
    request.options.headTimeout = timeout
    let error = try await #require(throws: ExchangeError.self) {
      try await client().value(for: request, as: .data)
    }
    #expect(error.stage == "PlainTransport")
    return error.kind
  }

  @Test(arguments: ["Content-Length: 5\r\n", ""])
  func contentIsReadToItsLengthOrToTheEndOfTheConnection(length: String) async throws {
    let server = try OneAnswer("HTTP/1.0 200 OK\r\nX-A: 1\r\nx-a:2\r\n\(length)\r\nhello")
    defer { server.stop() }
    var request = Request.post("\(server.url)/a?b=c", body: .bytes("content"))
    request.fields[HTTPField.Name("X-B")!] = "3"
    let response = try await Self.client().response(for: request, as: .data)
    #expect(response.value == "hello")
    #expect(response.fields[values: HTTPField.Name("X-A")!] == ["1", "2"])
    let sent = server.received
    #expect(sent.hasPrefix("POST /a?b=c HTTP/1.0\r\nHost: \(server.url.dropFirst(7))\r\n"))
    #expect(sent.contains("\r\nX-B: 3\r\n") && sent.contains("\r\nContent-Length: 7\r\n"))
  }

  @Test func aLongBodyIsReadAtThePaceOfItsReader() async throws {
    let server = try OneAnswer("HTTP/1.0 200 OK\r\n\r\n", repeating: 1 << 16, times: 256)
    defer { server.stop() }
    var count = 0
    for try await chunk in try await Self.client().send(.get(server.url)).body { count += chunk.count }
    #expect(count == 256 << 16)
  }

  @Test func aDroppedBodyEndsTheConnection() async throws {
    let server = try OneAnswer("HTTP/1.0 200 OK\r\n\r\n", repeating: 1 << 16, times: .max)
    defer { server.stop() }
    _ = try await Self.client().send(.get(server.url))
    #expect(await server.ended())
  }

  @Test func failuresHaveTheirKinds() async throws {
    #expect(try await Self.failure("HTTP/1.0 200 OK\r\nContent-Length: 9\r\n\r\nshort") == .incompleteBody)
    #expect(try await Self.failure("HTTP/1.0 200 OK\r\nX-A") == .connectionReset)
    #expect(try await Self.failure("SSH-2.0\r\n") == .protocolViolation)
    #expect(
      try await Self.failure("HTTP/1.0 200 OK\r\n\(String(repeating: "a", count: 1 << 20))")
        == .limit(.responseHead)
    )
    #expect(try await Self.failure(nil, timeout: .milliseconds(50)) == .timeout(.head))
    let error = try await #require(throws: ExchangeError.self) {
      try await Self.client().send(.get("http://127.0.0.1:1/"))
    }
    #expect(error.kind == .connectionRefused)
  }

  @Test func theArticleShowsThisTransport() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let code = try String(contentsOf: folder.appending(path: "PlainTransport.swift"), encoding: .utf8)
    let path = "../../Sources/Stagecoach/Stagecoach.docc/Writing-a-transport.md"
    let article = try String(contentsOf: folder.appending(path: path).standardized, encoding: .utf8)
    let parts = code.split(separator: "\n\n/// ").dropFirst()
    #expect(parts.count == 3)
    for part in parts { #expect(article.contains(part), "\(part.prefix(80))") }
  }
}

/// A server for one connection: reads a head, answers with bytes, and closes the connection.
private final class OneAnswer: Sendable {
  private let listener: Int32
  private let heads = Log<String>()
  private let end = AsyncStream<Void>.makeStream()
  let url: String

  var received: String { heads.all.joined() }

  /// - Parameters:
  ///   - answer: The answer; `nil` for none, with a connection that stays open.
  ///   - size: The size of a piece that follows it.
  ///   - times: How often the piece follows, unless the client closes the connection.
  init(_ answer: String?, repeating size: Int = 0, times: Int = 0) throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = listener
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) | listen(descriptor, 1) | getsockname(descriptor, $0, &length)
      }
    }
    try #require(status == 0)
    url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
    Thread.detachNewThread { [self] in
      serve(answer, size, times)
      end.continuation.finish()
    }
  }

  private func serve(_ answer: String?, _ size: Int, _ times: Int) {
    let client = accept(listener, nil, nil)
    guard client >= 0 else { return }
    defer { close(client) }
    var head: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 4096)
    while head.firstRange(of: Array("\r\n\r\n".utf8)) == nil {
      let count = recv(client, &bytes, bytes.count, 0)
      guard count > 0 else { return }
      head += bytes[..<count]
    }
    heads.add(String(decoding: head, as: UTF8.self))
    guard let answer else {
      // Until the client goes away.
      while recv(client, &bytes, bytes.count, 0) > 0 {}
      return
    }
    guard send(client, answer, answer.utf8.count, Int32(MSG_NOSIGNAL)) > 0 else { return }
    let piece = [UInt8](repeating: 0x61, count: size)
    for _ in 0..<times {
      var sent = 0
      while sent < size {
        let count = piece.withUnsafeBytes {
          send(client, $0.baseAddress! + sent, size - sent, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return }
        sent += count
      }
    }
    shutdown(client, Int32(SHUT_WR))
    while recv(client, &bytes, bytes.count, 0) > 0 {}
  }

  /// Waits until the connection has ended.
  func ended() async -> Bool {
    for await _ in end.stream {}
    return true
  }

  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }
}
