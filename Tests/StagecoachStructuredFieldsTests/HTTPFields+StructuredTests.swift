#if StructuredFields
  import Foundation
  import HTTPTypes
  import StagecoachStructuredFields
  import StructuredFieldValues
  import Testing

  @Suite struct TypedStructuredFieldTests {
    private struct Priority: StructuredFieldValue, Equatable {
      static let structuredFieldType = StructuredFieldType.dictionary
      var u: Int?
      var i: Bool?
    }

    private struct Cache: Codable, Equatable {
      struct Parameters: Codable, Equatable {
        var hit: Bool?
        var ttl: Int?
      }
      var item: String
      var parameters: Parameters
    }

    private struct Caches: StructuredFieldValue, Equatable {
      static let structuredFieldType = StructuredFieldType.list
      var items: [Cache]
    }

    private struct Inner: Codable, Equatable {
      struct Parameters: Codable, Equatable { var lvl: Int }
      var items: [String]
      var parameters: Parameters
    }

    /// The examples of RFC 9651 3.3, read, and written again.
    @Test func readsAndWritesBareItems() throws {
      func check<Value: Codable & Equatable & Sendable>(_ text: String, _ value: Value) throws {
        #expect(try lines(text).structured(Single<Value>.self, for: .example)?.item == value)
        var fields = HTTPFields()
        try fields.setStructured(Single(item: value), for: .example)
        #expect(fields[.example] == text)
      }
      try check("42", 42)
      try check("-999999999999999", -999_999_999_999_999 as Int64)
      try check("4.5", 4.5)
      try check("-0.125", -0.125)
      try check(#""hello world""#, "hello world")
      try check(#""a \"quote\" and a \\""#, #"a "quote" and a \"#)
      try check("foo123/456", "foo123/456")
      let binary = Data("pretend this is binary content.".utf8)
      try check(":cHJldGVuZCB0aGlzIGlzIGJpbmFyeSBjb250ZW50Lg==:", binary)
      try check("?1", true)
      try check("?0", false)
      try check("@1659578233", Date(timeIntervalSince1970: 1_659_578_233))
      try check(
        "%\"This is intended for display to %c3%bcsers.\"",
        DisplayString(rawValue: "This is intended for display to üsers.")
      )
    }

    @Test func readsAndWritesDictionaries() throws {
      let read = try lines("u=1, i").structured(Priority.self, for: .example)
      #expect(read == Priority(u: 1, i: true))
      #expect(try lines("i=?0").structured(Priority.self, for: .example) == Priority(u: nil, i: false))
      // A member that the type does not know is passed over, of equal keys the last one counts.
      #expect(try lines("u=1, x=(a b), u=7").structured(Priority.self, for: .example)?.u == 7)
      var fields = lines("old", "older")
      try fields.setStructured(Priority(u: 5, i: true), for: .example)
      #expect(fields[values: .example] == ["u=5, i"])
    }

    @Test func readsAndWritesListsWithParameters() throws {
      let value = Caches(items: [
        Cache(item: "Origin Cache", parameters: .init(hit: true, ttl: 1100)),
        Cache(item: "CDN", parameters: .init(hit: nil, ttl: nil)),
      ])
      let text = #""Origin Cache";hit;ttl=1100, CDN"#
      #expect(try lines(text).structured(Caches.self, for: .example) == value)
      var fields = HTTPFields()
      try fields.setStructured(value, for: .example)
      #expect(fields[.example] == text)
    }

    /// RFC 9651 3.1.1.
    @Test func readsAndWritesInnerLists() throws {
      let bare = try lines(#"("foo" "bar"), ("baz"), ("bat" "one"), ()"#)
        .structured(Several<[String]>.self, for: .example)
      #expect(bare?.items == [["foo", "bar"], ["baz"], ["bat", "one"], []])
      let text = #"("foo" "b r");lvl=5, ("baz");lvl=1"#
      let expected = Several(items: [
        Inner(items: ["foo", "b r"], parameters: .init(lvl: 5)),
        Inner(items: ["baz"], parameters: .init(lvl: 1)),
      ])
      #expect(try lines(text).structured(Several<Inner>.self, for: .example) == expected)
    }

    /// RFC 9651 3.1 and 3.2: wherever a field is cut into lines, at commas.
    @Test func linesAreOneValue() throws {
      let expected = ["sugar", "tea", "rum"]
      for fields in [lines("sugar, tea, rum"), lines("sugar, tea", "rum"), lines("sugar", "tea", "rum")] {
        #expect(try fields.structured(Several<String>.self, for: .example)?.items == expected)
      }
      #expect(try lines("u=1", "i").structured(Priority.self, for: .example) == Priority(u: 1, i: true))
      // An item has one line, and an empty line leaves a comma without a member.
      #expect(
        try reason { _ = try lines("1", "2").structured(Single<Int>.self, for: .example) } == .malformed
      )
      #expect(
        try reason { _ = try lines("a", "").structured(Several<String>.self, for: .example) } == .malformed
      )
    }

    @Test func anAbsentFieldIsNilAndAnEmptyOneEmpty() throws {
      #expect(try HTTPFields().structured(Priority.self, for: .example) == nil)
      #expect(try lines("").structured(Priority.self, for: .example) == Priority())
      #expect(try lines("").structured(Several<Int>.self, for: .example)?.items == [])
      #expect(try reason { _ = try lines("").structured(Single<Int>.self, for: .example) } == .malformed)
      var fields = lines("1", "2")
      try fields.setStructured(Several<Int>(items: []), for: .example)
      #expect(fields.isEmpty)
      fields = lines("u=1")
      try fields.setStructured(Priority(), for: .example)
      #expect(fields.isEmpty)
    }

    @Test func otherContentIsAMismatch() throws {
      #expect(try reason { _ = try lines("a").structured(Single<Int>.self, for: .example) } == .mismatch)
      #expect(try reason { _ = try lines("300").structured(Single<UInt8>.self, for: .example) } == .mismatch)
      #expect(try reason { _ = try lines("?1, 2").structured(Several<Int>.self, for: .example) } == .mismatch)
      #expect(
        try reason { _ = try lines(#"("a")"#).structured(Several<Inner>.self, for: .example) } == .mismatch
      )
      #expect(try reason { _ = try lines("u=high").structured(Priority.self, for: .example) } == .mismatch)
    }

    @Test func theLimitCountsAllLines() throws {
      let fields = lines("aaaa", "bbbb")
      #expect(try fields.structured(Several<String>.self, for: .example, limit: 10)?.items.count == 2)
      let small = try reason { _ = try fields.structured(Several<String>.self, for: .example, limit: 9) }
      #expect(small == .tooLarge(limit: 9))
      let large = lines("\"" + String(repeating: "a", count: 16_382) + "\"")
      #expect(try large.structured(Single<String>.self, for: .example)?.item.count == 16_382)
      let larger = lines("\"" + String(repeating: "a", count: 16_383) + "\"")
      let byDefault = try reason { _ = try larger.structured(Single<String>.self, for: .example) }
      #expect(byDefault == .tooLarge(limit: 16_384))
    }

    @Test func whatCannotBeWrittenChangesNothing() throws {
      func check<Value: Codable & Equatable & Sendable>(_ value: Value) throws {
        var fields = lines("old")
        #expect(try reason { try fields.setStructured(Single(item: value), for: .example) } == .unwritable)
        #expect(fields == lines("old"))
      }
      try check("Grüße")
      try check("line\nbreak")
      try check(1_000_000_000_000_000)
      try check(1_000_000_000_000.0)
    }
  }
#endif
