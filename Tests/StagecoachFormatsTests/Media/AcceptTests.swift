import HTTPTypes
import StagecoachFormats
import Testing

@Suite struct AcceptTests {
  /// The example of RFC 9110 12.5.1 and its table.
  @Test(
    arguments: [
      ("text/plain;format=flowed", 1), ("text/plain", 0.7), ("text/html", 0.3), ("image/jpeg", 0.5),
      ("text/plain;format=fixed", 0.4), ("text/html;level=3", 0.3),
    ] as [(String, Double)]
  )
  func ranksTypesAsTheStandardsTable(type: String, quality: Double) throws {
    let accept = try #require(
      Accept(
        "text/*;q=0.3, text/plain;q=0.7, text/plain;format=flowed, text/plain;format=fixed;q=0.4, */*;q=0.5"
      )
    )
    #expect(accept.quality(of: try #require(MediaType(type))) == quality)
  }

  @Test(
    arguments: [
      ("audio/*; q=0.2, audio/basic", "audio/basic", 1), ("audio/*; q=0.2, audio/basic", "audio/mp3", 0.2),
      ("audio/*; q=0.2, audio/basic", "text/plain", 0), ("*/*, text/html;q=0", "text/html", 0),
      ("text/html;q=0, */*", "text/html;level=1", 0), ("text/html;q=0, */*", "text/plain", 1),
      ("*/*;q=0.1, application/*;q=0.2, application/*+json;q=0.3", "application/a+json", 0.3),
      ("application/*+json;q=0.3, application/a+json;q=0", "application/a+json", 0),
      // Of equally narrow ranges the first decides.
      ("a/b;q=0.2, a/b;q=0.8", "a/b", 0.2), ("a/b;x=1;q=0.2, a/b;y=2;q=0.8", "a/b;y=2;x=1", 0.2),
      ("a/b;charset=x;q=0.2, a/b;q=0.8", "a/b;charset=y", 0.2),
      // Nothing that is listed is as no field.
      ("", "a/b", 1), (" , ,", "a/b", 1),
    ] as [(String, String, Double)]
  )
  func theNarrowestRangeDecides(text: String, type: String, quality: Double) throws {
    let accept = try #require(Accept(text))
    #expect(accept.quality(of: try #require(MediaType(type))) == quality)
  }

  @Test func theRangeThatDecidesIsKnown() throws {
    let accept = Accept([.any.weighted(0), .anyText, .html])
    #expect(accept.range(for: .html) == .html)
    #expect(accept.range(for: .plainText) == .anyText)
    #expect(accept.range(for: .json)?.quality == 0)
    #expect(Accept([.html]).range(for: .json) == nil)
  }

  @Test(arguments: [
    ("text/html", "text/html"), ("Text/HTML;Q=0.50,\t*/*", "text/html;q=0.5, */*"),
    ("a/b;q=1, c/d;q=1.000;ext=1", "a/b, c/d"), (",, a/b ,, c/d,", "a/b, c/d"),
    ("a/b;v=\"x, y\\\", z\";q=0.1, c/d", "a/b;v=\"x, y\\\", z\";q=0.1, c/d"),
    ("a/b;q=2, c/d, text, */html, e/f", "c/d, e/f"), ("a/b;v=\"open, c/d", "a/b;v=\"open, c/d\""),
    ("", ""),
  ])
  func printsWhatItReads(text: String, printed: String) throws {
    let accept = try #require(Accept(text))
    #expect(accept.description == printed)
    #expect(Accept(printed) == accept)
  }

  @Test(arguments: ["text", ";", "*/html, q=1", "\"", "\"\\", "a/b;q=2"])
  func whatHasNoReadableRangeIsNil(text: String) {
    #expect(Accept(text) == nil)
  }

  @Test func rangesAreLimited() {
    let most = (0..<Accept.maximumCount).map { "a/b\($0)" }.joined(separator: ",")
    #expect(Accept(most)?.ranges.count == 256)
    #expect(Accept(most + ",, ,")?.ranges.count == 256)
    #expect(Accept(most + ",c") == nil)
    #expect(Accept(String(repeating: ",", count: 100_000))?.ranges == [])
  }

  @Test func theFieldIsTyped() {
    var fields: HTTPFields = [:]
    #expect(fields.accept == nil)
    fields.append(HTTPField(name: .accept, value: "text/html"))
    fields.append(HTTPField(name: .accept, value: "text/plain;q=0.5"))
    #expect(fields.accept == Accept([.html, .plainText.weighted(0.5)]))
    fields.accept = Accept([.json])
    #expect(fields[values: .accept] == ["application/json"])
    fields.accept = nil
    #expect(fields.isEmpty)
    fields[.accept] = "garbage"
    #expect(fields.accept == nil)
  }

  @Test func theFieldOfContentTypeIsTyped() throws {
    var fields: HTTPFields = [.contentType: "Text/HTML; Charset=\"latin1\""]
    #expect(fields.contentType?.charset == .windows1252)
    fields.append(HTTPField(name: .contentType, value: "text/plain"))
    #expect(fields.contentType?.essence == .html)
    fields.contentType = .plainText.with(charset: .utf8)
    #expect(fields[values: .contentType] == ["text/plain;charset=UTF-8"])
    fields.contentType = nil
    #expect(fields.isEmpty)
    fields[.contentType] = "text/html, text/plain"
    #expect(fields.contentType == nil)
  }
}
