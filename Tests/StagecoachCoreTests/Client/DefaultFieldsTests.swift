import HTTPTypes
import Testing

@testable import StagecoachCore

@Suite struct DefaultFieldsTests {
  private static func language(_ environment: [String: String]) -> String? {
    DefaultFields.fields(program: "p", environment: { environment[$0] })[.acceptLanguage]
  }

  @Test(
    arguments: [
      ([:], nil),
      (["LANG": "C"], nil), (["LANG": "POSIX"], nil), (["LANG": "C.UTF-8"], nil), (["LANG": ""], nil),
      (["LANG": "de_DE.UTF-8@euro"], "de-DE;q=1"), (["LANG": "de"], "de;q=1"),
      (["LANG": "de_DE"], "de-DE;q=1"),
      (["LANG": "sr_RS@latin"], "sr-RS;q=1"), (["LANG": "zh_Hant_TW.Big5"], "zh-Hant-TW;q=1"),
      (["LANGUAGE": "de:en", "LC_ALL": "fr", "LC_MESSAGES": "it", "LANG": "es"], "de;q=1, en;q=0.9"),
      (["LC_ALL": "fr", "LC_MESSAGES": "it", "LANG": "es"], "fr;q=1"),
      (["LC_MESSAGES": "it", "LANG": "es"], "it;q=1"),
      (["LANGUAGE": "", "LC_ALL": "", "LANG": "es"], "es;q=1"),
      (["LC_ALL": "C", "LANG": "de"], nil),
      (["LANGUAGE": "C:de"], "de;q=1"),
      (
        ["LANGUAGE": "a1:b1:c1:d1:e1:f1:g1:h1"],
        "a1;q=1, b1;q=0.9, c1;q=0.8, d1;q=0.7, e1;q=0.6, f1;q=0.5"
      ),
      (["LANGUAGE": "::de::en:"], "de;q=1, en;q=0.9"),
      (["LANG": "d\u{e9}"], nil), (["LANG": "de DE"], nil), (["LANG": "de\r\nX: y"], nil),
      (["LANG": "a;q=1"], nil),
      (["LANG": "_"], nil), (["LANG": "_.UTF-8"], nil), (["LANG": "-"], nil), (["LANG": "@euro"], nil),
      (["LANG": "abcdefghi"], nil), (["LANG": "1234"], nil), (["LANG": "de_verylongpart"], nil),
    ] as [([String: String], String?)]
  )
  func theLanguageIsTheEnvironments(environment: [String: String], field: String?) {
    #expect(Self.language(environment) == field)
  }

  @Test(arguments: [
    ("/usr/bin/tool", "tool "), ("tool", "tool "), ("/opt/my tool", "mytool "), ("", ""), ("/", ""),
    ("Пример", ""), ("ü日本x", "x "), ("e\u{301}x", "x "), ("a(b)c", "abc "), ("a\r\nb", "ab "), ("a/b/", "b "),
    ("/bin/a.b-c_d+1~", "a.b-c_d+1~ "), ("\u{1F600}", ""),
  ])
  func theProgramsNameKeepsWhatATokenMayHold(program: String, prefix: String) throws {
    let fields = DefaultFields.fields(program: program, environment: { _ in nil })
    let agent = try #require(fields[.userAgent])
    #expect(agent.hasPrefix("\(prefix)("))
    #expect(agent.hasSuffix(") Stagecoach/\(DefaultFields.libraryVersion)"))
    #expect(agent.contains("; Swift 6."))
    #expect(agent.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f })
    #expect(fields.count == 1)
  }

  @Test(
    arguments: [
      ("Tours", "2.1", "Tours/2.1 "), ("Tours", nil, "Tours "), ("Tours", "", "Tours "),
      ("Tours", "(é)", "Tours "),
      ("My Tours", "2.1+7 ", "MyTours/2.1+7 "), ("Пример", "2.1", ""), ("a/b", "c/d", "ab/cd "),
      ("a\r\nX: y", "1\r\n", "aXy/1 "),
    ] as [(String, String?, String)]
  )
  func anApplicationHasItsVersion(name: String, version: String?, prefix: String) {
    let agent = DefaultFields.userAgent(application: name, version: version)
    #expect(agent.hasPrefix("\(prefix)("))
    #expect(agent.hasSuffix(") Stagecoach/\(DefaultFields.libraryVersion)"))
  }

  @Test func theProcessSendsOneUserAgent() {
    let agents = DefaultFields.system[values: .userAgent]
    #expect(agents.count == 1)
    #if os(Linux)
      #expect(agents.first?.contains(" (Linux; Swift 6.") == true)
    #endif
  }
}
