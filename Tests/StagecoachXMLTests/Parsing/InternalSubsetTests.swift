import HTTPTypes
import Stagecoach
import StagecoachXML
import Testing

/// The size of what a document declares itself, for which libxml2 takes quadratic time and much of the stack.
@Suite struct InternalSubsetTests {
  private static let reason = XML.ParseError.Reason.limit(name: "internalSubsetSize", value: 32 << 10)

  /// A document whose DTD lists so many names.
  private static func document(_ count: Int, start: String = "", type: String = "") -> String {
    let names = (0..<count).map { "n\($0)" }.joined(separator: "|")
    return "\(start)<!DOCTYPE a [<!ATTLIST a b \(type)(\(names)) #IMPLIED>]><a/>"
  }

  @Test(arguments: [100, 16_384, .max])
  func longEnumerationsAreRefused(chunk: Int) throws {
    for type in ["", "NOTATION "] {
      #expect(parseError(Self.document(60_000, type: type), chunk: chunk)?.reason == Self.reason)
    }
    #expect(try parse(Self.document(4_000), chunk: chunk).root.name == "a")
    // In what comes at once behind long markup.
    let comment = "<!--" + String(repeating: "x", count: 100_000) + "-->"
    #expect(parseError(Self.document(60_000, start: comment), chunk: chunk)?.reason == Self.reason)
    #expect(try parse(Self.document(4_000, start: comment), chunk: chunk).root.name == "a")
    let instruction = "<?p " + String(repeating: "x>[", count: 100_000) + "?>"
    #expect(parseError(Self.document(60_000, start: instruction), chunk: chunk)?.reason == Self.reason)
  }

  /// libxml2 compares each name with all before, so a subset that is refused afterwards has taken its time.
  @Test(arguments: [100, 16_384, .max])
  func aLargeSubsetIsRefusedBeforeItIsParsed(chunk: Int) throws {
    let error = try #require(parseError(Self.document(60_000), chunk: chunk))
    #expect(error.column < 1_000, "libxml2 parsed \(error.column) characters")
  }

  @Test(arguments: [999, .max])
  func refusesALargeSubsetInEveryEncoding(chunk: Int) throws {
    for bytes in [
      utf16(Self.document(60_000), bigEndian: true, mark: true),
      utf16(Self.document(60_000), bigEndian: false, mark: true),
      Array(Self.document(60_000, start: "<?xml version='1.0' encoding='ISO-8859-1'?>").utf8),
    ] {
      #expect(parseError(bytes, chunk: chunk)?.reason == Self.reason)
    }
    let small = utf16(Self.document(4_000), bigEndian: true, mark: true)
    #expect(try parse(small, chunk: chunk).root.name == "a")
  }

  @Test func refusesALargeSubsetInEveryParser() async throws {
    let text = Self.document(60_000)
    let bytes = Array(text.utf8)
    let batch = #expect(throws: XML.ParseError.self) { try events(bytes, cuts: [70_000]) }
    #expect(batch?.reason == Self.reason)
    let parser = XML.EventParser(LineHandler())
    let error = #expect(throws: XML.ParseError.self) { try bytes.withUnsafeBytes { try parser.append($0) } }
    #expect(error?.reason == Self.reason)
    let response = Response(.ok, body: .chunks(of: bytes, size: 4_096))
    let records = try await XMLRecordsResponseSerializer("a") { $0.element }.serialize(response)
    let failure = await #expect(throws: ExchangeError.self) { for try await _ in records {} }
    #expect(failure?.kind == .limit(.structure))
    guard case .unreadable(let unreadable) = schemaError(Bytes(text))?.reason else {
      Issue.record("a schema with a long enumeration")
      return
    }
    #expect(unreadable.reason == Self.reason)
  }

  /// As soon as there is too much, and not only when libxml2 has parsed all of it.
  @Test func refusesAnEndlessSubsetBeforeItsEnd() throws {
    for start in [
      "<!DOCTYPE a [<!ATTLIST a b (x", "<!DOCTYPE a [<!ELEMENT a ANY><!ENTITY e '", "<!DOCTYPE a [ ",
    ] {
      let parser = XML.DocumentParser()
      try Array(start.utf8).withUnsafeBytes { try parser.append($0) }
      let piece = Array(String(repeating: " ", count: 1_000).utf8)
      var count = start.utf8.count
      let error = #expect(throws: XML.ParseError.self) {
        while count < 100_000 {
          count += piece.count
          try piece.withUnsafeBytes { try parser.append($0) }
        }
      }
      #expect(error?.reason == Self.reason && count < (32 << 10) + 2_000, "\(start)")
    }
    let spaces = String(repeating: " ", count: 100_000)
    #expect(parseError("<!DOCTYPE \(spaces) a><a/>")?.reason == Self.reason)
  }

  @Test(arguments: [1, 7, .max])
  func theLimitIsExact(chunk: Int) throws {
    let subset = "[<!ENTITY e ']>'><!-- ] --> ]"
    let text = "<!DOCTYPE a \(subset) ><a>&e;</a>"
    let size = subset.utf8.count + 1
    #expect(try parse(text, chunk: chunk, limits: limits(\.internalSubsetSize, size)).root.text == "]>")
    let error = parseError(text, chunk: chunk, limits: limits(\.internalSubsetSize, size - 1))
    #expect(error?.reason == .limit(name: "internalSubsetSize", value: size - 1))
    let none = "<!DOCTYPE a SYSTEM '[a'><a/>"
    #expect(try parse(none, chunk: chunk, limits: limits(\.internalSubsetSize, 0)).root.name == "a")
  }
}
