import StagecoachFormats
import TestSupport
import Testing

@Suite struct SafeFileNameTests {
  @Test(
    arguments: [
      ("a.txt", "a.txt"), ("../../etc/passwd", "passwd"), ("..\\..\\boot.ini", "boot.ini"),
      ("C:\\dir\\file.txt", "file.txt"), ("/", nil), ("", nil), (".", nil), ("..", nil), ("...", nil),
      ("a/..", nil), ("a/", "a"), ("a/b//", "b"), (" . ", nil), ("\u{202E}", nil), (".bashrc", "_bashrc"),
      ("..a", "_.a"), ("a.", "a"), ("a. . ", "a"), (" a ", "a"), ("a\0b\n\rc\u{7F}\u{85}d", "abcd"),
      ("invoice\u{202E}fdp.exe", "invoicefdp.exe"), ("a:b", "a_b"), ("<>:\"|?*", "_______"),
      ("CON", "_CON"), ("con.txt", "_con.txt"), ("NUL .txt", "_NUL .txt"), ("com1", "_com1"),
      ("COM\u{B9}.log", "_COM\u{B9}.log"), ("COM10", "COM10"), ("lpt0.a.b", "_lpt0.a.b"),
      ("conin$", "_conin$"),
      ("CONSOLE", "CONSOLE"), ("\u{E4}\u{20AC}.txt", "\u{E4}\u{20AC}.txt"),
      ("\u{1F468}\u{200D}\u{1F469}", "\u{1F468}\u{200D}\u{1F469}"),
      ("%2e%2e%2fa", "%2e%2e%2fa"), ("\u{FF0E}\u{FF0E}", "\u{FF0E}\u{FF0E}"),
    ] as [(String, String?)]
  )
  func makesANameHarmless(text: String, safe: String?) {
    #expect(ContentDisposition.safeFileName(from: text) == safe)
    #expect(safe.flatMap(ContentDisposition.safeFileName) == safe)
  }

  @Test func longNamesAreCutBeforeTheirExtension() throws {
    for (text, end) in [
      (String(repeating: "\u{E4}", count: 300) + ".jpeg", ".jpeg"), (String(repeating: "a", count: 300), "a"),
      ("a." + String(repeating: "b", count: 300), "b"), (String(repeating: "a ", count: 300), "a"),
    ] {
      let name = try #require(ContentDisposition.safeFileName(from: text))
      #expect(name.utf8.count <= 255 && name.utf8.count > 250)
      #expect(name.hasSuffix(end))
      #expect(ContentDisposition.safeFileName(from: name) == name)
    }
  }

  @Test func blanksAreCutHoweverManyThereAre() {
    let blanks = String(repeating: " \u{A0}", count: 50_000)
    #expect(ContentDisposition.safeFileName(from: blanks + "a b" + blanks) == "a b")
    #expect(ContentDisposition.safeFileName(from: blanks + ".a" + blanks + ".") == "_a")
    #expect(ContentDisposition.safeFileName(from: blanks) == nil)
  }

  /// Names put together from what is dangerous, from a fixed seed.
  @Test func randomNamesBecomeHarmless() {
    var random = SplitMix(state: 7)
    let pieces = [
      "..", ".", "/", "\\", "\0", "\n", "CON", "nul", ":", " ", "\u{202E}", "\u{E9}", "a", "~", "*",
      "\u{FEFF}",
      "\u{2028}", "com1", "%2f", "\u{1F600}", String(repeating: "x", count: 130),
    ]
    for _ in 0..<5_000 {
      let text = (0..<Int(random.next() % 8)).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }
        .joined()
      guard let name = ContentDisposition.safeFileName(from: text) else { continue }
      #expect(!name.isEmpty && name.utf8.count <= 255 && name != "." && name != "..")
      #expect(
        !name.unicodeScalars.contains {
          $0.value < 0x20 || "/\\:*?\"<>|\u{202E}\u{2028}".unicodeScalars.contains($0)
        }
      )
      #expect(ContentDisposition.safeFileName(from: name) == name)
    }
  }
}
