import HTTPTypes

/// The rest of a chain, as a stage sees it: calling it passes the request on.
///
/// It is a reference to the resolved chain and an index, so a call allocates nothing.
public struct Next: Sendable {
  let chain: Chain
  let index: Int

  init(_ chain: Chain, at index: Int = 0) {
    self.chain = chain
    self.index = index
  }

  /// Passes a request on to the next stage, or to the transport.
  ///
  /// - Throws: ``ExchangeError`` that names the stage which failed; `CancellationError`.
  public func callAsFunction(_ request: Request) async throws -> Response {
    guard index < chain.stages.count else { return try await chain.transmit(request) }
    request.emit(.stageEntered(chain.names[index]))
    do {
      var response = try await chain.stages[index].handle(request, next: Next(chain, at: index + 1))
      response.answer(request)
      response.attributeBody(to: chain.names[index], request: request)
      request.emit(.stageReturned(chain.names[index], response.status))
      return response
    } catch {
      let wrapped = ExchangeError.wrapping(error, stage: chain.names[index], request: request)
      request.emit(.stageFailed(chain.names[index], wrapped))
      throw wrapped
    }
  }
}

/// The stages and the transport of a pipeline, resolved once.
final class Chain: Sendable {
  let stages: [any Middleware]
  let names: [String]
  let transport: any Transport
  let transportName: String
  private let isNested: Bool

  init(_ stages: [any Middleware], _ transport: any Transport) {
    self.stages = stages
    self.names = stages.map(\.name)
    self.transport = transport
    self.transportName = transport.name
    self.isNested = transport is Pipeline
  }

  func transmit(_ request: Request) async throws -> Response {
    if isNested { return try await transport.send(request) }
    request.exchange?.countAttempt()
    request.emit(.stageEntered(transportName))
    do {
      try FieldSafety.check(request)
      var response = try await transport.send(request)
      response.answer(request)
      request.exchange?.mark(.headReceived)
      request.emit(.responseHeadReceived(Redaction.head(response.head)))
      response.attributeBody(to: transportName, request: request)
      request.emit(.stageReturned(transportName, response.status))
      return response
    } catch {
      let wrapped = ExchangeError.wrapping(error, stage: transportName, request: request)
      request.emit(.stageFailed(transportName, wrapped))
      throw wrapped
    }
  }
}

extension Response {
  /// Makes a body remember the stage that it comes from, and be read once wherever it comes from.
  @inline(__always)
  mutating func attributeBody(to stage: @autoclosure () -> String, request: Request) {
    if case .empty = body.storage { return }
    body.becomeReadOnce()
    guard case .stream(let stream) = body.storage else { return }
    stream.attribute(to: stage(), request: request, response: head)
  }
}
