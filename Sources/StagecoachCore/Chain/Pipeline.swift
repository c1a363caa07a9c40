/// An ordered list of stages over a transport. A pipeline is itself a transport, so pipelines can be nested.
///
/// The first stage is the outermost: it receives the request first and the response last.
///
/// ```swift
/// var pipeline = Pipeline(over: transport) {
///   Validation()
///   Retry()
/// }
/// try pipeline.insert(Redirects(), before: Retry.self)
/// print(pipeline)  // Validation ▸ Redirects ▸ Retry ▸ HandlerTransport
/// ```
public struct Pipeline: TransportWrapper, CustomStringConvertible, CustomReflectable {
  private var chain: Chain

  /// Creates a pipeline of stages over a transport, outermost stage first.
  public init(over transport: any Transport, stages: [any Middleware]) {
    chain = Chain(stages, transport)
  }

  /// Creates a pipeline of stages over a transport, outermost stage first.
  public init(over transport: any Transport, @StageBuilder _ stages: () -> [any Middleware]) {
    self.init(over: transport, stages: stages())
  }

  /// The stages, outermost first.
  public var stages: [any Middleware] { chain.stages }

  /// The transport below the stages.
  public var transport: any Transport { chain.transport }

  /// The names of the stages and the transport, in order.
  public var description: String {
    chain.names.joined(separator: " ▸ ")
  }

  /// The names of the stages and the transport; their contents may be secret.
  public var customMirror: Mirror { Mirror(self, unlabeledChildren: chain.names) }

  /// The names of the stages and the transport, in order.
  public var name: String { description }

  /// Passes a request through the stages to the transport.
  ///
  /// - Throws: ``ExchangeError`` that names the stage that failed; `CancellationError`.
  public func send(_ request: Request) async throws -> Response {
    // A request sent by a client or another pipeline is already complete.
    if request.exchange != nil, request.reference == nil { return try await Next(chain)(request) }
    return try await Next(chain)(Self.complete(request))
  }

  @inline(never)
  private static func complete(_ request: Request) throws -> Request {
    var request = request
    if request.exchange == nil { request.exchange = Exchange() }
    do {
      try request.resolve(against: nil)
    } catch {
      throw ExchangeError.wrapping(error, stage: "Pipeline", request: request)
    }
    return request
  }
}

extension Pipeline {
  /// Inserts a stage before all others.
  public mutating func prepend(_ stage: any Middleware) {
    chain = Chain([stage] + stages, transport)
  }

  /// Adds a stage after all others, next to the transport.
  public mutating func append(_ stage: any Middleware) {
    chain = Chain(stages + [stage], transport)
  }

  /// Inserts a stage before the stage of a type.
  ///
  /// - Throws: ``PipelineError`` if there is no stage of that type, or more than one.
  public mutating func insert<Stage: Middleware>(_ stage: any Middleware, before type: Stage.Type) throws {
    let index = try index(of: type)
    edit { $0.insert(stage, at: index) }
  }

  /// Inserts a stage after the stage of a type.
  ///
  /// - Throws: ``PipelineError`` if there is no stage of that type, or more than one.
  public mutating func insert<Stage: Middleware>(_ stage: any Middleware, after type: Stage.Type) throws {
    let index = try index(of: type)
    edit { $0.insert(stage, at: index + 1) }
  }

  /// Replaces the stage of a type.
  ///
  /// - Throws: ``PipelineError`` if there is no stage of that type, or more than one.
  public mutating func replace<Stage: Middleware>(_ type: Stage.Type, with stage: any Middleware) throws {
    let index = try index(of: type)
    edit { $0[index] = stage }
  }

  /// Removes the stage of a type.
  ///
  /// - Throws: ``PipelineError`` if there is no stage of that type, or more than one.
  public mutating func remove<Stage: Middleware>(_ type: Stage.Type) throws {
    let index = try index(of: type)
    edit { $0.remove(at: index) }
  }

  private mutating func edit(_ change: (inout [any Middleware]) -> Void) {
    var stages = stages
    change(&stages)
    chain = Chain(stages, transport)
  }

  private func index<Stage: Middleware>(of type: Stage.Type) throws(PipelineError) -> Int {
    let found = stages.indices.filter { stages[$0] is Stage }
    guard let index = found.first else {
      throw PipelineError(reason: .noSuchStage, stage: String(describing: type), pipeline: description)
    }
    guard found.count == 1 else {
      throw PipelineError(reason: .ambiguous, stage: String(describing: type), pipeline: description)
    }
    return index
  }
}

/// An error of editing a pipeline.
public struct PipelineError: Error, CustomStringConvertible {
  /// The reason of the error.
  @nonexhaustive
  public enum Reason: Sendable, Hashable {
    /// There is no stage of the type.
    case noSuchStage
    /// There are several stages of the type.
    case ambiguous
  }

  /// The reason of the error.
  public let reason: Reason
  /// The name of the type.
  public let stage: String
  /// The pipeline before editing.
  public let pipeline: String

  /// A description with the type and the pipeline.
  public var description: String {
    switch reason {
    case .noSuchStage: "no stage of type \(stage) in: \(pipeline)"
    case .ambiguous: "more than one stage of type \(stage) in: \(pipeline)"
    }
  }
}

/// A result builder for the stages of a pipeline.
@resultBuilder
public enum StageBuilder {
  /// Builds a single stage.
  public static func buildExpression(_ stage: any Middleware) -> [any Middleware] { [stage] }
  /// Builds a sequence of stages.
  public static func buildBlock(_ stages: [any Middleware]...) -> [any Middleware] { stages.flatMap { $0 } }
  /// Builds stages under a condition.
  public static func buildOptional(_ stages: [any Middleware]?) -> [any Middleware] { stages ?? [] }
  /// Builds the stages of the first branch.
  public static func buildEither(first stages: [any Middleware]) -> [any Middleware] { stages }
  /// Builds the stages of the second branch.
  public static func buildEither(second stages: [any Middleware]) -> [any Middleware] { stages }
  /// Builds the stages of a loop.
  public static func buildArray(_ stages: [[any Middleware]]) -> [any Middleware] { stages.flatMap { $0 } }
}
