import HTTPTypes
import Testing

@testable import StagecoachCache

/// RFC 9111 4.1: variants.
@Suite struct VaryTests {
  private func matches(_ vary: String, _ first: String, _ second: String) throws -> Bool {
    let entry = try privateRules.entry("Cache-Control: max-age=60\n\(vary)", to: request(first))
    return !privateRules.matching([entry], request(second), conceal: conceal).isEmpty
  }

  @Test(arguments: [
    ("Vary: Foo", "Foo: 1", "Foo: 1", true), ("Vary: Foo", "Foo: 1", "Foo: 2", false),
    ("Vary: Foo", "Foo: 1", "", false), ("Vary: Foo", "", "Foo: 1", false), ("Vary: Foo", "", "", true),
    ("Vary: Foo", "Foo:", "", false), ("Vary: FOO", "foo: 1", "Foo: 1", true),
    ("Vary: Foo", "Foo: 1\nOther: 2", "Foo: 1\nOther: 3", true),
    ("Vary: Foo, Bar", "Foo: 1\nBar: a", "Bar: a\nFoo: 1", true),
    ("Vary: Foo, Bar", "Foo: 1\nBar: a", "Foo: 1\nBar: b", false),
    ("Vary: Foo, Bar", "Foo: 1", "Foo: 1", true), ("Vary: Foo, Bar", "Foo: 1", "Foo: 1\nBar: a", false),
    ("Vary: Foo\nVary: Bar", "Foo: 1\nBar: a", "Foo: 1\nBar: b", false),
    ("Vary: Foo, foo", "Foo: 1", "Foo: 1", true), ("Vary: ,Foo,", "Foo: 1", "Foo: 2", false),
    ("", "Foo: 1", "Foo: 2", true),
    // Normalization.
    ("Vary: Foo", "Foo: 1,2", "Foo:  1, 2 ", true), ("Vary: Foo", "Foo: 1, 2", "Foo: 1\nFoo: 2", true),
    ("Vary: Foo", "Foo: 1 ,\t2", "Foo: 1,2", true), ("Vary: Foo", "Foo: 1 2", "Foo: 1  2", false),
    ("Vary: Foo", "Foo: 1 2", "Foo: 12", false), ("Vary: Foo", "Foo: 2, 1", "Foo: 1, 2", false),
    ("Vary: Foo", "Foo: \"1, 2\"", "Foo: \"1,2\"", false),
    ("Vary: Foo", "Foo: \"a\\\" , b\"", "Foo: \"a\\\",b\"", false),
    ("Vary: Foo", "Foo: \"a\" , b", "Foo: \"a\",b", true), ("Vary: Foo", "Foo: a", "Foo: A", false),
    ("Vary: Accept", "Accept: Text/HTML; q=1", "Accept: text/html;q=1", true),
    ("Vary: Accept-Language", "Accept-Language: en, de", "Accept-Language:  eN ,   De", true),
    ("Vary: Accept-Language", "Accept-Language: en, de", "Accept-Language: de, en", false),
    ("Vary: Accept-Encoding", "Accept-Encoding: gzip", "Accept-Encoding: GZIP", true),
    ("Vary: Accept-Encoding", "Accept-Encoding: gzip", "", false),
    ("Vary: Accept", "Accept: a/b;c=\"X y\"", "Accept: a/b;c=\"x y\"", false),
    // Equal characters that are not equal octets.
    ("Vary: Foo", "Foo: \u{E9}", "Foo: e\u{301}", false),
    // Sensitive fields match by their hashes.
    ("Vary: Cookie", "Cookie: a=1", "Cookie: a=1", true),
    ("Vary: Cookie", "Cookie: a=1", "Cookie: a=2", false),
    ("Vary: Authorization", "Authorization: x", "Authorization: hash(x)", false),
  ])
  func varyDecidesWhetherARequestMatches(vary: String, first: String, second: String, isMatch: Bool) throws {
    #expect(try matches(vary, first, second) == isMatch)
  }

  @Test func nominatedFieldsAreSortedAndSensitiveOnesConcealed() throws {
    let stored = try privateRules.store(
      "Cache-Control: max-age=60\nVary: foo, Cookie\nVary: Bar, Foo",
      to: request("Foo: 1\nCookie: a=b")
    ).get()
    #expect(
      stored.vary == [
        CachedResponse.Nominated(name: "bar", value: nil),
        CachedResponse.Nominated(name: "cookie", value: "hash(a=b)"),
        CachedResponse.Nominated(name: "foo", value: "1"),
      ]
    )
  }

  @Test func valuesThatAreNotUTF8NeverMatch() throws {
    var odd = request()
    odd.headerFields.append(HTTPField(name: .init("Foo")!, value: [0x61, 0xE9] as [UInt8]))
    #expect(privateRules.store("Cache-Control: max-age=60\nVary: Foo", to: odd) == .failure(.varies))
    let entry = try privateRules.entry("Cache-Control: max-age=60\nVary: Foo", to: request("Foo: a\u{FFFD}"))
    #expect(privateRules.matching([entry], odd, conceal: conceal).isEmpty)
  }

  @Test func tooManyNamesAreMalformed() {
    let names = (0..<65).map { "x-\($0)" }.joined(separator: ",")
    #expect(VaryField(fields("Vary: \(names)")) == nil)
    #expect(VaryField(fields("Vary: \(names.dropLast(5))"))?.names.count == 64)
  }

  @Test(arguments: [
    // The latest Date, then the latest arrival.
    UseRow(
      "4.1",
      "Cache-Control: max-age=60\nDate: {0}",
      "Cache-Control: max-age=60\nDate: {-5}",
      gives: "serve"
    ),
    UseRow(
      "4.1",
      "Cache-Control: max-age=60\nDate: {0}",
      "Cache-Control: max-age=60\nDate: {0}",
      gives: "serve #2"
    ),
    UseRow(
      "4.1",
      "Cache-Control: max-age=60\nDate: {-9}",
      "Cache-Control: max-age=60\nDate: {-5}",
      gives: "serve #2"
    ),
    // Those with Vary first.
    UseRow(
      "4.1",
      "Cache-Control: max-age=60\nVary: Foo\nDate: {-5}",
      "Cache-Control: max-age=60\nDate: {0}",
      gives: "serve"
    ),
    // No match: the origin hears which variants there are, but not of weak or partial ones.
    UseRow("4.1", "Cache-Control: max-age=60\nVary: Foo", request: "Foo: 1", gives: "forward vary-miss"),
    UseRow(
      "4.3.1",
      "Cache-Control: max-age=60\nVary: Foo\nETag: \"a\"",
      request: "Foo: 1",
      gives: "validate vary-miss \"a\""
    ),
    UseRow(
      "4.3.1",
      "Cache-Control: max-age=60\nVary: Foo\nETag: W/\"a\"",
      request: "Foo: 1",
      gives: "forward vary-miss"
    ),
    UseRow(
      "4.3.1",
      "Cache-Control: max-age=60\nVary: Foo\nETag: \"a\"",
      request: "Foo: 1\nRange: bytes=0-1",
      gives: "forward vary-miss"
    ),
    UseRow(
      "4.3.1",
      "Cache-Control: max-age=60\nVary: Foo\nETag: \"a\"",
      request: "Foo: 1\nCache-Control: only-if-cached",
      gives: "504"
    ),
    // Never a variant that differs in a sensitive field or in the coding.
    UseRow(
      "privacy",
      "Cache-Control: max-age=60\nVary: Cookie\nETag: \"a\"",
      request: "Cookie: b=1",
      gives: "forward vary-miss"
    ),
    UseRow(
      "coding",
      "Cache-Control: max-age=60\nVary: Accept-Encoding\nETag: \"a\"",
      request: "Accept-Encoding: br",
      gives: "forward vary-miss"
    ),
    UseRow("4", request: "", gives: "forward uri-miss"),
  ])
  func choosesTheNewestMatchingVariant(_ row: UseRow) throws { try row.check() }
}
