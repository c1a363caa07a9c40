import HTTPTypes
import StagecoachFormats
import Testing

@Suite struct CacheControlTests {
  private func response(_ value: String) -> CacheControl { CacheControl(response: [.cacheControl: value]) }

  @Test func directivesAreReadInAnyCaseAndForm() {
    let control = response("Public , MAX-AGE=\"60\",s-maxage=7, must-revalidate, x=\"no-store, private\",,")
    #expect(control.isPublic && control.isMustRevalidate && !control.isNoStore && !control.isPrivate)
    #expect(control.maxAge == 60 && control.sMaxAge == 7 && !control.hasMalformedElement)
    #expect(response("no-store").isNoStore && response("no-cache=\"a\"").isNoCache)
    #expect(response("private=\"B, a\"").privateFields == ["a", "b"])
    #expect(response("private").isPrivate)
  }

  @Test(arguments: [
    ("max-age=x", 0), ("max-age", 0), ("max-age=-1", 0), ("max-age=60,max-age=60", 60),
    ("max-age=60,max-age=7", 0),
    ("max-age=99999999999999999999", 1 << 31), ("max-age = 60", 0),
  ])
  func malformedLifetimesAreTheShortest(value: String, seconds: Int) {
    #expect(response(value).maxAge == seconds)
  }

  @Test func aRequestTakesTheSmallerLifetime() {
    let control = CacheControl(request: [.cacheControl: "max-age=60, max-age=7, max-stale, min-fresh=x"])
    #expect(control.maxAge == 7 && control.maxStale == .max && control.minFresh == .max)
  }

  @Test func severalFieldsAreOneList() {
    var fields: HTTPFields = [.cacheControl: "no-store"]
    fields.append(HTTPField(name: .cacheControl, value: "max-age=1"))
    let control = CacheControl(response: fields)
    #expect(control.isNoStore && control.maxAge == 1)
  }

  @Test func pragmaHasTheSameForm() throws {
    let name = try #require(HTTPField.Name("Pragma"))
    #expect(CacheControl.isNoCache(HTTPField(name: name, value: "x, No-Cache")))
    #expect(!CacheControl.isNoCache(HTTPField(name: name, value: "x=\"no-cache\"")))
  }
}
