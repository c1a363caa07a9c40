import Foundation
import Stagecoach
import StagecoachSystem
import TestSupport
import Testing

@Suite struct NetrcFileTests {
  /// Each with its entries as `host|login|password|account`, `-` for what is absent.
  @Test(
    arguments: [
      ("", []), (" \n\t\r\n", []), ("machine h login u password p", ["h|u|p|-"]),
      ("machine h\n  login u\n  password p\n  account a\n", ["h|u|p|a"]),
      ("MACHINE h Login u PassWord p\r\nDEFAULT login x", ["h|u|p|-", "-|x|-|-"]),
      ("machine a login u machine b password p", ["a|u|-|-", "b|-|p|-"]), ("default", ["-|-|-|-"]),
      ("machine h login u login v", ["h|v|-|-"]), ("machine h password login", ["h|-|login|-"]),
      // Comments.
      ("# c\nmachine h # login no\n  # password no\n login u", ["h|u|-|-"]),
      ("machine h password #p login u", ["h|u|#p|-"]), ("machine h password\n# c\n p", ["h|-|p|-"]),
      ("#", []), ("machine #h", ["#h|-|-|-"]), ("machine h login a#b", ["h|a#b|-|-"]),
      // Quotes.
      (#"machine h password "a b""#, ["h|-|a b|-"]), (#"machine h password """#, ["h|-||-"]),
      (#"machine h password "a\"b\\c\n\r\t\x""#, ["h|-|a\"b\\c\n\r\tx|-"]),
      (#"machine h password a"b"#, ["h|-|a\"b|-"]), (#"machine h password a\"b"#, ["h|-|a\\\"b|-"]),
      (#""machine" "h"login "u""#, ["h|u|-|-"]), (##"machine h password "#p""##, ["h|-|#p|-"]),
      // Macros.
      ("machine h login u\nmacdef init\n machine no\n put x\n\nmachine i", ["h|u|-|-", "i|-|-|-"]),
      ("macdef init\nmachine no\n \t\ndefault", ["-|-|-|-"]), ("default\nmacdef x\nmachine no", ["-|-|-|-"]),
      ("macdef", []), ("macdef\n\nmachine h", ["h|-|-|-"]),
      ("machine h macdef x\r\nlogin no\r\n\r\nlogin u", ["h|u|-|-"]),
      ("machine é login ü password €", ["é|ü|€|-"]),
    ] as [(String, [String])]
  )
  func readsEntries(text: String, expected: [String]) throws {
    let file = try NetrcFile(text)
    let entries = file.entries.map { entry in
      [entry.host, entry.login, entry.password, entry.account].map { $0 ?? "-" }.joined(separator: "|")
    }
    #expect(entries == expected)
    #expect(try NetrcFile(octets: [0xEF, 0xBB, 0xBF] + Array(text.utf8)) == file)
  }

  @Test(
    arguments: [
      ("login u", .outsideOfMachine(keyword: "login"), 1),
      ("\n PASSWORD p", .outsideOfMachine(keyword: "password"), 2),
      ("machine", .missingValue(keyword: "machine"), 1),
      ("machine h\n\n login \n\n", .missingValue(keyword: "login"), 3),
      ("machine h login\n#u", .missingValue(keyword: "login"), 1),
      ("machine h password a\n b", .unknownWord, 2), ("machine h port 21", .unknownWord, 1),
      ("\"\"", .unknownWord, 1),
      ("\n\"machine", .unterminatedQuote, 2), ("machine h password \"a\n\"", .unterminatedQuote, 1),
      ("machine h password \"a\\\n\"", .unterminatedQuote, 1),
      ("machine h password \"a\\", .unterminatedQuote, 1),
      ("macdef x\n\n\nx", .unknownWord, 4),
      ("machine \(String(repeating: "a", count: 4097))", .wordTooLong(limit: 4096), 1),
      (String(repeating: " ", count: 128 * 1024 + 1), .tooLong(limit: 128 * 1024), 1),
    ] as [(String, NetrcError.Reason, Int)]
  )
  func namesReasonAndLineOfAnError(text: String, reason: NetrcError.Reason, line: Int) throws {
    let error = try #require(throws: NetrcError.self) { try NetrcFile(text) }
    #expect(error.reason == reason)
    #expect(error.line == line)
    #expect(error.description.hasPrefix("Invalid .netrc at line \(line): "))
  }

  @Test func refusesLongWordsAndFiles() throws {
    let longest = String(repeating: "a", count: NetrcFile.maximumWordLength)
    #expect(try NetrcFile("machine \(longest)").entries.first?.host == longest)
    #expect(try NetrcFile(String(repeating: " ", count: NetrcFile.maximumLength)).entries.isEmpty)
    let octets = Array("machine h\nlogin ".utf8) + [0xE4, 0x0A]
    let error = try #require(throws: NetrcError.self) { try NetrcFile(octets: octets) }
    #expect(error.reason == .notUTF8)
    #expect(error.line == 2)
  }

  @Test func findsTheFirstEntryOfAHost() throws {
    let file = try NetrcFile(
      """
      machine a.example login one password 1
      machine A.example login two password 2
      machine b.example password 3
      default login any password 4
      machine c.example login late password 5
      """
    )
    #expect(file.entry(forHost: "A.EXAMPLE")?.password == "1")
    #expect(file.entry(forHost: "a.example", login: "two")?.password == "2")
    #expect(file.entry(forHost: "a.example", login: "any")?.password == "4")
    #expect(file.entry(forHost: "a.example", login: "x") == nil)
    #expect(file.entry(forHost: "b.example")?.login == nil)
    #expect(file.entry(forHost: "c.example")?.password == "4")
    #expect(file.entry(forHost: "c.example", login: "late")?.password == "5")
    #expect(try NetrcFile("machine a").entry(forHost: "b") == nil)
  }

  @Test func descriptionsShowNoSecret() throws {
    let entry = try #require(try NetrcFile("machine h login u5er password s3cret").entries.first)
    #expect("\(entry)" == "machine h")
    #expect(!String(reflecting: entry).contains("s3cret"))
    var text = ""
    dump(entry, to: &text)
    #expect(!text.contains("s3cret"))
    let error = try #require(throws: NetrcError.self) { try NetrcFile("machine h password a s3cret") }
    #expect(!String(reflecting: error).contains("s3cret"))
  }

  @Test func readsAFileUpToTheSizeLimit() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "stagecoach-netrc-\(UUID())")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("machine h login u password p\n".utf8).write(to: file)
    #expect(try NetrcFile(contentsOf: file.path).entry(forHost: "h")?.password == "p")
    try Data(repeating: 0x20, count: NetrcFile.maximumLength).write(to: file)
    #expect(try NetrcFile(contentsOf: file.path).entries.isEmpty)
    try Data(repeating: 0x20, count: NetrcFile.maximumLength + 1).write(to: file)
    let error = try #require(throws: NetrcError.self) { try NetrcFile(contentsOf: file.path) }
    #expect(error.reason == .tooLong(limit: NetrcFile.maximumLength))
    for path in [file.path + "-absent", FileManager.default.temporaryDirectory.path] {
      let error = #expect(throws: ExchangeError.self) { try NetrcFile(contentsOf: path) }
      #expect(error?.kind == .file)
    }
  }

  /// Words in any order: they are read, or the error is on a line of the text.
  @Test func noiseNeverCrashes() throws {
    var random = SplitMix(state: 23)
    let words = [
      "machine", "default", "login", "password", "account", "macdef", "h", "\"a b\"", "#", "\n", "\n\n", "é",
    ]
    for _ in 0..<2000 {
      let text = (0..<Int.random(in: 0...14, using: &random)).map { _ in
        words[Int.random(in: 0..<words.count, using: &random)] + (Bool.random(using: &random) ? " " : "\n")
      }.joined()
      do {
        let file = try NetrcFile(text)
        let commented = try NetrcFile(text + "\n# end")
        #expect(commented == file)
      } catch {
        #expect(
          (1...text.split(separator: "\n", omittingEmptySubsequences: false).count).contains(error.line)
        )
      }
    }
  }
}
