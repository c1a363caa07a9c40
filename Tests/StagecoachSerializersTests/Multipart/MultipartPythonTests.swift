import Foundation
import HTTPTypes
import Stagecoach
import TestSupport
import Testing

/// What we write, read by parsers that are not ours, and what Python's `email` package writes, read by us.
@Suite(.enabled(if: Python.executable != nil, "python3 is not installed: these tests are not run"))
struct MultipartPythonTests {
  /// Reads a form.
  struct Reader: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// Whether it takes backslashes for escapes, as RFC 5322 does and browsers do not.
    var unescapes = false
    /// Whether it tells the media types of files.
    var tellsTypes = true
    /// Reads the file object `body`, of the media type `type`, into the dictionary `parts` of file name, media
    /// type and content by name.
    var script: String
  }

  private static let email = Reader(
    testDescription: "email",
    unescapes: true,
    script: #"""
      import email, email.policy
      message = email.message_from_bytes(b'MIME-Version: 1.0\r\nContent-Type: ' + type.encode() + b'\r\n\r\n'
          + body.read(), policy=email.policy.HTTP)
      assert not message.defects, message.defects
      for part in message.iter_parts():
          parts[part.get_param('name', header='content-disposition')] = (
              part.get_filename(), part.get_content_type(), part.get_payload(decode=True))
      """#
  )

  private static let werkzeug = Reader(
    testDescription: "werkzeug",
    script: """
      from werkzeug.formparser import FormDataParser
      from werkzeug.http import parse_options_header
      essence, options = parse_options_header(type)
      _, fields, files = FormDataParser().parse(body, essence, None, options)
      for name, value in fields.items(multi=True): parts[name] = (None, None, value.encode())
      for name, file in files.items(multi=True): parts[name] = (file.filename, file.content_type, file.read())
      """
  )

  private static let multipart = Reader(
    testDescription: "multipart",
    tellsTypes: false,
    script: """
      import multipart
      def content(file):
          file.file_object.seek(0)
          return file.file_object.read()
      multipart.parse_form({'Content-Type': type.encode()}, body,
          lambda field: parts.update({field.field_name.decode(): (None, None, field.value or b'')}),
          lambda file: parts.update({file.field_name.decode(): (file.file_name.decode(), None, content(file))}))
      """
  )

  /// What a reader made of a part.
  private struct Read: Equatable, Decodable {
    var fileName: String?
    var mediaType: String?
    var content: Data
  }

  /// The parts of a form as a reader sees them, by name.
  private static func parts(_ parts: [MultipartBody.Part], readBy reader: Reader) async throws
    -> [String: Read]
  {
    var request = Request(.post, "/")
    try RequestContent.multipart(.form(parts)).apply(to: &request)
    let answer = try await Python.run(
      """
      import base64, json, sys
      type, body, parts = sys.argv[1], sys.stdin.buffer, {}
      \(reader.script)
      print(json.dumps({name: {'fileName': file, 'mediaType': type, 'content': base64.b64encode(content).decode()}
          for name, (file, type, content) in parts.items()}))
      """,
      arguments: [request.fields[.contentType] ?? ""],
      input: try await read(request.body).array
    )
    return try JSONDecoder().decode([String: Read].self, from: answer)
  }

  private static func expect(_ parts: [MultipartBody.Part], readBy reader: Reader) async throws {
    var expected: [String: Read] = [:]
    for part in parts {
      let type = part.fileName == nil || !reader.tellsTypes ? nil : part.mediaType?.description
      expected[asWritten(part.name ?? "", for: reader)] = Read(
        fileName: part.fileName.map { asWritten($0, for: reader) },
        mediaType: type,
        content: Data(try await read(part.body))
      )
    }
    var found = try await Self.parts(parts, readBy: reader)
    // Some give those without one a default of theirs.
    for (name, part) in found where part.fileName == nil { found[name]?.mediaType = nil }
    #expect(found.count == expected.count)
    for (name, part) in expected {
      let comment = Comment(rawValue: name.debugDescription)
      #expect(found[name]?.fileName == part.fileName, comment)
      #expect(found[name]?.mediaType == part.mediaType, comment)
      #expect(found[name]?.content == part.content, comment)
    }
  }

  /// A name as browsers write it, which nobody undoes.
  private static func asWritten(_ name: String, for reader: Reader) -> String {
    let written = name.replacingOccurrences(of: "\"", with: "%22")
      .replacingOccurrences(of: "\r", with: "%0D").replacingOccurrences(of: "\n", with: "%0A")
    return reader.unescapes ? written.replacingOccurrences(of: "\\", with: "") : written
  }

  @Test(Python.needsPackages, arguments: [email, werkzeug, multipart])
  func partsOfAllKindsAreRead(reader: Reader) async throws {
    let directory = try ScratchDirectory()
    let large = Array(0...255) + Array(String(repeating: "\0-\u{E4}--x\rabcdefghijk", count: 125_000).utf8)
    let lines = Array(String(repeating: "--x\r\n\r\n-\n", count: 5_000).utf8)
    try await Self.expect(
      [
        .text("v\u{E4}lue\r\n--x", name: "text"), .text("", name: "empty"),
        try .file(directory.file("large.png", large), name: "file"),
        try .file(directory.file("lines.txt", lines), name: "range", range: 3..<40_000),
        .data("", name: "nothing", fileName: "nothing.bin"),
        MultipartBody.Part(
          name: "stream",
          fileName: "s.csv",
          mediaType: MediaType("text/csv"),
          body: .stream(length: nil) { chunks(["a\r\n", "\r\nb\r", "\n--"]) }
        ),
      ],
      readBy: reader
    )
  }

  @Test(Python.needsPackages, arguments: [email, werkzeug, multipart])
  func oddNamesAreRead(reader: Reader) async throws {
    let names = [
      "a\"b", "100%", "%22", "a;b", "; filename=x", "a=b", "a\r\nb", "\n", "\u{E4}\u{1F682}", "e\u{301}",
      "a\\b", "it's", "a b", "a[b][]", "a\tb", "*", "a,b", "<b>", "--x",
    ]
    try await Self.expect(
      names.map { .text("text", name: $0) }
        + names.map { .data("file", name: "file \($0)", fileName: $0 + ".txt", mediaType: .plainText) },
      readBy: reader
    )
  }

  @Test(Python.needsPackages, arguments: [email, werkzeug, multipart])
  func manyPartsAreRead(reader: Reader) async throws {
    let parts = (0..<900).map { number -> MultipartBody.Part in
      let content = String(repeating: "\r\n--", count: number % 7) + String(repeating: "x", count: number)
      guard number % 3 == 0 else { return .text(content, name: "\(number)") }
      return .data(Bytes(content), name: "\(number)", fileName: "\(number).bin")
    }
    try await Self.expect(parts, readBy: reader)
  }

  @Test(arguments: ["\\r\\n", "\\n"])
  func weReadWhatPythonWrites(lineEnd: String) async throws {
    let answer = try await Python.run(
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
