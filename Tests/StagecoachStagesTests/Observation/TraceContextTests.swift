import HTTPTypes
import StagecoachStages
import TestSupport
import Testing

@testable import StagecoachCore

@Suite struct TraceContextTests {
  private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
  private static let span = "00f067aa0ba902b7"

  @Test(arguments: [
    ("00-\(trace)-\(span)-01", true), ("00-\(trace)-\(span)-00", false), ("00-\(trace)-\(span)-ff", true),
    ("00-\(trace)-\(span)-02", false), ("cc-\(trace)-\(span)-01", true),
    ("cc-\(trace)-\(span)-01-more", true),
  ])
  func readsAValidTraceparent(text: String, isSampled: Bool) throws {
    let parent = try #require(TraceParent(text))
    #expect(parent.traceID == Self.trace)
    #expect(parent.spanID == Self.span)
    #expect(parent.isSampled == isSampled)
    #expect(parent.description == "00-\(Self.trace)-\(Self.span)-0\(isSampled ? 1 : 0)")
    #expect(TraceParent(parent.description) == parent)
  }

  @Test(arguments: [
    "", "00", "00-\(trace)-\(span)", "00-\(trace)-\(span)-0", "00-\(trace)-\(span)-01-",
    "00-\(trace)-\(span)-011",
    "cc-\(trace)-\(span)-01.more", "ff-\(trace)-\(span)-01", "0-\(trace)-\(span)-01",
    "00_\(trace)-\(span)-01",
    "00-\(trace.uppercased())-\(span)-01", "00-\(String(repeating: "0", count: 32))-\(span)-01",
    "00-\(trace)-0000000000000000-01", "00-\(trace)-\(span)-0g", " 00-\(trace)-\(span)-01",
    "00-\(trace)-\(span)-é1",
  ])
  func refusesAnInvalidTraceparent(text: String) {
    #expect(TraceParent(text) == nil)
  }

  private struct Zero: RandomSource {
    func next() -> UInt64 { 0 }
  }

  @Test func generatedTracesAreValid() throws {
    let random = SeededRandom(seed: 3)
    for source in [random, random, random, Zero()] as [any RandomSource] {
      let parent = TraceParent(isSampled: true, random: source)
      #expect(TraceParent(parent.description) == parent)
      let child = parent.child(random: source)
      #expect(TraceParent(child.description) == child)
      #expect(child.traceID == parent.traceID)
      #expect(child.isSampled)
    }
  }

  /// The fields that arrive.
  private static func sent(
    _ stage: TraceContext,
    times: Int = 1,
    _ change: (inout Request) -> Void = { _ in }
  ) async throws -> [HTTPFields] {
    let transport = HandlerTransport { _ in Response(.ok) }
    let again = Stage("Again") { request, next in
      for _ in 1..<times { try await next(request).body.cancel() }
      return try await next(request)
    }
    let client = try Client(
      Pipeline(over: transport) {
        again
        stage
      },
      configuration: .init(randomNumberGenerator: SeededRandom(seed: 9))
    )
    var request = Request.get("http://h/")
    change(&request)
    _ = try await client.send(request)
    return transport.requests.map(\.fields)
  }

  @Test func aRequestWithoutATraceBeginsOne() async throws {
    let fields = try await Self.sent(TraceContext(samples: true))
    let parent = try #require(fields.first?[.traceparent].flatMap { TraceParent($0) })
    #expect(parent.isSampled)
    // By the chance of the client.
    #expect(try await Self.sent(TraceContext(samples: true)) == fields)
    #expect(try await Self.sent(TraceContext(startsTraces: false)).first?.contains(.traceparent) == false)
  }

  @Test func eachAttemptIsASpanOfTheTrace() async throws {
    let fields = try await Self.sent(TraceContext(), times: 3) { request in
      request.options.traceParent = TraceParent("00-\(Self.trace)-\(Self.span)-01")
    }
    let parents = fields.compactMap { $0[.traceparent].flatMap { TraceParent($0) } }
    #expect(parents.map(\.traceID) == [Self.trace, Self.trace, Self.trace])
    #expect(Set(parents.map(\.spanID) + [Self.span]).count == 4)
    #expect(parents.map(\.isSampled) == [true, true, true])
  }

  @Test func aFieldGoesOnWithItsState() async throws {
    let fields = try await Self.sent(TraceContext()) { request in
      request.fields[.traceparent] = "00-\(Self.trace)-\(Self.span)-00"
      request.fields[.tracestate] = "a=1,b=2"
    }
    #expect(fields.first?[.traceparent]?.hasPrefix("00-\(Self.trace)-") == true)
    #expect(fields.first?[.traceparent]?.hasSuffix("-00") == true)
    #expect(fields.first?[.tracestate] == "a=1,b=2")
  }

  @Test(arguments: [["nonsense"], ["00-\(trace)-\(span)-00", "00-\(trace)-\(span)-00"]])
  func aBrokenFieldStartsANewTraceWithoutState(values: [String]) async throws {
    for startsTraces in [true, false] {
      let fields = try await Self.sent(TraceContext(startsTraces: startsTraces)) { request in
        for value in values { request.fields.append(HTTPField(name: .traceparent, value: value)) }
        request.fields[.tracestate] = "a=1"
      }
      #expect(fields.first?.contains(.tracestate) == false)
      let parent = fields.first?[.traceparent].flatMap { TraceParent($0) }
      #expect((parent != nil) == startsTraces)
      #expect(parent?.traceID != Self.trace)
    }
  }

  @Test func dropsAStateWithoutATrace() async throws {
    for startsTraces in [true, false] {
      let fields = try await Self.sent(TraceContext(startsTraces: startsTraces)) { request in
        request.fields[.tracestate] = "a=1"
      }
      #expect(fields.first?.contains(.traceparent) == startsTraces)
      #expect(fields.first?.contains(.tracestate) == false)
    }
  }
}
