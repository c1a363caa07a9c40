import HTTPTypes
import Synchronization

/// What a server has to prove in a response, and what becomes of it if it does not.
struct DigestProof: Sendable {
  let sent: DigestResponse
  let field: HTTPField.Name
  let isRequired: Bool
  let request: Request

  /// Tells of a missing or wrong proof.
  ///
  /// - Throws: ``ExchangeError`` if the proof is required.
  func refuse() throws {
    request.emit(.authentication(.serverNotAuthentic))
    guard isRequired else { return }
    throw ExchangeError(
      .authentication(.serverNotAuthentic),
      "the server did not prove that it knows the password",
      advice: "somebody else may have answered; a server that never proves it needs requiresServerProof off"
    )
  }

  /// Checks the proof once the body was read, that being what it covers or follows.
  func follow(_ response: inout Response, _ info: AuthenticationInfo?) throws {
    if response.body.length == 0 {
      try check(info, contentDigest: sent.challenge.algorithm.makeHash().digest().hexadecimal)
    } else {
      response.body = Response.Body(transforming: ProvedBody(response.body, info: info, proof: self))
    }
  }

  /// Checks the proof at the end of a body.
  func check(_ info: AuthenticationInfo?, contentDigest: String) throws {
    switch sent.check(info, contentDigest: contentDigest) {
    case .valid: break
    case .absent where !isRequired: break
    default: try refuse()
    }
  }
}

/// Passes a body on, and checks at its end the proof that covers it or follows it as a trailer.
final class ProvedBody: BodySource {
  private struct State {
    var iterator: Response.Body.AsyncIterator
    var hash: any HashFunction
  }

  private let body: Response.Body
  private let info: AuthenticationInfo?
  private let proof: DigestProof
  private let state: Mutex<State>

  init(_ body: Response.Body, info: AuthenticationInfo?, proof: DigestProof) {
    self.body = body
    self.info = info
    self.proof = proof
    state = Mutex(
      State(iterator: body.makeAsyncIterator(), hash: proof.sent.challenge.algorithm.makeHash())
    )
  }

  func next() async throws -> Bytes? {
    // There is one reader at a time, so nobody else moves the iterator while it waits.
    var iterator = state.withLock { $0.iterator }
    let chunk = try await iterator.next()
    let digest = state.withLock { state in
      state.iterator = iterator
      if let chunk { state.hash.update(chunk) }
      return chunk == nil ? state.hash.digest().hexadecimal : nil
    }
    guard let digest else { return chunk }
    let late = body.trailers.flatMap { AuthenticationInfo($0, proof.field) }
    try proof.check(late ?? info, contentDigest: digest)
    return nil
  }

  var trailers: HTTPFields? { body.trailers }

  func cancel() { body.cancel() }
}
