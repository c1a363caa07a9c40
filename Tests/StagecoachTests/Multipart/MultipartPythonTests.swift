import Foundation
import HTTPTypes
import Stagecoach
import Testing

/// What we write, read by a parser that is not ours: the `email` package of Python, and what it writes, read by us.
@Suite(.enabled(if: Python.executable != nil, "python3 is not installed: these tests are not run"))
struct MultipartPythonTests {
  @Test func pythonReadsWhatWeWrite() async throws {
    let directory = try ScratchDirectory()
    let binary = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    let path = try directory.file("binary.png", binary)
    let parts: [MultipartBody.Part] = [
      .text("v\u{E4}lue\r\n--x", name: "text"), .text("", name: "empty"), try .file(path, name: "file"),
      MultipartBody.Part(
        name: "stream",
        fileName: "s.txt",
        mediaType: .plainText,
        body: .stream(length: nil) { chunks(["a\r\n", "\r\nb"]) }
      ),
    ]
    var request = Request(.post, "/")
    try RequestContent.multipart(.form(parts)).apply(to: &request)
    let head = "MIME-Version: 1.0\r\nContent-Type: \(request.fields[.contentType] ?? "")\r\n\r\n"
    let message = try await Array(head.utf8) + read(request.body).array
    let answer = try Python.run(
      """
      import email, email.policy, json, sys
      message = email.message_from_bytes(sys.stdin.buffer.read(), policy=email.policy.HTTP)
      assert not message.defects, message.defects
      print(json.dumps([[p.get_param('name', header='content-disposition'), p.get_filename(), p.get_content_type(),
          p.get_payload(decode=True).hex()] for p in message.iter_parts()]))
      """,
      input: message
    )
    let read = try JSONDecoder().decode([[String?]].self, from: answer)
    func hex(_ octets: [UInt8]) -> String {
      octets.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
    #expect(
      read == [
        ["text", nil, "text/plain", hex(Array("v\u{E4}lue\r\n--x".utf8))], ["empty", nil, "text/plain", ""],
        ["file", "binary.png", "image/png", hex(binary)],
        ["stream", "s.txt", "text/plain", hex(Array("a\r\n\r\nb".utf8))],
      ]
    )
  }

  @Test(arguments: ["\\r\\n", "\\n"])
  func weReadWhatPythonWrites(lineEnd: String) throws {
    let answer = try Python.run(
      """
      import email.policy, sys
      from email.mime.multipart import MIMEMultipart
      from email.mime.text import MIMEText
      from email.mime.application import MIMEApplication
      message = MIMEMultipart('mixed', boundary='py==boundary', policy=email.policy.HTTP.clone(linesep='\(lineEnd)'))
      message.preamble = 'preamble'
      message.epilogue = 'epilogue'
      message.attach(MIMEText('first', 'plain', 'us-ascii'))
      second = MIMEApplication(bytes(range(256)))
      second.add_header('Content-Disposition', 'attachment', filename=('utf-8', '', 'na\\u00efve.bin'))
      message.attach(second)
      inner = MIMEMultipart('alternative', boundary='py==boundary-2')
      inner.attach(MIMEText('inner', 'html', 'us-ascii'))
      message.attach(inner)
      text = message.as_bytes()
      sys.stdout.buffer.write(text[text.index(b'\(lineEnd)\(lineEnd)') + len(b'\(lineEnd)\(lineEnd)'):])
      """,
      input: []
    )
    let type = MediaType("multipart/mixed; boundary=\"py==boundary\"")
    let parts = try MultipartPart.all(in: Bytes(answer), of: type)
    #expect(
      parts.map(\.mediaType?.essence.description) == [
        "text/plain", "application/octet-stream", "multipart/alternative",
      ]
    )
    #expect(parts.first?.content == "first")
    #expect(parts.dropFirst().first?.fileName == "na\u{EF}ve.bin")
    let base64 = parts.dropFirst().first.map { String(decoding: $0.content) } ?? ""
    #expect(Data(base64Encoded: base64, options: .ignoreUnknownCharacters) == Data(0...255))
    let inner = try #require(parts.last)
    let innermost = try MultipartPart.all(in: inner.content, of: inner.mediaType)
    #expect(innermost.map { String(decoding: $0.content) } == ["inner"])
  }
}

/// The interpreter, where there is one.
enum Python {
  static let executable: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .map { "\($0)/python3" }.first { FileManager.default.isExecutableFile(atPath: $0) }

  struct Failure: Error { let status: Int32 }

  /// What a script prints when it is given some input.
  static func run(_ script: String, input: [UInt8]) throws -> Data {
    let directory = try ScratchDirectory()
    let file = try directory.file("input", input)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: executable ?? "python3")
    process.arguments = ["-c", script]
    process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: file))
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let answer = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(status: process.terminationStatus) }
    return answer
  }
}
