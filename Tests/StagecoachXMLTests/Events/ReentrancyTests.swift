import StagecoachXML
import Testing

/// Handlers that hold the parser which they hear from.
@Suite struct ReentrancyTests {
  /// Knows the parser of a handler, which is made before it.
  final class Place<Handler: XML.EventHandler> {
    var parser: XML.EventParser<Handler>?
  }

  struct Calling: XML.EventHandler {
    enum Call: CaseIterable { case append, finish }

    let place = Place<Calling>()
    let call: Call
    let letsThrough: Bool
    var heard = 0
    var errors: [XML.ParseError] = []

    init(_ call: Call, letsThrough: Bool) { (self.call, self.letsThrough) = (call, letsThrough) }

    private mutating func callParser() throws {
      heard += 1
      do {
        switch call {
        case .append: try Array("</a><a>".utf8).withUnsafeBytes { try place.parser?.append($0) }
        case .finish: _ = try place.parser?.finish()
        }
      } catch let error as XML.ParseError {
        errors.append(error)
        if letsThrough { throw error }
      }
    }

    mutating func startDocument(_ declaration: XML.Declaration) throws { try callParser() }
    mutating func startElement(_ tag: borrowing XML.RawStartTag) throws { try callParser() }
    mutating func text(_ characters: Span<UInt8>) throws { try callParser() }
    mutating func endElement(_ name: borrowing XML.RawName) throws { try callParser() }
    mutating func endDocument() throws { try callParser() }
  }

  private func run(_ handler: Calling) throws -> Calling {
    let parser = XML.EventParser(handler)
    handler.place.parser = parser
    defer { handler.place.parser = nil }
    try Array("<a>text<b/></a>".utf8).withUnsafeBytes { try parser.append($0) }
    return try parser.finish()
  }

  @Test(arguments: Calling.Call.allCases)
  func refusesCallsFromInsideAHandler(call: Calling.Call) throws {
    let handler = try run(Calling(call, letsThrough: false))
    #expect(handler.heard == 7)
    #expect(handler.errors == Array(repeating: XML.ParseError(reason: .reentrant), count: 7))
    #expect(throws: XML.ParseError(reason: .reentrant)) { try run(Calling(call, letsThrough: true)) }
  }

  private final class Object: XML.EventHandler {
    var parser: XML.EventParser<Object>?
    var isSelf: [Bool] = []

    func startElement(_ tag: borrowing XML.RawStartTag) {
      if let parser { isSelf.append(parser.handler === self) }
    }
  }

  @Test func anObjectCanBeAHandler() throws {
    let handler = Object()
    let parser = XML.EventParser(handler)
    handler.parser = parser
    defer { handler.parser = nil }
    try Array("<a><b/></a>".utf8).withUnsafeBytes { try parser.append($0) }
    #expect(try parser.finish().isSelf == [true, true])
  }

  private struct Reading: XML.EventHandler {
    let place = Place<Reading>()
    var count = 0

    mutating func startElement(_ tag: borrowing XML.RawStartTag) {
      count += (place.parser?.handler.count ?? 0) + 1
    }
  }

  #if os(Linux) || os(macOS)
    @Test func aValueCannotBeReadWhileItChanges() async {
      await #expect(processExitsWith: .failure) {
        let handler = Reading()
        let parser = XML.EventParser(handler)
        handler.place.parser = parser
        try Array("<a/>".utf8).withUnsafeBytes { try parser.append($0) }
      }
    }
  #endif
}
