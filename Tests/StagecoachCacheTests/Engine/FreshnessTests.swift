import Foundation
import HTTPTypes
import StagecoachCore
import Testing

@testable import StagecoachCache

/// RFC 9111 4.2.1 and 5.3: explicit lifetimes.
@Suite struct LifetimeTests {
  private func lifetime(_ text: String, _ rules: CacheRules, status: Int = 200) -> Int {
    let response = CachedResponse(
      head: response(text, status),
      requestTime: time(0),
      responseTime: time(0)
    )
    return rules.lifetime(of: response)
  }

  @Test(arguments: [
    ("max-age=60", 60), ("max-age=60, max-age=60", 60), ("max-age=1800, max-age=1", 0),
    ("max-age=1, max-age=1800", 1),
    ("max-age=\"60\"", 60), ("max-age = 60", 0), ("max-age= 60", 0), ("max-age =60", 0), ("max-age=-1", 0),
    ("max-age=1.5", 0), ("max-age=3600.0", 0), ("max-age=abc", 0), ("max-age=", 0), ("max-age", 0),
    ("max-age=60s", 0), ("max-age=a60", 0), ("max-age=+60", 0), ("max-age='60'", 0), ("max-age=\"60", 0),
    ("max-age=60 s", 0), ("max-age=60;x", 0),
    ("max-age=2147483647", 2_147_483_647), ("max-age=2147483648", 2_147_483_648),
    ("max-age=2147483649", 2_147_483_648), ("max-age=99999999999", 2_147_483_648),
    ("max-age=99999999999999999999999999999999999999999", 2_147_483_648), ("max-age=0060", 60),
    ("MAX-AGE=60", 60),
    ("x=\"max-age=3600\", max-age=1", 1), ("max-age=1, x=\"max-age=3600\"", 1),
    ("x=\"a\\\", max-age=9\", max-age=1", 1),
    ("foobar, max-age=60", 60), (",, max-age=60,, ,", 60), ("=, max-age=60", 60),
    ("@x \"max-age=9,\", max-age=60", 60),
    ("public, max-age=60, foo=bar", 60), ("no-cache, max-age=60", 60), ("s-maxage=60, max-age=1", 1),
    ("xmax-age=60", 0), ("max-age2=60", 0),
  ])
  func readsMaxAge(value: String, seconds: Int) {
    #expect(lifetime("Cache-Control: \(value)", privateRules) == seconds)
  }

  @Test func severalLinesAreOneList() {
    #expect(lifetime("Cache-Control: public\nCache-Control: max-age=60", privateRules) == 60)
    #expect(lifetime("Cache-Control: max-age=1800\nCache-Control: max-age=1", privateRules) == 0)
    #expect(lifetime("Cache-Control: max-age=1\nCache-Control: max-age=1800", privateRules) == 1)
  }

  @Test(arguments: [
    ("Cache-Control: s-maxage=60", 60), ("Cache-Control: s-maxage=60, max-age=1", 60),
    ("Cache-Control: max-age=3600, s-maxage=1", 1),
    ("Cache-Control: max-age=3600\nCache-Control: s-maxage=1", 1),
    ("Expires: {-10}\nCache-Control: max-age=0, s-maxage=3600", 3600),
    ("Cache-Control: s-maxage=x, max-age=60", 0),
    ("Cache-Control: max-age=5", 5),
  ])
  func readsSharedMaxAge(text: String, seconds: Int) {
    #expect(lifetime(text, sharedRules) == seconds)
  }

  @Test(arguments: [
    ("Date: {0}\nExpires: {60}", 60), ("Date: {0}\nExpires: {0}", 0), ("Date: {0}\nExpires: {-60}", 0),
    ("Date: {400}\nExpires: {300}", 0), ("Date: {-100}\nExpires: {60}", 160), ("Expires: {60}", 60),
    ("Date: foo\nExpires: {10}", 10), ("Date: {0}\nExpires: 0", 0), ("Date: {0}\nExpires: -1", 0),
    ("Date: {0}\nExpires:", 0), ("Date: {0}\nExpires: {60}\nExpires: {60}", 60),
    ("Date: {0}\nExpires: {60}\nExpires: {70}", 0), ("Date: {0}\nExpires: {70}\nExpires: 0", 0),
    ("Date: {0}\nExpires: {60}\nCache-Control: max-age=5", 5),
    ("Date: {0}\nExpires: {60}\nCache-Control: max-age=0", 0),
    ("Date: {0}\nExpires: 0\nCache-Control: max-age=5", 5),
    ("Date: {0}\nExpires: {60}\nCache-Control: max-age=x", 0),
    ("Date: {0}\nExpires: Thu, 18 Aug 2050 02:01:18 PST", 0),
    ("Date: {0}\nExpires: Thu, 18 Aug 2050 02:01:18 UTC", 0),
    ("Date: {0}\nExpires: Thu, 18 Aug 50 02:01:18 GMT", 0),
    ("Date: {0}\nExpires: Thu, 18  Aug  2050 02:01:18 GMT", 0),
    ("Date: {0}\nExpires: Thu, 18-Aug-2050 02:01:18 GMT", 0),
    ("Date: {0}\nExpires: Sat, 30 Feb 2050 02:01:18 GMT", 0),
    ("Date: {0}\nExpires: Fri, 31 Dec 9999 23:59:59 GMT", 2_147_483_648),
  ])
  func readsExpires(text: String, seconds: Int) {
    #expect(lifetime(text, privateRules) == seconds)
  }

  /// RFC 9110 5.6.7; 1,700,000,000 is Tue, 14 Nov 2023 22:13:20 GMT.
  @Test(arguments: [
    "Tue, 14 Nov 2023 22:14:20 GMT", "Tuesday, 14-Nov-23 22:14:20 GMT", "Tue Nov 14 22:14:20 2023",
    "TUE, 14 NOV 2023 22:14:20 gmt",
  ])
  func readsExpiresInAllDateFormats(value: String) {
    #expect(lifetime("Date: {0}\nExpires: \(value)", privateRules) == 60)
  }

  @Test func aTwoDigitYearFarAheadIsInThePast() {
    #expect(lifetime("Date: {0}\nExpires: Tuesday, 14-Nov-80 22:14:20 GMT", privateRules) == 0)
  }

  /// RFC 9111 4.2.2.
  @Test(arguments: [
    ("Date: {0}\nLast-Modified: {-100}", 200, 10), ("Date: {0}\nLast-Modified: {-864000}", 200, 86_400),
    ("Date: {0}\nLast-Modified: {-8640000}", 200, 86_400), ("Date: {0}\nLast-Modified: {100}", 200, 0),
    ("Date: {0}\nLast-Modified: x", 200, 0), ("Date: {0}", 200, 0),
    ("Date: {0}\nLast-Modified: {-100}", 404, 10),
    ("Date: {0}\nLast-Modified: {-100}", 302, 0), ("Date: {0}\nLast-Modified: {-100}", 599, 0),
    ("Date: {0}\nLast-Modified: {-100}\nCache-Control: public", 599, 10),
    ("Date: {0}\nLast-Modified: {-100}\nExpires: 0", 200, 0),
    ("Date: {0}\nLast-Modified: {-100}\nCache-Control: max-age = 60", 200, 0),
    ("Date: {0}\nLast-Modified: {-100}\nCache-Control: s-maxage=60", 200, 10),
    ("Date: {0}\nLast-Modified: {-100}\nPragma: no-cache", 200, 10),
  ])
  func guessesALifetimeFromLastModified(text: String, status: Int, seconds: Int) {
    #expect(lifetime(text, privateRules, status: status) == seconds)
    let careful = CacheRules(usesHeuristics: false)
    #expect(lifetime(text, careful, status: status) == 0)
  }
}

/// RFC 9111 4.2.3 and 5.1: ages.
@Suite struct AgeTests {
  private func age(_ text: String, sent: Double = 0, received: Double = 0, now: Double) -> Int {
    let response = CachedResponse(
      head: response(text),
      requestTime: time(sent),
      responseTime: time(received)
    )
    return privateRules.age(of: response, at: time(now))
  }

  @Test(arguments: [
    ("Date: {0}", 0.0, 0.0, 0.0, 0), ("Date: {0}", 0, 0, 5, 5), ("Date: {-3600}", 0, 0, 0, 3600),
    ("Date: {-3600}\nAge: 10", 0, 0, 0, 3600), ("Date: {-10}\nAge: 25", 0, 0, 0, 25),
    ("Date: {3600}", 0, 0, 5, 5),
    ("Date: {3600}\nAge: 7", 0, 0, 5, 12), ("Date: {8}", 0, 8, 8, 8), ("Date: {8}\nAge: 2", 0, 8, 9, 11),
    ("Date: {8}", 8, 0, 8, 8), ("", 0, 0, 4, 4), ("Date: x", 0, 0, 4, 4), ("Date: {0}", 0, 0, -86_400, 0),
    ("Date: {0}\nAge: 30", 0, 0, -86_400, 30), ("Date: {0}", 0.25, 0.5, 0.5, 0),
    ("Date: {0}", 0, 0.75, 1.75, 1),
  ])
  func calculatesTheAge(text: String, sent: Double, received: Double, now: Double, seconds: Int) {
    #expect(age(text, sent: sent, received: received, now: now) == seconds)
  }

  @Test(arguments: [
    ("Age: 7200", 7200), ("Age: 1, 5", 1), ("Age: 7200,0", 7200), ("Age: 0\nAge: 7200", 0),
    ("Age: 7200\nAge: 0", 7200),
    ("Age: -1", 0), ("Age: abc", 0), ("Age: 1.5", 0), ("Age:", 0), ("Age: 4294967296", 2_147_483_648),
    ("Age: 99999999999999999999999", 2_147_483_648), ("Age: 007", 7), ("Age: 5 x", 0), ("Age: +5", 0),
  ])
  func readsTheAgeField(text: String, seconds: Int) {
    #expect(age("Date: {0}\n" + text, now: 0) == seconds)
  }

  @Test func impossibleTimesDoNotTrap() {
    let far = [
      Date.distantPast, .distantFuture, Date(timeIntervalSince1970: .infinity),
      Date(timeIntervalSince1970: .nan),
    ]
    for a in far {
      for b in far {
        for c in far {
          let stored = CachedResponse(
            head: response("Cache-Control: max-age=60\nLast-Modified: {0}\nExpires: {1}"),
            requestTime: a,
            responseTime: b
          )
          #expect(privateRules.age(of: stored, at: c) >= 0)
          #expect(privateRules.lifetime(of: stored) == 60)
          let plain = CachedResponse(
            head: response("Expires: {1}\nLast-Modified: {0}"),
            requestTime: a,
            responseTime: b
          )
          #expect(privateRules.lifetime(of: plain) >= 0)
        }
      }
    }
  }

  /// RFC 9111 4.2: fresh if the lifetime is greater than the age.
  @Test(arguments: [
    UseRow("4.2", "Cache-Control: max-age=60", at: 59, gives: "serve"),
    UseRow("4.2", "Cache-Control: max-age=60", at: 60, gives: "forward stale"),
    UseRow("4.2", "Cache-Control: max-age=60\nAge: 60", at: 0, gives: "forward stale"),
    UseRow("4.2", "Cache-Control: max-age=3600\nAge: 7200", at: 0, gives: "forward stale"),
    UseRow("4.2", "Cache-Control: max-age=3600\nDate: {-7200}", at: 0, gives: "forward stale"),
    UseRow("4.2", "Date: {-10}\nExpires: {10}\nAge: 25", at: 0, gives: "forward stale"),
    UseRow("4.2", "Date: {10}\nExpires: {20}\nAge: 15", at: 0, gives: "forward stale"),
    UseRow("4.2", "Date: {0}\nExpires: {20}", at: 19, gives: "serve"),
    UseRow("4.2", "Date: {0}\nExpires: {20}", at: 20, gives: "forward stale"),
    UseRow("4.2.2", "Date: {0}\nLast-Modified: {-100}", at: 9, gives: "serve"),
    UseRow("4.2.2", "Date: {0}\nLast-Modified: {-100}", at: 10, gives: "validate stale since"),
  ])
  func decidesWhetherAResponseIsFresh(_ row: UseRow) throws { try row.check() }
}

/// The quick reader of dates against the complete one.
@Suite struct FieldDateTests {
  @Test(arguments: [
    "Sun, 06 Nov 1994 08:49:37 GMT", "Mon, 29 Feb 2000 00:00:00 GMT", "Mon, 29 Feb 1900 00:00:00 GMT",
    "Thu, 01 Jan 1970 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT", "Sat, 01 Jan 0000 00:00:00 GMT",
    "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:60 GMT",
    "Sun, 31 Apr 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 08:49:37 gmt", "123, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 UTC",
    "Sun  06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 19x4 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT", "",
    "0",
  ])
  func theFieldAndTheFullReaderAgree(text: String) {
    let field = HTTPField(name: .date, value: text)
    #expect(field.date(now: time(0)) == HTTPDate(text, now: time(0))?.secondsSince1970)
  }

  @Test func everyMonthIsRead() {
    for month in 0..<12 {
      let seconds = Double(month) * 2_629_800
      let date = HTTPDate(time(seconds))
      let field = HTTPField(name: .date, value: date?.description ?? "")
      #expect(field.date(now: time(0)) == date?.secondsSince1970)
    }
  }
}
