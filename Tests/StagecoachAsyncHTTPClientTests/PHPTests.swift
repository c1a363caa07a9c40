#if Tool
  import Foundation
  import HTTPTypes
  import Stagecoach
  import Testing

  /// Queries, forms and multipart forms as PHP reads them.
  @Suite(.enabled(if: PHP.isInstalled, "php-fpm or nginx is not installed: these tests are not run"))
  struct PHPTests {
    private struct Answer: Decodable, Sendable {
      var query: PHPValue
      var form: PHPValue
      var files: PHPValue
    }

    private static func send(_ parts: [MultipartBody.Part], by client: Client) async throws -> Answer {
      try await client.post("echo.php", .multipart(.form(parts)))
    }

    @Test func partsOfAllKindsAreRead() async throws {
      let path = FileManager.default.temporaryDirectory.appending(path: "stagecoach-\(UUID()).png").path
      defer { try? FileManager.default.removeItem(atPath: path) }
      let large = Data(0...255) + Data(String(repeating: "\0-\u{E4}--x\rabcdefghijk", count: 125_000).utf8)
      try large.write(to: URL(fileURLWithPath: path))
      let stream = MultipartBody.Part(
        name: "stream",
        fileName: "s.csv",
        mediaType: MediaType("text/csv"),
        body: .stream(length: nil) {
          AsyncStream { continuation in
            for chunk: Bytes in ["a\r\n", "\r\nb\r", "\n--"] { continuation.yield(chunk) }
            continuation.finish()
          }
        }
      )
      let contents: [String: Bytes] = [
        "file": Bytes(large), "range": Bytes(large[1000..<700_000]), "nothing": "",
        "stream": "a\r\n\r\nb\r\n--",
      ]
      let types = ["file": "image/png", "range": "image/png", "nothing": "application/octet-stream"]
      try await PHP.serve { client in
        // With a part of unknown length it is sent chunked.
        for last in [[], [stream]] {
          let parts: [MultipartBody.Part] =
            [
              .text("v\u{E4}lue\r\n--x\u{0}", name: "text"), .text("", name: "empty"),
              try .file(path, name: "file", fileName: "large.png"),
              try .file(path, name: "range", range: 1000..<700_000),
              .data("", name: "nothing", fileName: "nothing.bin"),
            ] + last
          let answer = try await Self.send(parts, by: client)
          #expect(
            answer.form == .table(["text": PHPValue("v\u{E4}lue\r\n--x\u{0}"), "empty": PHPValue("")])
          )
          #expect(answer.files.count == 3 + last.count)
          for (name, content) in contents where name != "stream" || !last.isEmpty {
            let file = answer.files[name]
            #expect(file?["error"] == PHPValue("0"))
            #expect(file?["type"] == PHPValue(types[name] ?? "text/csv"))
            #expect(file?["size"] == PHPValue(String(content.count)))
            #expect(file?["content"]?.decoded == content)
          }
          #expect(answer.files["file"]?["name"] == PHPValue("large.png"))
        }
      }
    }

    /// Names arrive as browsers write them; of a file name PHP keeps what follows a slash or a backslash.
    @Test func oddNamesAreRead() async throws {
      let names = [
        ("a\"b", "a%22b"), ("100%", "100%"), ("%22", "%22"), ("a;b", "a;b"), ("; filename=x", "; filename=x"),
        ("a=b", "a=b"), ("a\r\nb", "a%0D%0Ab"), ("\n", "%0A"), ("\u{E4}\u{1F682}", "\u{E4}\u{1F682}"),
        ("e\u{301}", "e\u{301}"), ("a\\b", "a\\b"), ("it's", "it's"), ("a b", "a b"), ("a\tb", "a\tb"),
        ("*", "*"), ("a,b", "a,b"), ("<b>", "<b>"), ("--x", "--x"), ("a.b", "a.b"), ("/a/b", "/a/b"),
      ]
      try await PHP.serve { client in
        let answer = try await Self.send(
          // In brackets PHP takes the names of fields as they are.
          names.map { .text($0.0, name: "field[\($0.0)]") }
            + names.enumerated().map { .data("x", name: "file\($0)", fileName: $1.0 + ".txt") },
          by: client
        )
        let fields = Dictionary(uniqueKeysWithValues: names.map { ($0.1, PHPValue($0.0)) })
        #expect(answer.form["field"] == .table(fields))
        for (number, name) in names.enumerated() {
          let (file, written) = (answer.files["file\(number)"], name.1 + ".txt")
          #expect(file?["full_path"] == PHPValue(written))
          let last = written.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init)
          #expect(file?["name"] == last.map { PHPValue($0) })
        }
      }
    }

    @Test func manyPartsAreRead() async throws {
      func content(_ number: Int) -> String {
        String(repeating: "\r\n--", count: number % 7) + String(repeating: "x", count: number)
      }
      try await PHP.serve { client in
        let answer = try await Self.send(
          (0..<1000).map { number -> MultipartBody.Part in
            guard number % 2 == 0 else { return .text(content(number), name: "fields[]") }
            return .data(Bytes(content(number)), name: "files[]", fileName: "\(number).bin")
          },
          by: client
        )
        let odd = stride(from: 1, to: 1000, by: 2).map { PHPValue(content($0)) }
        #expect(answer.form == .table(["fields": .list(odd)]))
        let even = stride(from: 0, to: 1000, by: 2)
        #expect(answer.files["files"]?["name"] == .list(even.map { PHPValue("\($0).bin") }))
        #expect(
          answer.files["files"]?["content"]
            == .list(even.map { PHPValue(Data(content($0).utf8).base64EncodedString()) })
        )
      }
    }

    /// The tree of a form and that of a query, in the same request.
    @Test(arguments: [QueryEncoder.Escaping.afnetworking, .strict, .form], [1, 2])
    func treesComeBack(escaping: QueryEncoder.Escaping, seed: UInt64) async throws {
      var random = Seeded(seed: seed)
      try await PHP.serve { client in
        for round in 0..<40 {
          var encoder = QueryEncoder()
          encoder.escaping = escaping
          if round % 2 == 1 { encoder.arrayStyle = .indexed }
          let (query, form) = (
            Parameters.tree(depth: 3, of: encoder, using: &random),
            Parameters.tree(depth: 3, of: encoder, using: &random)
          )
          var request = Request.post("echo.php")
          try RequestContent.query(query, encoder: encoder).apply(to: &request)
          try RequestContent.form(form, encoder: encoder).apply(to: &request)
          let answer = try await client.value(for: request, as: .json(Answer.self))
          #expect(answer.query == PHPValue(reading: .object(query)), "\(query)")
          #expect(answer.form == PHPValue(reading: .object(form)), "\(form)")
          let parts = try MultipartBody.Part.fields(form, encoder: encoder)
          let again = try await Self.send(parts, by: client)
          #expect(again.form == answer.form, "\(form)")
        }
      }
    }
  }
#endif
