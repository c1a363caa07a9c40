import Stagecoach

/// What an input is drawn from: the seed of the run and the number of the input, and nothing else.
struct Chance {
  private let random: SeededRandom

  init(seed: UInt64, number: Int) {
    random = SeededRandom(seed: seed ^ (UInt64(truncatingIfNeeded: number) &* 0xd134_2543_de82_ef95))
  }

  /// A number from 0 up to another, without it; 0 of nothing.
  func below(_ count: Int) -> Int {
    count > 0 ? Int(random.next() % UInt64(count)) : 0
  }

  /// Whether what happens once in so many times happens.
  func once(in count: Int) -> Bool {
    below(count) == 0
  }

  /// One of several.
  func pick<Element>(_ elements: [Element]) -> Element {
    elements[below(elements.count)]
  }

  /// A range within so many elements, of at most a length.
  func range(in count: Int, upTo length: Int) -> Range<Int> {
    let start = below(count)
    return start..<min(count, start + 1 + below(length))
  }

  /// A byte.
  func byte() -> UInt8 {
    UInt8(truncatingIfNeeded: random.next() >> 32)
  }
}
