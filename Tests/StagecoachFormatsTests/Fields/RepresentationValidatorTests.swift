import HTTPTypes
import StagecoachFormats
import Testing

@Suite struct RepresentationValidatorTests {
  private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

  private func head(_ fields: HTTPFields) -> HTTPResponse { HTTPResponse(status: .ok, headerFields: fields) }

  @Test(arguments: ["\"a\"", "\"\"", "\"a b\"", "\"\u{e4}\""])
  func takesAStrongTag(tag: String) {
    // A space is no character of an entity tag.
    let expected: RepresentationValidator? = tag.contains(" ") ? nil : .entityTag(tag)
    #expect(RepresentationValidator(head([.eTag: tag])) == expected)
  }

  @Test(arguments: ["W/\"a\"", "w/\"a\"", "a", "\"a", "a\"", "\"", "", "\"a\"b\""])
  func takesNoWeakOrMalformedTag(tag: String) {
    #expect(RepresentationValidator(head([.eTag: tag])) == nil)
    // A date is no substitute for a tag that is there: the server itself says that versions may differ.
    #expect(
      RepresentationValidator(
        head([.eTag: tag, .lastModified: "Sun, 06 Nov 1994 08:49:30 GMT", .date: Self.date])
      ) == nil
    )
  }

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:36 GMT", true), ("Sun, 06 Nov 1994 08:49:37 GMT", false),
    ("Sun, 06 Nov 1994 08:49:38 GMT", false), ("Sat, 05 Nov 1994 08:49:37 GMT", true), ("yesterday", false),
  ])
  func takesALastModifiedThatIsOldEnough(modified: String, counts: Bool) {
    let validator = RepresentationValidator(head([.lastModified: modified, .date: Self.date]))
    #expect(validator == (counts ? .lastModified(modified) : nil))
    #expect(RepresentationValidator(head([.lastModified: modified])) == nil)
  }

  @Test func comparesTheValidatorsOfTwoParts() {
    let tag = RepresentationValidator.entityTag("\"a\"")
    #expect(tag.isShared(by: head([.eTag: "\"a\""])))
    #expect(!tag.isShared(by: head([:])))
    #expect(!tag.isShared(by: head([.eTag: "\"b\""])))
    #expect(!tag.isShared(by: head([.eTag: "W/\"a\""])))
    let date = RepresentationValidator.lastModified(Self.date)
    #expect(date.isShared(by: head([.lastModified: Self.date, .eTag: "\"b\""])))
    #expect(date.isShared(by: head([:])))
    #expect(!date.isShared(by: head([.lastModified: "Sun, 06 Nov 1994 08:49:38 GMT"])))
  }
}
