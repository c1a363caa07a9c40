import Stagecoach
import StagecoachXML
import Testing

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
      for round in 1_000..<(isSanitized ? 2_000 : 20_000) { try oneOfEachKind(round) }
      #expect(isSanitized || residentPages() - before < 2_048, "8 MiB in pages")
    }
  }
}

/// Five documents: a tree that is searched, events, a value, a page of HTML, and one that is refused half way.
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
