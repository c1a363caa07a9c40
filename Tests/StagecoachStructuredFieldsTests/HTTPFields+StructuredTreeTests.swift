#if StructuredFields
  import HTTPTypes
  import RawStructuredFieldValues
  import StagecoachStructuredFields
  import Testing

  @Suite struct StructuredFieldTreeTests {
    private enum Form: CaseIterable { case item, list, dictionary }

    /// Reads a field in a form and writes it again.
    private func rewritten(_ fields: HTTPFields, as form: Form) throws -> String? {
      var written = HTTPFields()
      switch form {
      case .item:
        guard let item = try fields.structuredItem(for: .example) else { return nil }
        try written.setStructured(item, for: .example)
      case .list:
        guard let list = try fields.structuredList(for: .example) else { return nil }
        try written.setStructured(list, for: .example)
      case .dictionary:
        guard let dictionary = try fields.structuredDictionary(for: .example) else { return nil }
        try written.setStructured(dictionary, for: .example)
      }
      return written[.example] ?? ""
    }

    /// Examples of RFC 9651 3, and what they are in the form that 4.1 writes.
    @Test func examplesAreReadAndWrittenInTheirOwnForm() throws {
      let examples: [(Form, String, String)] = [
        (.item, "5; foo=bar", "5;foo=bar"),
        (.item, "  007.50 ", "7.5"),
        (.item, "1;a;b=?0;a=2", "1;a=2;b=?0"),
        (.list, "sugar ,\ttea,rum", "sugar, tea, rum"),
        (
          .list, "abc;a=1;b=2; cde_456, (ghi;jk=4 l);q=\"9\";r=w",
          "abc;a=1;b=2;cde_456, (ghi;jk=4 l);q=\"9\";r=w"
        ),
        (
          .list, "(\"foo\"; a=1;b=2);lvl=5, ( \"bar\"  \"baz\" );lvl=1",
          "(\"foo\";a=1;b=2);lvl=5, (\"bar\" \"baz\");lvl=1"
        ),
        (.list, "", ""),
        (.dictionary, "en=\"Applepie\", da=:w4ZibGV0w6ZydGU=:", "en=\"Applepie\", da=:w4ZibGV0w6ZydGU=:"),
        (.dictionary, "a=?0, b, c; foo=bar", "a=?0, b, c;foo=bar"),
        (.dictionary, "a=(1 2), b=3, c=4;aa=bb, d=(5 6);valid", "a=(1 2), b=3, c=4;aa=bb, d=(5 6);valid"),
        (.dictionary, "a=1,b=2,a=3", "a=3, b=2"),
        (.dictionary, "at=@-1, shown=%\"f%c3%bc%c3%bc\"", "at=@-1, shown=%\"f%c3%bc%c3%bc\""),
      ]
      for (form, text, expected) in examples {
        #expect(try rewritten(lines(text), as: form) == expected, "\(form): \(text)")
      }
      #expect(try rewritten(lines("foo=1", "bar=2"), as: .dictionary) == "foo=1, bar=2")
    }

    @Test func theTreeIsWhatWasSent() throws {
      let item = try #require(try lines("5;foo=bar").structuredItem(for: .example))
      #expect(item.rfc9651BareItem == .integer(5))
      #expect(item.rfc9651Parameters["foo"] == .token("bar"))
      let dictionary = try #require(try lines("z=1, a=(x)").structuredDictionary(for: .example))
      #expect(dictionary.map(\.0) == ["z", "a"])
    }

    @Test func brokenValuesAreRefused() throws {
      let broken: [(Form, [String])] = [
        (
          .item,
          [
            "", "1 2", "1;", "1;A", "\"a", "\"é\"", "\"\\n\"", "1.", "1.2345", "1000000000000000", "--1",
            ":a", "?2", "@1.5", "%\"%C3\"", "(a)", "a, b",
          ]
        ),
        (.list, [",", "a,", "a b", "(a", "(a b", "(a,b)", "()()", "a,,b"]),
        (.dictionary, ["A=1", "a=", "a=1,", "=1", "a==1", "a=1 b=2", "1"]),
      ]
      for (form, values) in broken {
        for value in values {
          let failure = try reason { _ = try rewritten(lines(value), as: form) }
          #expect(failure == .malformed, "\(form): \(value)")
        }
      }
    }

    /// Whatever stands in a field, reading it ends in a value or an error, and what is read can be written.
    @Test func noValueStopsTheProgram() throws {
      let alphabet = Array("a1.-\"(); ,=:?@%*/\\Z_é".unicodeScalars)
      var state: UInt64 = 7
      func next(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
      }
      var read = 0
      for _ in 0..<20_000 {
        var text = ""
        for _ in 0..<next(12) { text.unicodeScalars.append(alphabet[next(alphabet.count)]) }
        for form in Form.allCases {
          do {
            guard let once = try rewritten(lines(text), as: form) else { continue }
            read += 1
            #expect(try rewritten(lines(once), as: form) == once)
          } catch let error as StructuredFieldError {
            #expect(error.reason == .malformed)
          }
        }
      }
      #expect(read > 1000)
    }

    @Test func anAbsentFieldIsNilAndALargeOneAnError() throws {
      for form in Form.allCases { #expect(try rewritten([:], as: form) == nil) }
      let fields = lines("abc")
      #expect(try reason { _ = try fields.structuredItem(for: .example, limit: 2) } == .tooLarge(limit: 2))
      #expect(try reason { _ = try fields.structuredList(for: .example, limit: 2) } == .tooLarge(limit: 2))
      #expect(
        try reason { _ = try fields.structuredDictionary(for: .example, limit: 2) } == .tooLarge(limit: 2)
      )
    }
  }
#endif
