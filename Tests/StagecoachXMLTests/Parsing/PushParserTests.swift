import StagecoachXML
import Testing

/// What comes in pieces means what it means at once, whatever the way to read it.
@Suite struct PushParserTests {
  /// The readings of a document at once, after a check that those of its pieces of any size are the same.
  private static func readings(
    _ bytes: [UInt8],
    encoding: String? = nil,
    step: Int = 1,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Readings {
    let whole = try await Readings(bytes, chunk: bytes.count, encoding: encoding)
    for chunk in stride(from: 1, to: bytes.count, by: step) {
      do {
        let pieces = try await Readings(bytes, chunk: chunk, encoding: encoding)
        #expect(pieces == whole, "\(chunk)", sourceLocation: sourceLocation)
        if pieces != whole { break }
      } catch {
        Issue.record("\(chunk): \(error)", sourceLocation: sourceLocation)
        break
      }
    }
    return whole
  }

  private static func readings(
    _ text: String,
    step: Int = 1,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Readings {
    try await readings(Array(text.utf8), step: step, sourceLocation: sourceLocation)
  }

  // MARK: - Ends of lines

  @Test func normalizesLineEndsInCDATA() async throws {
    let found = try await Self.readings(
      "<r>\r\n<a><![CDATA[1\r\n2\r3\n\r\r\n]]></a><b><![CDATA[\r]]>\n<![CDATA[\n\r]]></b><c>x\r\ny<![CDATA[]]></c></r>"
    )
    #expect(found.values == ["1\n2\n3\n\n\n", "\n\n\n\n", "x\ny"])
    #expect(found.records.map(\.text) == found.values)
    #expect(found.canonical == "<r>\n<a>1\n2\n3\n\n\n</a><b>\n\n\n\n</b><c>x\ny</c></r>")
    #expect(found.handled.contains("cdata 1\n2\n3\n\n\n"))
    #expect(found.batched.contains("cdata 1\n2\n3\n\n\n"))
  }

  /// Longer than what libxml2 waits for.
  @Test func normalizesLineEndsInLongCDATA() async throws {
    for (count, end) in [
      (297, "\r\n"), (299, "\r\n"), (300, "\r\n"), (301, "\r\n"), (299, "\r"), (100, "\r"),
    ] {
      let line = String(repeating: "x", count: count)
      let text = String(repeating: line + end, count: 7)
      let found = try await Self.readings("<r><a><![CDATA[\(text)]]></a></r>", step: 97)
      #expect(found.values == [String(repeating: line + "\n", count: 7)], "\(count)")
    }
  }

  @Test func normalizesLineEndsOutsideCDATA() async throws {
    let found = try await Self.readings(
      "<!DOCTYPE r [<!ENTITY e '1\r\n2'>]>\r\n<r><a b='1\r\n2\r3'>&e;\r</a><!--1\r\n2\r--><?p 1\r\n2?>\r</r>\r\n"
    )
    #expect(found.canonical == "<r><a b=\"1 2 3\">1\n2\n</a><?p 1\n2?>\n</r>")
    #expect(found.handled.contains("comment 1\n2\n") && found.handled.contains("pi p 1\n2"))
  }

  @Test func keepsCarriageReturnsByReference() async throws {
    let found = try await Self.readings("<r><a b='&#13;'>&#13;\r\n&#13;</a></r>")
    #expect(found.values == ["\r\n\r"])
    #expect(found.canonical == "<r><a b=\"&#xD;\">&#xD;\n&#xD;</a></r>")
  }

  // MARK: - Document types

  @Test(
    arguments: [
      "<!DOCTYPE r [<!-- > ]> ' -->]>", "<!DOCTYPE r [<!-- it's ]]> --> <!ENTITY f 'x'>]>",
      "<!DOCTYPE r [<?p > ]> ?>]>", "<!DOCTYPE r [<?p it's ?>]>", "<!DOCTYPE r [<?p \"]>?> <?p ?>]  >",
      "<!DOCTYPE r [<?p <!-- ?>]><!-- c --><?q d?>", "<!DOCTYPE r [<?p <!-- ' ?>]>",
      "<!DOCTYPE r [<!ENTITY e 'x'><?p \"?>]>",
      "<!DOCTYPE r [<!ENTITY f ']>'>\n]>", "<!DOCTYPE r [<!ENTITY f \"'>]>\">]\n>",
      "<!DOCTYPE r [<!ENTITY f SYSTEM 'x>]>y'>]>", "<!DOCTYPE r [<!NOTATION n PUBLIC 'x' 'a>]>b'>]>",
      "<!DOCTYPE r SYSTEM 'x>y'>", "<!DOCTYPE r SYSTEM \"x]>y\" [<!-- ' -->]>",
      "<!DOCTYPE r SYSTEM 'x[' [ ] >",
      "<!DOCTYPE r PUBLIC 'x' 'y>z[>' [<!ELEMENT r ANY><!ATTLIST r b CDATA ']>'>]>",
      "<?p > <!DOCTYPE x [ ?><!-- <!DOCTYPE x [ ' --><!DOCTYPE r [<?p?>]>", "<!DOCTYPE r>", "<!DOCTYPE r []>",
      "<!DOCTYPE r [<!---->]>", "<!DOCTYPE r [<!ENTITY % p ' ]> '><?q ?]>?>]>",
      "<?xml version='1.0'?>\n<!DOCTYPE r>",
    ]
  )
  func readsPastAnyDocumentType(prolog: String) async throws {
    let found = try await Self.readings(prolog + "<r><a>1</a></r>")
    #expect(found.values == ["1"])
    #expect(found.records.count == 1)
    #expect(found.canonical.hasSuffix("<a>1</a></r>"))
    let instructions = found.handled.filter { $0.hasPrefix("pi ") }
    #expect(instructions.count == (prolog.contains("<?q d?>") || prolog.hasPrefix("<?p") ? 1 : 0))
    #expect(found.written == (try parse(found.written).xmlString))
  }

  @Test func readsPastADocumentTypeInUTF16() async throws {
    let text = "<!DOCTYPE r [<?p it's ]> ?><!-- > \u{E4} -->]><r><a>\u{E4}</a></r>"
    for isBigEndian in [true, false] {
      for hasMark in [true, false] {
        let bytes = utf16(text, bigEndian: isBigEndian, mark: hasMark)
        let name = hasMark ? nil : isBigEndian ? "utf-16be" : "utf-16le"
        #expect(try await Self.readings(bytes, encoding: name).values == ["\u{E4}"])
      }
    }
    let wide = text.unicodeScalars.flatMap { [0, 0, UInt8($0.value >> 8), UInt8($0.value & 255)] }
    #expect(try await Self.readings(wide, encoding: "utf-32be").values == ["\u{E4}"])
    let latin = text.unicodeScalars.map { UInt8($0.value) }
    #expect(try await Self.readings(latin, encoding: "iso-8859-1").values == ["\u{E4}"])
    let declared = Array("<?xml version='1.0' encoding='ISO-8859-1'?>".utf8) + latin
    #expect(try await Self.readings(declared).values == ["\u{E4}"])
    #expect(try await Self.readings([0xEF, 0xBB, 0xBF] + Array(text.utf8)).values == ["\u{E4}"])
  }

  /// A declaration behind whose end more comes than the limit of its subset allows.
  @Test(arguments: [1000, 20_000, .max])
  func readsALongDocumentBehindADocumentType(chunk: Int) throws {
    for start in ["", "<!--\(String(repeating: "-x", count: 5_000))-->"] {
      let text = String(repeating: "x", count: 100_000)
      let document = try parse("\(start)<!DOCTYPE r [<?p it's ]> ?>]><r>\(text)</r>", chunk: chunk)
      #expect(document.root.text == text)
    }
  }

  @Test(
    arguments: [
      "<!DOCTYPE", "<!DOCTYPE r", "<!DOCTYPE r [", "<!DOCTYPE r [<!-- ]>", "<!DOCTYPE r [<?p ]>",
      "<!DOCTYPE r SYSTEM 'x>",
      "<!DOCTYPE r [ ]", "<!DOCTYPE r [<!ENTITY e 'x>]>", "<!DOCTYPE r [<r/>", "<!DOCTYPE r <r/>",
      "<!DOCTYPE r [<!ELEMENT <r/>",
      "<!DOCTYPE r [] x><r/>", "<!DOCTYPE r x><r/>", "<!DOCTYPE r []]><r/>", "<!DOCTYPE r [<!---><r/>",
      "<!DOC r><r/>",
      "<r/><!DOCTYPE r>", "<!DOCTYPE r><!DOCTYPE r><r/>", "<!DOCTYPE r [<!DOCTYPE r>]><r/>",
    ]
  )
  func refusesAMalformedDocumentType(text: String) {
    for chunk in 1...text.utf8.count {
      guard case .malformed = parseError(text, chunk: chunk)?.reason else {
        Issue.record("\(chunk)")
        continue
      }
    }
  }

  // MARK: - System identifiers

  @Test func acceptsSystemIdentifiersThatAreNotURIs() async throws {
    let found = try await Self.readings(
      """
      <!DOCTYPE r SYSTEM "c:\\r.dtd" [<!NOTATION g SYSTEM "c:\\g.exe"><!ENTITY e SYSTEM "c:\\x.gif" NDATA g>
      <!ENTITY f SYSTEM "a b|c"><!ENTITY % p SYSTEM "c:\\p.ent">]><r><a>1</a></r>
      """
    )
    #expect(found.values == ["1"])
    #expect(found.written.contains("<!ENTITY e SYSTEM \"c:\\x.gif\" NDATA g>"))
    let text = "<!DOCTYPE r [<!ENTITY e SYSTEM 'c:\\x'>]><r>&e;</r>"
    #expect(parseError(text)?.reason == .forbiddenEntity(name: "e"))
  }

  /// Behind what is no error, errors are errors.
  @Test(
    arguments: [
      "<!DOCTYPE r [<!ENTITY e SYSTEM 'c:\\x'>]><r/>", "<!DOCTYPE r [<!ENTITY e 'urn:x'>]><r xmlns='&e;'/>",
      "<!DOCTYPE r [<!ATTLIST r a (x|x) 'y'>]><r/>", "<!DOCTYPE r [<!ELEMENT r (a|a)><!ELEMENT r ANY>]><r/>",
      "<r xml:id='x'><a xml:id='x'/></r>",
    ]
  )
  func findsASevereErrorAfterAHarmlessOne(document: String) throws {
    for chunk in [1, 7, .max] {
      #expect(try parse(document + "<!-- c -->\n", chunk: chunk).root.name == "r")
      for rest in ["x", "<r/>", "&e;", "<![CDATA[]]>"] {
        guard case .malformed = parseError(document + rest, chunk: chunk)?.reason else {
          Issue.record("\(rest)")
          continue
        }
      }
    }
  }

  // MARK: - Types of attributes

  @Test func normalizesSpacesOfTokenAttributes() async throws {
    let found = try await Self.readings(
      """
      <!DOCTYPE r [<!ENTITY e " 1  2 "><!ENTITY t "&#38;#9;x"><!ENTITY s "&#38;#32;">
      <!ATTLIST a t NMTOKENS #IMPLIED i ID #IMPLIED n (v|w) #IMPLIED c CDATA #IMPLIED d NMTOKENS ' &e; '
      xmlns:p CDATA #IMPLIED><!ATTLIST p:a p:t NMTOKENS #IMPLIED t NMTOKENS #IMPLIED>]>
      <r><a t=" &e;  3&s;" i="&s;i&s;" n="&s;v" c=" &e; "/><a t="&t; &#32; y&s;&s;z"/>
      <p:a xmlns:p="urn:p" p:t=" &e; " t="&e;" c="&e;"/></r>
      """
    )
    #expect(
      found.canonical.split(separator: "\n").map(String.init) == [
        "<r><a c=\"  1  2  \" d=\"1 2\" i=\"i\" n=\"v\" t=\"1 2 3\"></a><a d=\"1 2\" t=\"&#x9;x y z\"></a>",
        "<p:a xmlns:p=\"urn:p\" c=\" 1  2 \" t=\"1 2\" p:t=\"1 2\"></p:a></r>",
      ]
    )
    let attributes = found.records[0].attributes.map { "\($0.name)=\($0.value)" }
    #expect(attributes.sorted() == ["c=  1  2  ", "d=1 2", "i=i", "n=v", "t=1 2 3"])
    let line = "<a t=1 2 3 i=i n=v c=  1  2   d=1 2"
    #expect(found.handled.contains { $0.hasPrefix(line) } && found.batched.contains { $0.hasPrefix(line) })
  }
}
