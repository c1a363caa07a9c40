import TestSupport
import Testing

@testable import StagecoachCore
@testable import StagecoachStages

@Suite struct PublicSuffixListTests {
  /// The vectors of the list's maintainers: a host and its registrable domain.
  @Test(
    arguments: [
      ("", nil), ("COM", nil), ("example.COM", "example.com"), ("WwW.example.COM", "example.com"),
      (".com", nil), (".example", nil), (".example.com", nil), (".example.example", nil),
      ("example", nil), ("example.example", "example.example"), ("b.example.example", "example.example"),
      ("a.b.example.example", "example.example"), ("biz", nil), ("domain.biz", "domain.biz"),
      ("b.domain.biz", "domain.biz"), ("a.b.domain.biz", "domain.biz"), ("com", nil),
      ("b.example.com", "example.com"), ("a.b.example.com", "example.com"), ("uk.com", nil),
      ("example.uk.com", "example.uk.com"), ("b.example.uk.com", "example.uk.com"),
      ("a.b.example.uk.com", "example.uk.com"), ("test.ac", "test.ac"), ("mm", nil), ("c.mm", nil),
      ("b.c.mm", "b.c.mm"), ("a.b.c.mm", "b.c.mm"), ("jp", nil), ("test.jp", "test.jp"),
      ("www.test.jp", "test.jp"), ("ac.jp", nil), ("test.ac.jp", "test.ac.jp"),
      ("www.test.ac.jp", "test.ac.jp"), ("kyoto.jp", nil), ("test.kyoto.jp", "test.kyoto.jp"),
      ("ide.kyoto.jp", nil), ("b.ide.kyoto.jp", "b.ide.kyoto.jp"), ("a.b.ide.kyoto.jp", "b.ide.kyoto.jp"),
      ("c.kobe.jp", nil), ("b.c.kobe.jp", "b.c.kobe.jp"), ("a.b.c.kobe.jp", "b.c.kobe.jp"),
      ("city.kobe.jp", "city.kobe.jp"), ("www.city.kobe.jp", "city.kobe.jp"), ("ck", nil), ("test.ck", nil),
      ("b.test.ck", "b.test.ck"), ("a.b.test.ck", "b.test.ck"), ("www.ck", "www.ck"),
      ("www.www.ck", "www.ck"), ("us", nil), ("test.us", "test.us"), ("www.test.us", "test.us"),
      ("ak.us", nil), ("test.ak.us", "test.ak.us"), ("www.test.ak.us", "test.ak.us"), ("k12.ak.us", nil),
      ("test.k12.ak.us", "test.k12.ak.us"), ("www.test.k12.ak.us", "test.k12.ak.us"),
      ("xn--85x722f.com.cn", "xn--85x722f.com.cn"),
      ("xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"),
      ("www.xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"),
      ("shishi.xn--55qx5d.cn", "shishi.xn--55qx5d.cn"), ("xn--55qx5d.cn", nil),
      ("xn--85x722f.xn--fiqs8s", "xn--85x722f.xn--fiqs8s"),
      ("www.xn--85x722f.xn--fiqs8s", "xn--85x722f.xn--fiqs8s"), ("shishi.xn--fiqs8s", "shishi.xn--fiqs8s"),
      ("xn--fiqs8s", nil),

      ("github.io", nil), ("a.github.io", "a.github.io"), ("b.a.github.io", "a.github.io"),
      ("example.com.", "example.com."), ("www.example.com.", "example.com."), ("com.", nil), (".", nil),
      ("a..com", nil), ("..", nil), ("10.0.0.1", nil), ("1.2", nil), ("0x7f.1", nil), ("a.0x7f", nil),
      ("[::1]", nil),
      ("a.0xg", "a.0xg"),
    ] as [(String, String?)]
  )
  func findsTheRegistrableDomain(host: String, expected: String?) {
    #expect(PublicSuffixList.bundled.registrableDomain(of: host) == expected)
    let isSuffix = PublicSuffixList.bundled.isPublicSuffix(host)
    #expect(!isSuffix || expected == nil)
  }

  @Test(
    arguments: [
      ("com", true), ("CO.UK", true), ("example", true), ("com.", true), ("c.kobe.jp", true),
      ("kobe.jp", false),
      ("city.kobe.jp", false), ("github.io", true), ("example.com", false), ("", false), ("127.0.0.1", false),
      ("[::1]", false), ("xn--fiqs8s", true), ("localhost", true),
    ]
  )
  func recognizesPublicSuffixes(host: String, expected: Bool) {
    #expect(PublicSuffixList.bundled.isPublicSuffix(host) == expected)
  }

  @Test func theBundledListIsWhole() {
    #expect(PublicSuffixList.bundled.count > 9000)
  }

  @Test func parsesACustomList() {
    let list = PublicSuffixList(
      parsing: Array(
        """
        // comment

        One.Example  and what follows is ignored
        *.two.example
        two.example
        !not.two.example
        a.*.three
        *
        !
        *.
        公司.cn
        ÿ\u{301}
        """.utf8
      ) + [0xff, 0x0a]
    )
    #expect(list.count == 4)
    for (host, expected) in [
      ("one.example", nil), ("a.one.example", "a.one.example"), ("two.example", nil), ("x.two.example", nil),
      ("a.x.two.example", "a.x.two.example"), ("b.not.two.example", "not.two.example"),
      ("a.b.three", "b.three"), ("a.xn--55qx5d.cn", "a.xn--55qx5d.cn"), ("xn--55qx5d.cn", nil),
    ] {
      #expect(list.registrableDomain(of: host) == expected, "\(host)")
    }
  }

  @Test func theRegistrableDomainIsASuffixPlusOneLabel() {
    var random = SplitMix(state: 4)
    let labels = [
      "com", "jp", "kobe", "city", "ck", "www", "uk", "co", "github", "io", "a", "b", "xn--fiqs8s", "us",
    ]
    let list = PublicSuffixList.bundled
    for _ in 0..<3000 {
      let host = (0..<Int.random(in: 1...5, using: &random))
        .map { _ in labels.randomElement(using: &random) ?? "" }.joined(separator: ".")
      guard let domain = list.registrableDomain(of: host) else {
        #expect(list.isPublicSuffix(host), "\(host)")
        continue
      }
      #expect(host == domain || host.hasSuffix(".\(domain)"))
      #expect(!list.isPublicSuffix(domain), "\(host)")
      // Below kobe.jp, which is none, every name is a suffix.
      #expect(list.registrableDomain(of: "x.\(host)") == domain || host == "kobe.jp")
      #expect(list.site(of: host) == domain)
    }
  }

  /// RFC 3492 7.1, of those that fit a label, and domains of the list.
  @Test(
    arguments: [
      ("bücher", "xn--bcher-kva"), ("食狮", "xn--85x722f"), ("中国", "xn--fiqs8s"), ("plain-1", "plain-1"),
      ("", ""),
      ("ليهمابتكلموشعربي؟", "xn--egbpdaj6bu4bxfgehfvwxn"), ("他们为什么不说中文", "xn--ihqwcrb4cv8a8dqg056pqjye"),
      ("3年b組金八先生", "xn--3b-ww4c5e180e575a65lsy2b"), ("そのスピードで", "xn--d9juau41awczczp"),
      ("パフィーdeルンバ", "xn--de-jg4avhby1noc0d"), ("ひとつ屋根の下2", "xn--2-u9tlzr9756bt3uc0v"), ("💩", "xn--ls8h"),
    ]
  )
  func encodesLabelsInPunycode(label: String, expected: String) {
    #expect(Punycode.label(label[...].unicodeScalars).map { String(decoding: $0, as: UTF8.self) } == expected)
  }

  @Test func aLabelHasALimit() {
    #expect(Punycode.label(String(repeating: "ü", count: 64)[...].unicodeScalars) == nil)
    let mixed = (0..<63).compactMap { Unicode.Scalar(0x4E00 + $0 * 331) }
    var text = ""
    text.unicodeScalars.append(contentsOf: mixed)
    #expect(Punycode.label(text[...].unicodeScalars) == nil)
  }
}
