import Stagecoach
import Testing

@testable import StagecoachFixtures

/// Damaged files are refused or read; what is read can be written, and is the same when it is read again.
@Suite struct RandomFileTests {
  private static let http =
    "GET http://a.test/x?y=1\nA: b\n\nbody\n###\nHTTP/1.1 200 OK\nB: c\n\n{\"a\": 1}\n"
  private static let dump =
    "HTTP/1.1 302 Found\r\nLocation: /b\r\n\r\nHTTP/2 200\r\nContent-Length: 3\r\n\r\nabc"
  private static let samples = HARSamples.all.map(\.text) + [WireMockReaderTests.stubs, http, dump]

  /// A sample with some octets changed, left out, or repeated.
  private func damaged(_ random: SeededRandom) -> [UInt8] {
    func below(_ bound: Int) -> Int { Int(random.next() % UInt64(max(bound, 1))) }
    var octets = Array(Self.samples[below(Self.samples.count)].utf8)
    let interesting = Array(#""{}[]:,\0-9eE.nul%"#.utf8) + [0, 10, 13, 0x80, 0xff]
    for _ in 0...below(2) {
      let place = below(octets.count)
      switch below(4) {
      case 0: octets[place] = interesting[below(interesting.count)]
      case 1: octets.removeSubrange(place..<min(place + below(20), octets.count))
      case 2: octets.insert(contentsOf: octets[place..<min(place + below(40), octets.count)], at: place)
      default: octets[place] ^= UInt8(1 << below(8))
      }
    }
    return octets
  }

  @Test(arguments: 0..<8) func aDamagedFileNeverTraps(_ seed: UInt64) async throws {
    let random = SeededRandom(seed: seed)
    var read = 0
    for _ in 0..<60 {
      let octets = damaged(random)
      guard let scenario = try? await InterchangeFormat.scenario(in: octets, of: "nowhere/file").scenario
      else {
        continue
      }
      read += 1
      let export = try scenario.har()
      let again = try await Scenario(importing: export.bytes)
      #expect(try await Scenario(importing: again.har().bytes) == again)
      #expect(again.exchanges.map(\.id) == scenario.exchanges.map(\.id))
      #expect(HARValidator.faults(in: try JSONValue(parsing: export.bytes.array)).isEmpty)
      let stubs = try InterchangeFormat.wiremock.export(scenario)
      #expect(WireMockValidator.faults(in: try JSONValue(parsing: stubs.bytes.array)).isEmpty)
    }
    #expect(read > 0)
  }
}
