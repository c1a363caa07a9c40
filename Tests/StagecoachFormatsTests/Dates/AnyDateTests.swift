import StagecoachFormats
import Testing

@Suite struct AnyDateTests {
  private static func seconds(_ text: String) -> Int64? {
    var text = text
    return text.withUTF8 { octets in
      var reader = DateReader(octets: octets)
      return reader.anyDate()?.seconds
    }
  }

  /// The list of feedparser 6.0.14, with the results of feedparser; where ours is another one, the text is a date of
  /// neither ISO 8601, nor RFC 5322, nor HTTP.
  @Test(
    arguments: [
      ("Thu, 30 Apr 2015 08:57:00 MET", 1_430_380_620), ("Thu, 30 Apr 2015 08:57:00 MEST", 1_430_377_020),
      ("Thu, 01 Jan 0100 00:00:01 +0100", -59_011_462_799), ("Thu, 01 Jan 04 19:48:21 GMT", 1_072_986_501),
      ("Thu, 01 Jan 2004 19:48:21 GMT", 1_072_986_501), ("Thu,  5 Apr 2012 10:00:00 GMT", 1_333_620_000),
      ("Wed, 19 Feb 2012 22:40:00 -01:01", 1_329_694_860), ("Thu, 01 Jan 2004 00:00 GMT", 1_072_915_200),
      ("Sun Jan  4 16:29:06 2004", 1_073_233_746),
      ("2003-12-31T10:14:55Z", 1_072_865_695), ("2003-12-31T10:14:55-08:00", 1_072_894_495),
      ("2003-12-31T18:14:55+08:00", 1_072_865_695), ("2007-04-23T23:25:47.538+10:00", 1_177_334_747),
      ("2003-12-31", 1_072_828_800), ("2003-12", 1_070_236_800), ("2003", 1_041_379_200),
      ("2004-02-28T18:14:55-08:00", 1_078_020_895), ("2003-02-28T18:14:55-08:00", 1_046_484_895),
      ("2000-02-28T18:14:55-08:00", 951_790_495), ("2004-07-08 23:56:58 -00:20", 1_089_332_218),
      ("2004-07-08 23:56:58", 1_089_331_018), ("2004-07-08 23:56:58.0", 1_089_331_018),
      ("2003-12-31T10:14:55.1234Z", 1_072_865_695),
      ("", nil), ("Sun, 16 Dec 2012 1:2:3:4 GMT", nil), ("Sun, 16 zzz 2012 11:47:32 GMT", nil),
      ("Sun, Dec x 2012 11:47:32 GMT", nil), ("Sun, 16 Dec zz 11:47:32 GMT", nil),
      ("Sun, 16 Dec 2012 11:47:32 +zz:00", nil), ("Sun, 16 Dec 2012 11:47:32 +00:zz", nil),
      ("Sun, 99 Jun 2009 12:00:00 GMT", nil), ("9999-12-31T23:59:59-99:99", nil),
      ("2003-12-31T25:14:55Z", nil), ("2003-12-31T10:61:55Z", nil), ("2003-12-31T10:14:61Z", nil),
      ("22013", nil), ("013", nil), ("2013-01-27-01", nil), ("2013-01-28T11:30:00-06:00Textra", nil),
      ("2013-xx-27", nil), ("2013-01-28T09:xx:00Z", nil), ("2013-01-28T09:00:00+00:xx", nil),
      // Not read: swapped or unknown parts, and years of two digits in ISO 8601, which no longer has them.
      ("Wed, 19 Aug 2009 18:28:00 Etc/GMT", nil), ("Wed, 19 Feb 2012 22:40:00 GMT-01:01", nil),
      ("Mon, 13 Feb, 2012 06:28:00 UTC", nil), ("Thu, 01 Jan 2004", nil),
      ("Mon, 26 January 2004 16:31:00 AT", nil), ("Thu Aug 30 2012 17:26:16 +0200", nil),
      ("Sun Jul 15 01:16:00 +0000 2012", nil), ("-0312", nil), ("031231", nil), ("03-12-31", nil),
      ("-03-12", nil), ("03335", nil), ("2003-012-31T10:14:55+00:00", nil),
    ] as [(String, Int64?)]
  )
  func readsTheDatesOfFeedparser(text: String, expected: Int64?) {
    #expect(Self.seconds(text) == expected)
  }

  /// 2018-12-21T03:27:25Z in the forms of RFC 5322 3.3 and 4.3.
  @Test(arguments: [
    "Fri, 21 Dec 2018 03:27:25 +0000 (UTC)", "Fri,21 Dec 2018 03:27:25 +0000",
    "Fri, 21 Dec 2018 03:27:25 gmt",
    "Fri, 21 Dec 2018 03:27:25 A", "Fri, 21 Dec 2018 03:27:25 y", "Fri, 21 Dec 2018 03:27:25 Z",
    "21 Dec 2018 03:27:25 -0000", "Fri , 21 Dec 2018 03 : 27 : 25 +0000", "21Dec2018 03:27:25+0000",
    "(a (nested \\) one)) Fri (day), 21 (b) Dec (c) 18 (d) 03 (e) : (f) 27 (g) : (h) 25 (i) UT (j)",
    " Fri,\r\n 21 Dec 118 03:27:25\t+0000 ", "Thu, 20 Dec 2018 22:27:25 est",
    "Fri, 21 Dec 2018 05:27:25 +0200",
    "Fri, 21 Dec 2018 03:27:25 XYZ",
  ])
  func readsInternetMessageDates(text: String) {
    #expect(Self.seconds(text) == 1_545_362_845)
  }

  @Test(arguments: [
    "Fri, 21 Dec 2018 03:27:25", "Fri, 21 Dec 2018 03:27:25 J", "Fri, 21 Dec 2018 03:27:25 +000",
    "Fri, 21 Dec 2018 03:27:25 +0060", "Fri, 21 Dec 2018 03:27:25 (UTC", "Fri, 21 Dec 2018 03:27:25 +0000 x",
    "Fri, 21 Dec 2018 24:00:00 +0000", "Fri, 29 Feb 2018 03:27:25 +0000", ", 21 Dec 2018 03:27:25 +0000",
    "Fri 21 Dec 2018 03:27:25 +0000", "Fri, 21 Dec 2018 03:27: +0000", "Fri, 21 Dec 8 03:27:25 +0000",
    "Fri, 21 Dec 2018 03:27:25 EASTERN", "(", "Fri, (\\",
  ])
  func refusesWhatIsNotADate(text: String) {
    #expect(Self.seconds(text) == nil)
  }

  /// 2018-12-21T03:27Z.
  @Test(arguments: [
    "2018-12-21T03:27Z", "2018-12-21T03:27:00+0000", "2018-12-21 03:27:00Z", "2018-12-21t03:27z",
    "2018-12-21T03:27", "2018-12-21 05:27 +02", "2018-12-21T03:27:00,000Z",
  ])
  func readsTheFormsOfISO8601(text: String) {
    #expect(Self.seconds(text) == 1_545_362_820)
  }
}
