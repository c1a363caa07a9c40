import Stagecoach
import StagecoachTransportKit
import Testing

@Suite struct ResponseHeadMeterTests {
  private static let limits = {
    var limits = ResponseHeadLimits()
    (limits.bytes, limits.fields, limits.fieldBytes) = (100, 3, 40)
    (limits.trailerBytes, limits.informationalResponses) = (50, 2)
    return limits
  }()

  /// The limit that lines of some sizes go beyond, the status line first; nil if they are let through.
  private static func exceeded(_ sizes: [Int], areTrailers: Bool = false) -> ExchangeError.Limit? {
    var meter = ResponseHeadMeter(limits, areTrailers: areTrailers)
    do {
      for (index, size) in sizes.enumerated() { try meter.add(size, isField: areTrailers || index > 0) }
      return nil
    } catch {
      #expect((error as? ExchangeError)?.kind == .limit(.responseHead))
      return (error as? ExchangeError)?.limit
    }
  }

  @Test(
    arguments: [
      ([20, 40, 40], nil), ([20, 40, 40, 0], nil), ([20, 40, 41], "fieldBytes = 40 bytes"),
      ([21, 40, 40], "bytes = 100 bytes"), ([20, 1, 1, 1], nil), ([20, 1, 1, 1, 1], "fields = 3 fields"),
    ] as [([Int], String?)]
  )
  func eachLimitOfAHeadIsExact(sizes: [Int], limit: String?) {
    #expect(Self.exceeded(sizes)?.description == limit.map { "responseHeadLimits.\($0)" })
  }

  @Test(
    arguments: [
      ([40, 10], nil), ([40, 11], "trailerBytes = 50 bytes"), ([41], "fieldBytes = 40 bytes"),
      // Of trailers there may be as many as fit.
      ([10, 10, 10, 10, 10], nil),
    ] as [([Int], String?)]
  )
  func eachLimitOfTrailersIsExact(sizes: [Int], limit: String?) {
    #expect(
      Self.exceeded(sizes, areTrailers: true)?.description == limit.map { "responseHeadLimits.\($0)" }
    )
  }

  @Test func informationalResponsesAreCounted() throws {
    for number in 1...2 { try Self.limits.check(informationalResponses: number) }
    let error = try #require(throws: ExchangeError.self) { try Self.limits.check(informationalResponses: 3) }
    #expect(error.kind == .limit(.responseHead))
  }

  @Test func theLimitOfAnEngineIsSaidAsWhatNoOptionRaises() throws {
    var error = ExchangeError(.limit(.responseHead), "the engine refuses the head")
    error.setLimitOfEngine("100 KiB")
    #expect(error.limit?.description == "engine = 100 KiB")
    #expect(error.advice?.hasPrefix("no option raises the limits of the engine") == true)
  }
}
