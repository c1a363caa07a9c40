import HTTPTypes
import StagecoachFormats
import Testing

@Suite struct EntityTagTests {
  private func tag(_ values: String...) -> EntityTag? {
    var fields = HTTPFields()
    for value in values { fields.append(HTTPField(name: .eTag, value: value)) }
    return fields.entityTag
  }

  @Test func tagsAreStrongOrWeak() throws {
    let (strong, weak) = (try #require(tag("\"a\"")), try #require(tag(" W/\"a\" ")))
    #expect(!strong.isWeak && weak.isWeak)
    #expect(strong.isStronglyEqual(to: strong) && !strong.isStronglyEqual(to: weak))
    #expect(!weak.isStronglyEqual(to: weak) && weak.isWeaklyEqual(to: strong))
    #expect(try !strong.isWeaklyEqual(to: #require(tag("\"b\""))))
    #expect(strong.text == "\"a\"" && weak.text == "W/\"a\"")
  }

  @Test(arguments: ["", "a", "\"a", "a\"", "\"", "w/\"a\"", "\"a b\"", "\"a\"b\"", "\"a\", \"b\""])
  func malformedTagsAreAbsent(value: String) {
    #expect(tag(value) == nil)
  }

  @Test func contradictingTagsAreAbsent() {
    #expect(tag("\"a\"", "\"a\"") != nil)
    #expect(tag("\"a\"", "\"b\"") == nil)
  }

  @Test(arguments: [
    ("*", true), ("\"a\"", true), ("W/\"a\"", true), ("\"b\", \"a\"", true), ("\"b\",x,W/\"a\"", true),
    ("\"b\"", false), ("", false), ("\"b,\"a\"", false),
  ])
  func listsCompareWeakly(value: String, matches: Bool) {
    #expect(EntityTagList([.ifNoneMatch: value]).matches(tag("\"a\"")) == matches)
  }
}
