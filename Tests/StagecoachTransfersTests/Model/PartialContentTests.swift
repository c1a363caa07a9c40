import Testing

@testable import StagecoachTransfers

struct PartialContentTests {
  @Test func partsCoverTheWhole() {
    for (total, parts) in [(100, 1), (100, 3), (7, 7), (1, 1), (1 << 40, 32)] as [(Int64, Int)] {
      let content = PartialContent(validator: nil, total: total, parts: parts)
      #expect(content.isConsistent)
      #expect(content.spans.count == parts)
      #expect(content.spans.reduce(0) { $0 + ($1.end! - $1.start) } == total)
      #expect(content.count == 0)
      #expect(!content.isComplete)
    }
    #expect(PartialContent(validator: nil, total: 0).isComplete)
    #expect(PartialContent(validator: nil, total: nil).isConsistent)
    #expect(!PartialContent(validator: nil, total: nil).isComplete)
  }

  @Test func refusesInconsistentSpans() {
    func isConsistent(_ total: Int64?, _ spans: (Int64, Int64, Int64?)...) -> Bool {
      var content = PartialContent(validator: nil, total: total)
      content.spans = spans.map { .init(start: $0.0, next: $0.1, end: $0.2) }
      return content.isConsistent
    }
    #expect(isConsistent(100, (0, 40, 100)))
    #expect(isConsistent(100, (0, 40, 50), (50, 100, 100)))
    #expect(isConsistent(nil, (0, 40, nil)))
    #expect(!isConsistent(100))
    #expect(!isConsistent(100, (1, 40, 100)))
    #expect(!isConsistent(100, (0, -1, 100)))
    #expect(!isConsistent(100, (0, 101, 100)))
    #expect(!isConsistent(100, (0, 40, 99)))
    #expect(!isConsistent(100, (0, 40, nil)))
    #expect(!isConsistent(nil, (0, 40, 100)))
    #expect(!isConsistent(100, (0, 40, 50), (51, 100, 100)))
    #expect(!isConsistent(100, (0, 40, 50), (49, 100, 100)))
    #expect(!isConsistent(100, (0, 40, nil), (50, 100, 100)))
    #expect(!isConsistent(-5, (0, -5, -5)))
  }
}
