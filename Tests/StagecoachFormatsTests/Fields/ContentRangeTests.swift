import StagecoachFormats
import Testing

@Suite struct ContentRangeTests {
  @Test(
    arguments: [
      ("bytes 0-499/1234", 0, 499, 1234), ("bytes 500-1233/1234", 500, 1233, 1234), ("BYTES 0-0/1", 0, 0, 1),
      ("bytes 7-9/*", 7, 9, nil), ("bytes  0-499/1234", 0, 499, 1234),
      (
        "bytes 0-9223372036854775806/9223372036854775807", 0, 9_223_372_036_854_775_806,
        9_223_372_036_854_775_807
      ),
    ] as [(String, Int64, Int64, Int64?)]
  )
  func rangesHaveBytesAndATotal(field: String, first: Int64, last: Int64, total: Int64?) {
    let range = ContentRange(field)
    #expect(range?.bytes == first..<(last + 1))
    #expect(range?.total == total)
  }

  @Test func unsatisfiedRangesHaveATotalOnly() {
    #expect(ContentRange("bytes */1234")?.bytes == nil)
    #expect(ContentRange("bytes */1234")?.total == 1234)
  }

  @Test(arguments: [
    "", "bytes", "bytes 0-499", "bytes 0-499/", "bytes -499/1234", "bytes 500-/1234", "bytes 9-8/10",
    "bytes 0-10/10",
    "bytes */*", "items 0-4/5", "bytes 0-4/5 x", "bytes 0-4/5/6", "bytes 0-4-5/6", "bytes +0-4/5",
    "bytes 0-4/-5",
    "bytes 0-99999999999999999999/*", "bytes a-b/c", "bytes=0-4/5",
  ])
  func refusesAMalformedRange(field: String) {
    #expect(ContentRange(field) == nil)
  }
}
