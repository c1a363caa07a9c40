/// An ordered list of stages over a transport, which is itself a transport, so stacks nest.
///
/// The first stage is the outermost: it sees the request first and the response last.
///
/// ```swift
/// var pipeline = Pipeline(over: transport) {
///   Validation()
///   Tag(team: "post")
/// }
/// try pipeline.insert(Trace(), before: Tag.self)
/// print(pipeline)  // Validation ▸ Trace ▸ Tag ▸ HandlerTransport
/// ```
public struct Pipeline: Transport, CustomStringConvertible, CustomReflectable {
  private var chain: Chain

  /// Stages over a transport, from the outermost to the wire.
  public init(over transport: any Transport, stages: [any Middleware]) {
    chain = Chain(stages, transport)
  }

  /// Stages over a transport, from the outermost to the wire.
  public init(over transport: any Transport, @StageBuilder _ stages: () -> [any Middleware]) {
    self.init(over: transport, stages: stages())
  }

  /// The stages, from the outermost to the wire.
  public var stages: [any Middleware] { chain.stages }

  /// What the stages stand on.
  public var transport: any Transport { chain.transport }

  /// The stages and the transport in order.
  public var description: String {
    chain.names.joined(separator: " ▸ ")
  }

  /// The names of the stages and of the transport: what these hold may be secrets.
  public var customMirror: Mirror { Mirror(self, unlabeledChildren: chain.names) }

  /// The stages and the transport in order.
  public var name: String { description }

  /// Those of the transport.
  public var capabilities: TransportCapabilities { transport.capabilities }

  /// Passes a request through the stages to the transport.
  ///
  /// - Throws: ``ExchangeError`` that names the stage which failed; `CancellationError`.
  public func send(_ request: Request) async throws -> Response {
    // What a client or another pipeline sends is complete.
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

  /// Shuts the transport down.
  public func shutdown() async {
    await transport.shutdown()
  }
}

extension Pipeline {
  /// Puts a stage in front of all others.
  public mutating func prepend(_ stage: any Middleware) {
    chain = Chain([stage] + stages, transport)
  }

  /// Puts a stage behind all others, next to the transport.
  public mutating func append(_ stage: any Middleware) {
    chain = Chain(stages + [stage], transport)
  }

  /// Puts a stage in front of the one of a type.
  ///
  /// - Throws: ``PipelineError`` if no stage, or more than one, is of that type.
  public mutating func insert<Stage: Middleware>(_ stage: any Middleware, before type: Stage.Type) throws {
    let index = try index(of: type)
    edit { $0.insert(stage, at: index) }
  }

  /// Puts a stage behind the one of a type.
  ///
  /// - Throws: ``PipelineError`` if no stage, or more than one, is of that type.
  public mutating func insert<Stage: Middleware>(_ stage: any Middleware, after type: Stage.Type) throws {
    let index = try index(of: type)
    edit { $0.insert(stage, at: index + 1) }
  }

  /// Puts a stage in place of the one of a type.
  ///
  /// - Throws: ``PipelineError`` if no stage, or more than one, is of that type.
  public mutating func replace<Stage: Middleware>(_ type: Stage.Type, with stage: any Middleware) throws {
    let index = try index(of: type)
    edit { $0[index] = stage }
  }

  /// Takes out the stage of a type.
  ///
  /// - Throws: ``PipelineError`` if no stage, or more than one, is of that type.
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

/// A pipeline could not be edited as asked.
public struct PipelineError: Error, CustomStringConvertible {
  /// Why.
  @nonexhaustive
  public enum Reason: Sendable, Hashable {
    /// No stage is of the type.
    case noSuchStage
    /// Several stages are of the type.
    case ambiguous
  }

  /// Why it could not be edited.
  public let reason: Reason
  /// The name of the type that was looked for.
  public let stage: String
  /// The pipeline as it was.
  public let pipeline: String

  /// What was looked for and what is there.
  public var description: String {
    switch reason {
    case .noSuchStage: "no stage of type \(stage) in: \(pipeline)"
    case .ambiguous: "more than one stage of type \(stage) in: \(pipeline)"
    }
  }
}

/// Builds the list of a pipeline's stages.
@resultBuilder
public enum StageBuilder {
  /// One stage.
  public static func buildExpression(_ stage: any Middleware) -> [any Middleware] { [stage] }
  /// Stages in a row.
  public static func buildBlock(_ stages: [any Middleware]...) -> [any Middleware] { stages.flatMap { $0 } }
  /// Stages under a condition.
  public static func buildOptional(_ stages: [any Middleware]?) -> [any Middleware] { stages ?? [] }
  /// The stages of one branch.
  public static func buildEither(first stages: [any Middleware]) -> [any Middleware] { stages }
  /// The stages of the other branch.
  public static func buildEither(second stages: [any Middleware]) -> [any Middleware] { stages }
  /// The stages of a loop.
  public static func buildArray(_ stages: [[any Middleware]]) -> [any Middleware] { stages.flatMap { $0 } }
}
