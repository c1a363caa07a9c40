import HTTPTypes
import StagecoachCore
import Synchronization

/// The proof that a server must provide in a response, and the action if it does not.
struct DigestProof: Sendable {
  let sent: DigestResponse
  let field: HTTPField.Name
  let isRequired: Bool
  let request: Request

  /// Reports a missing or wrong proof.
  ///
  /// - Throws: ``ExchangeError`` if the proof is required.
  func refuse() throws {
    request.emit(AuthenticationEvent.serverNotAuthentic)
    guard isRequired else { return }
    throw ExchangeError(
      .authentication(.serverNotAuthentic),
      "the server did not prove that it knows the password",
      advice:
        "another server may have answered; if the server never sends a proof, set requiresServerProof to false"
    )
  }

  /// Checks the proof after the body has been read, because the proof covers or follows it.
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

/// Passes a body on, and at its end checks the proof that covers it or follows it as a trailer.
final class ProvedBody: BodySource {
  private let reader: BodyReader
  private let info: AuthenticationInfo?
  private let proof: DigestProof
  private let hash: Mutex<any HashFunction>

  init(_ body: Response.Body, info: AuthenticationInfo?, proof: DigestProof) {
    reader = BodyReader(body)
    self.info = info
    self.proof = proof
    hash = Mutex(proof.sent.challenge.algorithm.makeHash())
  }

  func next() async throws -> Bytes? {
    if let chunk = try await reader.next() {
      hash.withLock { $0.update(chunk) }
      return chunk
    }
    let late = reader.trailers.flatMap { AuthenticationInfo($0, proof.field) }
    try proof.check(late ?? info, contentDigest: hash.withLock { $0.digest().hexadecimal })
    return nil
  }

  var trailers: HTTPFields? { reader.trailers }

  func cancel() { reader.cancel() }
}
