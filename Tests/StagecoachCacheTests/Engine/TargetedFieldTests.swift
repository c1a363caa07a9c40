import HTTPTypes
import Testing

@testable import StagecoachCache

/// RFC 9213: CDN-Cache-Control, in a shared cache only.
@Suite struct TargetedFieldTests {
  #if StructuredFields
    @Test(arguments: [
      UseRow("9213", "CDN-Cache-Control: max-age=60", shared: true, gives: "serve"),
      UseRow("9213", "CDN-Cache-Control: max-age=99999999999", shared: true, gives: "serve"),
      UseRow("9213", "CDN-Cache-Control: max-age=3600\nAge: 7200", shared: true, gives: "forward stale"),
      UseRow("9213", "CDN-Cache-Control: foobar, max-age=60", shared: true, gives: "serve"),
      UseRow("9213", "CDN-Cache-Control: max-age=60;a=b", shared: true, gives: "serve"),
      UseRow(
        "9213",
        "CDN-Cache-Control: max-age=1\nCDN-Cache-Control: max-age=60",
        shared: true,
        gives: "serve"
      ),
      UseRow("9213", "CDN-Cache-Control: max-age=0", shared: true, gives: "forward stale"),
      UseRow("9213", "CDN-Cache-Control: max-age=-1", shared: true, gives: "forward stale"),
      UseRow("9213", "CDN-Cache-Control: max-age=60\nExpires: {-60}", shared: true, gives: "serve"),
      UseRow("9213", "CDN-Cache-Control: max-age=60\nExpires: 0", shared: true, gives: "serve"),
      UseRow("9213", "CDN-Cache-Control: max-age=0\nExpires: {60}", shared: true, gives: "forward stale"),
      UseRow("9213", "CDN-Cache-Control: max-age=60\nCache-Control: max-age=1", shared: true, gives: "serve"),
      UseRow(
        "9213",
        "CDN-Cache-Control: max-age=1\nCache-Control: max-age=60",
        shared: true,
        gives: "forward stale"
      ),
      UseRow("9213", "CDN-Cache-Control: max-age=60\nCache-Control: no-store", shared: true, gives: "serve"),
      UseRow(
        "9213",
        "CDN-Cache-Control: no-cache\nCache-Control: max-age=60\nETag: \"a\"",
        shared: true,
        gives: "validate stale \"a\""
      ),
      UseRow("9213", "CDN-Cache-Control: no-cache=?0, max-age=60", shared: true, gives: "serve"),
      UseRow(
        "9213",
        "CDN-Cache-Control: no-cache=\"a\", max-age=60\nETag: \"a\"",
        shared: true,
        gives: "validate stale \"a\""
      ),
      UseRow(
        "9213",
        "CDN-Cache-Control: public\nExpires: {60}\nETag: \"a\"",
        shared: true,
        gives: "validate stale \"a\""
      ),
      // What is empty or no dictionary is ignored.
      UseRow("9213", "CDN-Cache-Control:\nCache-Control: max-age=60", shared: true, gives: "serve"),
      UseRow(
        "9213",
        "CDN-Cache-Control: max-age=1, &&&\nCache-Control: max-age=60",
        shared: true,
        gives: "serve"
      ),
      UseRow("9213", "CDN-Cache-Control: MaX-aGe=1\nCache-Control: max-age=60", shared: true, gives: "serve"),
      UseRow(
        "9213",
        "CDN-Cache-Control: max-age =1\nCache-Control: max-age=60",
        shared: true,
        gives: "serve"
      ),
      UseRow(
        "9213",
        "CDN-Cache-Control: max-age= 1\nCache-Control: max-age=60",
        shared: true,
        gives: "serve"
      ),
      // A private cache has nothing to do with it.
      UseRow("9213", "CDN-Cache-Control: max-age=1\nCache-Control: max-age=60", gives: "serve"),
    ])
    func targetedFieldsDecideReuse(_ row: UseRow) throws { try row.check() }

    @Test(arguments: [
      StoringRow(
        "9213",
        "CDN-Cache-Control: private\nCache-Control: max-age=60",
        shared: true,
        gives: "privateInShared"
      ),
      StoringRow(
        "9213",
        "CDN-Cache-Control: private=1\nCache-Control: max-age=60",
        shared: true,
        gives: "privateInShared"
      ),
      StoringRow(
        "9213",
        "CDN-Cache-Control: no-store\nCache-Control: max-age=60",
        shared: true,
        gives: "noStore"
      ),
      StoringRow("9213", "CDN-Cache-Control: no-store=x, max-age=60", shared: true, gives: "noStore"),
      StoringRow(
        "9213",
        "CDN-Cache-Control: max-age=60, &&&&&\nCache-Control: no-store",
        shared: true,
        gives: "noStore"
      ),
      StoringRow(
        "9213",
        "CDN-Cache-Control: max-age=\"60\"\nCache-Control: max-age=60",
        shared: true,
        gives: "noFreshness"
      ),
      StoringRow(
        "9213",
        "CDN-Cache-Control: max-age=60.0\nCache-Control: max-age=60",
        shared: true,
        gives: "noFreshness"
      ),
      StoringRow(
        "9213",
        "CDN-Cache-Control: max-age\nCache-Control: max-age=60",
        shared: true,
        gives: "noFreshness"
      ),
      StoringRow(
        "9213",
        "CDN-Cache-Control: max-age=(60)\nCache-Control: max-age=60",
        shared: true,
        gives: "noFreshness"
      ),
      StoringRow(
        "9213",
        "CDN-Cache-Control: public=1, max-age=60",
        request: "Authorization: x",
        shared: true,
        gives: "authorization"
      ),
      StoringRow(
        "9213",
        "CDN-Cache-Control: public, max-age=60",
        request: "Authorization: x",
        shared: true,
        gives: "stored"
      ),
      StoringRow(
        "9213",
        "CDN-Cache-Control: max-age=60\nCache-Control: public",
        request: "Authorization: x",
        shared: true,
        gives: "authorization"
      ),
      StoringRow("9213", "CDN-Cache-Control: no-store\nCache-Control: max-age=60", gives: "stored"),
    ])
    func targetedFieldsDecideStoring(_ row: StoringRow) { row.check() }

    @Test func theFieldIsPassedOn() throws {
      let stored = try sharedRules.store("CDN-Cache-Control: max-age=60").get()
      #expect(stored.head.headerFields[.cdnCacheControl] == "max-age=60")
    }
  #else
    @Test(arguments: [
      StoringRow(
        "9213",
        "CDN-Cache-Control: max-age=60\nCache-Control: max-age=60",
        shared: true,
        gives: "targetedField"
      ),
      StoringRow("9213", "CDN-Cache-Control: max-age=60\nCache-Control: max-age=60", gives: "stored"),
    ])
    func withoutTheTraitASharedCacheDoesNotStoreWhatItCannotRead(_ row: StoringRow) { row.check() }
  #endif
}
