import Stagecoach
import Testing

@Suite struct RandomSourceTests {
  /// The published outputs of SplitMix64.
  private static let sequences: [(UInt64, [UInt64])] = [
    (
      0,
      [
        0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f, 0xf88b_b8a8_724c_81ec,
        0x1b39_896a_51a8_749b,
      ]
    ),
    (
      1_234_567,
      [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
      ]
    ),
  ]

  @Test(arguments: sequences)
  func aSeedHasItsSequence(seed: UInt64, sequence: [UInt64]) {
    let random = SeededRandom(seed: seed)
    #expect(sequence.map { _ in random.next() } == sequence)
  }

  @Test func tasksShareOneSequenceWithoutRepeats() async {
    let random = SeededRandom(seed: 7)
    let drawn = await withTaskGroup(of: [UInt64].self) { group in
      for _ in 0..<20 { group.addTask { (0..<500).map { _ in random.next() } } }
      return await group.reduce(into: Set<UInt64>()) { $0.formUnion($1) }
    }
    let again = SeededRandom(seed: 7)
    #expect(drawn == Set((0..<10_000).map { _ in again.next() }))
  }

  @Test func theSystemsGeneratorDoesNotRepeatItself() {
    let random = SystemRandom()
    #expect(Set((0..<100).map { _ in random.next() }).count == 100)
  }
}
