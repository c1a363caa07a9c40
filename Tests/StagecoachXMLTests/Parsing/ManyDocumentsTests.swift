import Stagecoach
import Testing

@testable import StagecoachXML

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite struct ManyDocumentsTests {
  /// In a process of its own, so that its memory is that of these documents alone.
  @Test func aHundredThousandDocumentsLeaveNothingBehind() async {
    await #expect(processExitsWith: .success) {
      for round in 0..<1_000 { try oneOfEachKind(round) }
      let before = residentPages()
      // The sanitizers are slow, keep freed memory for a while, and look for leaks themselves.
      let program = dlopen(nil, RTLD_NOW)
      let isSanitized = dlsym(program, "__asan_init") != nil || dlsym(program, "__tsan_init") != nil
      for round in 1_000..<(isSanitized ? 1_500 : 10_000) { try oneOfEachKind(round) }
      #expect(isSanitized || residentPages() - before < 1_024, "4 MiB in pages")
    }
  }
}

private let manyDocumentsSchema = Result {
  try XML.Schema(
    rng(
      "<start><element name='a' ns='urn:a'><attribute name='b'/><zeroOrMore><element><anyName/><text/></element>"
        + "</zeroOrMore></element></start>"
    )
  )
}

/// About ten documents: a tree that is searched, events, a value, a page of HTML, and one that is refused half way; a tree
/// that is judged by a schema, its canonical form, records, batches and an element that is changed and written.
private func oneOfEachKind(_ round: Int) throws {
  let text = "<a xmlns='urn:a\(round % 7)' b='\(round)'><c>text &amp; more</c><!-- c --><d>\(round)</d></a>"
  let document = try parse(text)
  _ = try document.xpath("string(//@b)")
  let parser = XML.EventParser(LineHandler())
  try Array(text.utf8).withUnsafeBytes { try parser.append($0) }
  _ = try parser.finish()
  struct Value: Decodable { var d: Int }
  let value = try XMLDecoder().decode(Value.self, from: Bytes(text))
  precondition(value.d == round)
  let html = XML.HTMLParser()
  try Array("<p>one<p>two & \(round)".utf8).withUnsafeBytes { try html.append($0) }
  _ = try html.finish()
  let refused = XML.EventParser(LineHandler())
  try? Array("<!DOCTYPE a [<!ENTITY e 'x'>]><a k='&e;'>&e;<b></a>".utf8).withUnsafeBytes {
    try refused.append($0)
  }
  try otherKinds(round)
}

private func otherKinds(_ round: Int) throws {
  let text = "<a xmlns='urn:a' b='\(round)'><c>text</c><c>&lt;\(round)</c></a>"
  let document = try parse(text)
  // What schemas do takes longer than all else here.
  if round % 8 == 0 {
    let schema = try manyDocumentsSchema.get()
    let other = try parse("<a xmlns='urn:a'/>")
    precondition(schema.validate(document).isValid && !schema.validate(other).isValid)
  }
  if round % 32 == 0 { _ = try XML.Schema(xsd("<xs:element name='e\(round)' type='xs:int'/>")) }
  _ = try document.canonicalXML()
  let reader = EventReader(encoding: nil, limits: XML.Limits(), path: "a/c")
  try Array(text.utf8).withUnsafeBytes { try reader.append($0) }
  let records = reader.takeRecords().map { XML.Record(batch: $0).element }
  try reader.finish()
  precondition(records.map(\.text) == ["text", "<\(round)"])
  _ = lines(of: try XML.EventBatch(parsing: Bytes(text)))
  var element = XML.Element(document)
  element["b"] = nil
  _ = try XML.Document(element: element).xmlString
}

/// The pages of this process that are in memory.
private func residentPages() -> Int {
  #if os(Linux)
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
    let text = line.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    let numbers = text.split(separator: " ").compactMap { Int($0) }
    return numbers.count > 1 ? numbers[1] : 0
  #else
    return 0
  #endif
}
