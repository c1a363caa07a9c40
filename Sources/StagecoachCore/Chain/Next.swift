import HTTPTypes

/// The rest of a pipeline below a stage. Calling it passes the request on.
///
/// It holds a reference to the resolved chain and an index, so a call allocates nothing.
public struct Next: Sendable {
  let chain: Chain
  let index: Int

  init(_ chain: Chain, at index: Int = 0) {
    self.chain = chain
    self.index = index
  }

  /// The trust and the connections of the transport at the end of the chain; `nil` if it sets none.
  package var peer: PeerIdentity? { chain.peer }

  /// The capabilities of the transport at the end of the chain.
  package var capabilities: TransportCapabilities { chain.transport.capabilities }

  /// Passes a request on to the next stage, or to the transport.
  ///
  /// - Throws: ``ExchangeError`` that names the stage which failed; `CancellationError`.
  public func callAsFunction(_ request: Request) async throws -> Response {
    guard index < chain.stages.count else { return try await chain.transmit(request) }
    chain.entered(index, request)
    do {
      var response = try await chain.stages[index].handle(request, next: Next(chain, at: index + 1))
      chain.returned(index, &response, request)
      return response
    } catch {
      throw chain.failed(index, error, request)
    }
  }
}

/// The stages and the transport of a pipeline, resolved once.
final class Chain: Sendable {
  let stages: [any Middleware]
  /// The names of the stages, followed by the name of the transport.
  let names: [String]
  let transport: any Transport
  let peer: PeerIdentity?
  private let isNested: Bool

  init(_ stages: [any Middleware], _ transport: any Transport) {
    self.stages = stages
    self.names = stages.map(\.name) + [transport.name]
    self.transport = transport
    self.peer = PeerIdentity(transport)
    self.isNested = transport is Pipeline
  }

  func transmit(_ request: Request) async throws -> Response {
    if isNested { return try await transport.send(request) }
    do {
      try depart(request)
      var response = try await transport.send(request)
      arrived(&response, request)
      return response
    } catch {
      throw failed(stages.count, error, request)
    }
  }

  // These functions are not inlined: an async frame lives as long as its request, so it is kept small.

  @inline(never)
  func entered(_ stage: Int, _ request: Request) {
    request.emit(.stageEntered(names[stage]))
  }

  @inline(never)
  func returned(_ stage: Int, _ response: inout Response, _ request: Request) {
    response.answer(request)
    response.attributeBody(to: names[stage], isFromTransport: stage == stages.count)
    request.emit(.stageReturned(names[stage], response.status))
  }

  @inline(never)
  func failed(_ stage: Int, _ error: any Error, _ request: Request) -> any Error {
    let wrapped = ExchangeError.wrapping(error, stage: names[stage], request: request)
    request.emit(.stageFailed(names[stage], wrapped))
    return wrapped
  }

  @inline(never)
  private func depart(_ request: Request) throws {
    request.exchange?.countAttempt()
    entered(stages.count, request)
    try FieldSafety.check(request)
  }

  @inline(never)
  private func arrived(_ response: inout Response, _ request: Request) {
    request.exchange?.mark(.headReceived)
    request.emit(.responseHeadReceived(Redaction.head(response.head)))
    returned(stages.count, &response, request)
  }
}

extension Response {
  /// Makes a body remember the stage that created it, and makes it readable only once.
  @inline(__always)
  mutating func attributeBody(to stage: @autoclosure () -> String, isFromTransport: Bool) {
    if case .empty = body.storage { return }
    body.becomeReadOnce()
    guard case .stream(let stream) = body.storage, let answered else { return }
    stream.attribute(to: stage(), answered, response: head, isFromTransport: isFromTransport)
  }
}
