import StagecoachFormats
import TestSupport
import Testing

/// Random references from a seed that is fixed, so that a failure repeats.
@Suite struct URIPropertyTests {
  private static let pieces = [
    "http", "https", ":", "/", "//", ".", "..", "/../", "/./", "?", "#", "%", "%4", "%41", "%zz", "@",
    "[::1]", "[",
    "]", "h", "Example.COM", ":80", ":8080", ":0", "\\", " ", "\u{E9}", "a", "B", "~", "{", "|", "=", "&",
    ";", "1",
  ]

  private static func isAllowed(_ octet: UInt8) -> Bool { (0x21...0x7E).contains(octet) }

  private static func check(_ uri: TargetURI) throws {
    let printed = uri.description
    #expect(printed.utf8.allSatisfy(isAllowed))
    #expect(uri.path.first == "/")
    #expect(try TargetURI(parsing: printed) == uri)
    #expect(try TargetURI(parsing: printed).description == printed)
    #expect(try uri.resolving(printed) == uri)
    #expect(try uri.asBase.resolving(printed) == uri)
    let segments = uri.path.split(separator: "/", omittingEmptySubsequences: false)
    #expect(!segments.contains(".") && !segments.contains(".."))
    if uri.fragment == nil {
      #expect(try uri.resolving("") == uri)
    }
  }

  @Test func whatParsesPrintsAndParsesToTheSame() throws {
    var random = SplitMix(state: 1)
    let base = try TargetURI(parsing: "https://base.example/a/b/c?q#f")
    var parsed = 0
    for _ in 0..<20_000 {
      let reference = (0..<Int.random(in: 0...9, using: &random))
        .map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined()
      for text in [reference, "http://h" + reference] {
        guard let uri = try? base.resolving(text) else { continue }
        parsed += 1
        try Self.check(uri)
      }
    }
    #expect(parsed > 10_000)
  }

  @Test func anyOctetsAreReadOrRefused() throws {
    var random = SplitMix(state: 2)
    let base = try TargetURI(parsing: "http://base.example/a/b")
    var parsed = 0
    for round in 0..<20_000 {
      let count = Int.random(in: 0...40, using: &random)
      let lowest: UInt8 = round.isMultiple(of: 2) ? 0x20 : 0
      let octets = (0..<count).map { _ in UInt8.random(in: lowest...255, using: &random) }
      for octets in [octets, Array("http://h/".utf8) + octets, Array("//".utf8) + octets] {
        guard let uri = try? base.resolving(octets, userInformation: .strip) else { continue }
        parsed += 1
        try Self.check(uri)
      }
    }
    #expect(parsed > 1_000)
  }
}
