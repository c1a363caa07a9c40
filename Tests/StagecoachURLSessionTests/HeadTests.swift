import HTTPTypes
import Stagecoach
import StagecoachConformance
import StagecoachURLSession
import Testing

extension URLSessionTests {
  /// Heads of responses that contradict themselves, or are none.
  @Suite struct HeadTests {
    let transport = URLSessionTransport()

    @Test(arguments: ["0", "3", "7"])
    func aTransferCodingOverridesTheLengthAndEndsTheConnection(length: String) async throws {
      let server = try WireServer(
        answering: "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\nTransfer-Encoding: chunked\r\n\r\n"
          + "5\r\nhello\r\n0\r\n\r\n"
      )
      defer { server.stop() }
      for count in 1...2 {
        let (head, text) = try await transport.answer(server.request())
        #expect(head.status == .ok)
        #expect(text == "hello")
        #expect(server.connections.count == count)
      }
    }

    /// RFC 9110 5.6.1 and 8.6: a list of equal lengths is one of them, whatever blanks stand around its members.
    @Test(arguments: [" 5 ", " 5 , 5", " 5\t,\t5 \t"])
    func ignoresBlanksAroundLengths(length: String) async throws {
      let server = try WireServer(answering: "HTTP/1.1 200 OK\r\nContent-Length:\(length)\r\n\r\nhello")
      defer { server.stop() }
      let (head, text) = try await transport.answer(server.request())
      #expect(head.status == .ok)
      #expect(text == "hello")
    }

    @Test(arguments: ["2000", "1000", "0200", "099", "20x"])
    func aMalformedStatusIsAnError(status: String) async throws {
      let server = try WireServer(answering: "HTTP/1.1 \(status) OK\r\nContent-Length: 5\r\n\r\nhello")
      defer { server.stop() }
      let error = await failure { _ = try await transport.answer(server.request()) }
      #expect(error?.kind == .protocolViolation, "\(error.map { "\($0)" } ?? "")")
    }
  }
}
