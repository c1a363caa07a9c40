import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite struct PipelineEditingTests {
  private struct A: Middleware {
    var name = "A"
    func handle(_ request: Request, next: Next) async throws -> Response { try await next(request) }
  }
  private struct B: Middleware {
    func handle(_ request: Request, next: Next) async throws -> Response { try await next(request) }
  }
  private final class C: Middleware {
    func handle(_ request: Request, next: Next) async throws -> Response { try await next(request) }
  }

  private static let abc = Pipeline(over: HandlerTransport { _ in Response(.ok) }) {
    A()
    B()
    C()
  }

  typealias Edit = @Sendable (inout Pipeline) throws -> Void

  private static let edits: [(Edit, String)] = [
    ({ $0.prepend(Trace("x")) }, "x ▸ A ▸ B ▸ C"),
    ({ $0.append(Trace("x")) }, "A ▸ B ▸ C ▸ x"),
    ({ try $0.insert(Trace("x"), before: A.self) }, "x ▸ A ▸ B ▸ C"),
    ({ try $0.insert(Trace("x"), before: B.self) }, "A ▸ x ▸ B ▸ C"),
    ({ try $0.insert(Trace("x"), after: B.self) }, "A ▸ B ▸ x ▸ C"),
    ({ try $0.insert(Trace("x"), after: C.self) }, "A ▸ B ▸ C ▸ x"),
    ({ try $0.replace(B.self, with: Trace("x")) }, "A ▸ x ▸ C"),
    ({ try $0.remove(A.self) }, "B ▸ C"),
    ({ try $0.remove(C.self) }, "A ▸ B"),
  ]

  @Test(arguments: edits.indices)
  func insertsReplacesAndRemovesStagesByType(index: Int) throws {
    let (edit, result) = Self.edits[index]
    var pipeline = Self.abc
    try edit(&pipeline)
    #expect(pipeline.description == "\(result) ▸ HandlerTransport")
    #expect(Self.abc.description == "A ▸ B ▸ C ▸ HandlerTransport")
  }

  private static let typed: [Edit] = [
    { try $0.insert(Trace("x"), before: A.self) }, { try $0.insert(Trace("x"), after: A.self) },
    { try $0.replace(A.self, with: Trace("x")) }, { try $0.remove(A.self) },
  ]

  @Test(arguments: typed.indices)
  func noneOrSeveralOfTheTypeIsAnError(index: Int) throws {
    let transport = HandlerTransport { _ in Response(.ok) }
    var none = Pipeline(over: transport) { B() }
    let missing = try #require(throws: PipelineError.self) { try Self.typed[index](&none) }
    #expect(missing.reason == .noSuchStage)
    #expect(missing.stage == "A")
    #expect(missing.description == "no stage of type A in: B ▸ HandlerTransport")
    #expect(none.description == "B ▸ HandlerTransport")

    var several = Pipeline(over: transport, stages: [A(), A(name: "A2"), B()])
    let ambiguous = try #require(throws: PipelineError.self) { try Self.typed[index](&several) }
    #expect(ambiguous.reason == .ambiguous)
    #expect(ambiguous.description == "more than one stage of type A in: A ▸ A2 ▸ B ▸ HandlerTransport")
    #expect(several.description == ambiguous.pipeline)
  }

  @Test func aNestedPipelineIsNotSearched() throws {
    var outer = Pipeline(over: Self.abc) { B() }
    #expect(throws: PipelineError.self) { try outer.remove(A.self) }
    try outer.remove(B.self)
    #expect(outer.description == "A ▸ B ▸ C ▸ HandlerTransport")
  }
}
