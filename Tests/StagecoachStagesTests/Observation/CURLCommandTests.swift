import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import StagecoachCore
@testable import StagecoachStages

@Suite(.timeLimit(.minutes(2))) struct CURLCommandTests {
  private static func request(
    _ method: HTTPRequest.Method = .get,
    _ url: String = "http://h/a",
    _ fields: HTTPFields = [:],
    _ body: Request.Body = .empty
  ) throws -> Request {
    var request = Request(method, url, fields: fields, body: body)
    try request.resolve(against: nil)
    return request
  }

  @Test func writesTheCommandOfARequest() throws {
    let json: HTTPFields = [.contentType: "application/json"]
    let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
    let cases: [(Request, String)] = [
      (try Self.request(), "curl http://h/a"),
      (try Self.request(.get, "http://h/a?x=1&y=2"), "curl 'http://h/a?x=1&y=2'"),
      (try Self.request(.head), "curl --head http://h/a"),
      (try Self.request(.delete), "curl -X DELETE http://h/a"),
      (try Self.request(.post), "curl -X POST http://h/a"),
      (try Self.request(.get, "http://h/a[1]{2}"), "curl --globoff 'http://h/a[1]%7B2%7D'"),
      (try Self.request(.get, "http://[::1]:8080/"), "curl --globoff 'http://[::1]:8080/'"),
      (
        try Self.request(.get, "http://h/a", [.accept: "text/*", .acceptEncoding: "gzip"]),
        "curl -H 'Accept: text/*' -H 'Accept-Encoding: gzip' --compressed http://h/a"
      ),
      (
        try Self.request(.get, "http://h/a", [HTTPField.Name("X-Empty")!: ""]),
        "curl -H 'X-Empty;' http://h/a"
      ),
      (
        try Self.request(.post, "http://h/a", json, .bytes(#"{"a":1}"#)),
        #"curl -H 'Content-Type: application/json' --data-raw '{"a":1}' http://h/a"#
      ),
      (
        try Self.request(.put, "http://h/a", form, .bytes("@a=1&b=it's")),
        #"curl -X PUT -H 'Content-Type: application/x-www-form-urlencoded' --data-raw '@a=1&b=it'\''s' http://h/a"#
      ),
      (
        Request(head: HTTPRequest(method: .options, scheme: "http", authority: "h", path: "*")),
        "curl -X OPTIONS --request-target '*' http://h/"
      ),
      (
        Request(head: HTTPRequest(method: .get, scheme: "http", authority: "h", path: "/a/../b")),
        "curl --path-as-is http://h/a/../b"
      ),
      (Request(.get, "users/7?token=t"), "curl 'users/7?token=[redacted]'"),
    ]
    for (request, expected) in cases {
      #expect(CURLCommand(request).description == expected)
    }
  }

  @Test func secretsAreHiddenUnlessAskedFor() throws {
    let fields: HTTPFields = [
      .authorization: "Bearer hush1", .cookie: "a=hush2", HTTPField.Name("X-Api-Key")!: "hush3",
    ]
    let bodies: [(String, String)] = [
      ("application/json", #"{"user":"u","password":"hush4","deep":[{"token":{"a":"hush5"}}]}"#),
      ("application/vnd.x+json", #"{"client_secret":"hush4"}"#),
      ("application/x-www-form-urlencoded", "user=u&password=hush4"),
      ("application/xml", "<password>hush4</password>"),
      ("", "hush4"),
    ]
    for (type, body) in bodies {
      var request = try Self.request(.post, "http://h/?token=hush6&x=1", fields, .bytes(Bytes(body)))
      request.head.authority = "me:hush7@h"
      if !type.isEmpty { request.fields[.contentType] = type }
      let command = CURLCommand(request)
      #expect(!command.description.contains("hush"), "\(command)")
      #expect(!command.arguments.joined().contains("hush"))
      let shown = CURLCommand(request, secrets: .shown).line
      for secret in ["hush1", "hush2", "hush3", "hush4", "hush6", "hush7"] { #expect(shown.contains(secret)) }
    }
  }

  @Test func fieldsThatAreMarkedAreSecretsToo() throws {
    let name = try #require(HTTPField.Name("X-Team-Key"))
    var request = try Self.request(.get, "http://h/a", [name: "hush"])
    request.options.sensitiveFields.insert(name)
    #expect(CURLCommand(request).arguments.contains("X-Team-Key: [redacted]"))
    #expect(!CURLCommand(request).arguments.joined().contains("hush"))
    #expect(CURLCommand(request, secrets: .shown).arguments.contains("X-Team-Key: hush"))
  }

  @Test func aReferenceIsNeverReadAsAnOption() {
    let request = Request(.get, "-o/tmp/x?token=t")
    #expect(CURLCommand(request).arguments == ["curl", "--url", "-o/tmp/x?token=[redacted]"])
  }

  @Test func leavesOutBinaryContent() throws {
    let text: HTTPFields = [.contentType: "text/plain"]
    func command(_ body: Request.Body, limit: Int = 4096) throws -> CURLCommand {
      CURLCommand(try Self.request(.post, "http://h/a", text, body), secrets: .shown, bodyLimit: limit)
    }
    #expect(try command(.bytes("hello")).note == nil)
    #expect(try command(.bytes("two\nlines\t")).note == nil)
    for body in [Bytes([0xff, 0xfe]), Bytes("a\u{0}b"), Bytes("\u{1b}[31m"), Bytes("a\u{202e}b")] {
      let left = try command(.bytes(body))
      #expect(left.arguments.contains("@-"))
      #expect(left.note == "the content is omitted: \(body.count) bytes of text/plain")
    }
    #expect(try command(.bytes("hello"), limit: 4).arguments.contains("@-"))
    let stream = Request.Body.stream(length: nil) { AsyncStream<Bytes> { $0.finish() } }
    #expect(
      try command(stream).description.hasSuffix("  # the content is omitted: unknown length of text/plain")
    )
  }

  @Test func replacesControlCharactersInFields() throws {
    var request = try Self.request()
    request.fields.append(HTTPField(name: .accept, value: "a\u{202e}b"))
    let command = CURLCommand(request)
    #expect(command.line == "curl -H 'Accept: a b' http://h/a")
    #expect(command.note == "control characters in fields were replaced by spaces")
  }

  /// What a program prints, given some input.
  private static func run(_ program: String, _ arguments: [String]) async throws -> [UInt8] {
    let directory = try ScratchDirectory()
    let output = URL(fileURLWithPath: try directory.file("output", []))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: output)
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    process.terminationHandler = { _ in end.finish() }
    try process.run()
    for await _ in ended {}
    #expect(process.terminationStatus == 0)
    return try Array(Data(contentsOf: output))
  }

  @Test func aShellReadsBackWhatWasQuoted() async throws {
    var random = SplitMix(state: 5)
    var words = [
      "", " ", "'", "''", "'\\''", "\"", "\\", "$HOME", "$(id)", "`id`", "a;b", "a&b|c>d<e", "!!", "*", "?",
      "[a]", "~",
      "#x", "\n", "\r\n", "\t", "é", "😀", "-n", "--", "%s", "\u{1}\u{7f}", "a'b\"c\\d", "{a,b}", "a=b", "\\n",
    ]
    let alphabet = Array("'\"\\$`!*?[]{}()<>|&;#~ \n\tax%=-é")
    for _ in 0..<300 {
      let length = Int.random(in: 0..<20, using: &random)
      words.append(String((0..<length).map { _ in alphabet.randomElement(using: &random) ?? "a" }))
    }
    let script = "printf '%s\\0' " + words.map(CURLCommand.quoted).joined(separator: " ")
    let output = try await Self.run("/bin/sh", ["-c", script])
    let read = output.split(separator: 0, omittingEmptySubsequences: false).dropLast()
    #expect(read.map { String(decoding: $0, as: UTF8.self) } == words)
  }

  private static let curl = ["/usr/bin/curl", "/usr/local/bin/curl", "/opt/homebrew/bin/curl"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  /// Answers with what it was sent.
  private static let server = """
    import http.server, threading, subprocess, sys
    seen = {}
    class Handler(http.server.BaseHTTPRequestHandler):
      def answer(self):
        body = self.rfile.read(int(self.headers.get('Content-Length', 0)))
        seen['request'] = self.requestline.encode() + b'\\n' + b'\\n'.join(
          (n + ': ' + v).encode('latin-1') for n, v in self.headers.items()
          if n not in ('User-Agent', 'Accept', 'Host', 'Content-Length')) + b'\\n\\n' + body
        self.send_response(204)
        self.end_headers()
      do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = answer
      def log_message(self, *arguments): pass
    server = http.server.HTTPServer(('127.0.0.1', 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    command = sys.argv[1].replace('127.0.0.1:1', '127.0.0.1:%d' % server.server_port)
    subprocess.run(['/bin/sh', '-c', command + ' -sS --max-time 20 --noproxy "*"'], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    server.shutdown()
    sys.stdout.buffer.write(seen['request'])
    """

  @Test(.enabled(if: curl != nil && Python.executable != nil, "curl and python3 are not installed"))
  func curlSendsWhatTheRequestSays() async throws {
    let cases: [(Request, String)] = [
      (try Self.request(.get, "http://127.0.0.1:1/a?b=c&d=$x"), "GET /a?b=c&d=$x HTTP/1.1\n\n\n"),
      (
        try Self.request(.get, "http://127.0.0.1:1/", [HTTPField.Name("X-Odd")!: "it's \"$HOME\" `id` \\ ;"]),
        "GET / HTTP/1.1\nX-Odd: it's \"$HOME\" `id` \\ ;\n\n"
      ),
      (
        try Self.request(
          .put,
          "http://127.0.0.1:1/a[1]",
          [.contentType: "text/plain"],
          .bytes("@it's\n$x `y` \\")
        ),
        "PUT /a[1] HTTP/1.1\nContent-Type: text/plain\n\n@it's\n$x `y` \\"
      ),
      (
        try Self.request(.post, "http://127.0.0.1:1/p", [HTTPField.Name("X-Empty")!: ""], .bytes("plain")),
        "POST /p HTTP/1.1\nX-Empty: \n\nplain"
      ),
      (try Self.request(.head, "http://127.0.0.1:1/h"), "HEAD /h HTTP/1.1\n\n\n"),
      (
        Request(head: HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:1", path: "/x/../y")),
        "GET /x/../y HTTP/1.1\n\n\n"
      ),
    ]
    for (request, expected) in cases {
      let line = CURLCommand(request, secrets: .shown).line
      let sent = try await Python.run(Self.server, arguments: [line])
      let text = String(decoding: sent, as: UTF8.self)
      // One line break more where there are no fields.
      #expect(text == expected || text + "\n" == expected, "\(line)")
    }
  }
}
