import HTTPTypes
import StagecoachCore

/// An exchange whose request is equal to a live one.
struct ReplayMatch: Sendable {
  let exchange: ReplayedExchange
  /// The fields of the live request, with the recorded texts in place of secrets; `nil` if the exchange has none.
  var fields: HTTPFields?
  /// The live values of the recorded secrets.
  var values: [(Placeholder, [UInt8])] = []
}

/// A live request beside recorded ones with secrets. It is read once for all of them.
final class AlignedRequests {
  let live: LiveRequest
  private let texts: LiveTexts
  private var known: [ObjectIdentifier: AlignedRequest] = [:]

  init(_ live: LiveRequest) {
    self.live = live
    texts = LiveTexts(live.message)
  }

  /// Returns the live request with the texts of a recorded one in place of secrets.
  func aligned(with recorded: RedactedMessage) -> AlignedRequest {
    if let aligned = known[ObjectIdentifier(recorded)] { return aligned }
    let alignment = recorded.aligned(texts)
    let aligned = AlignedRequest(
      request: LiveRequest(alignment.message),
      values: alignment.values,
      faults: alignment.faults
    )
    known[ObjectIdentifier(recorded)] = aligned
    return aligned
  }
}

/// A live request with the texts of a recorded one in place of secrets.
struct AlignedRequest {
  let request: LiveRequest
  let values: [(Placeholder, [UInt8])]
  let faults: [RedactedMessage.Fault]
}

extension LiveRequest {
  var message: RedactableMessage {
    RedactableMessage(method: method, target: url, fields: fields, body: body.isEmpty ? nil : body)
  }

  fileprivate init(_ message: RedactableMessage) {
    self.init(
      method: message.method ?? "",
      url: message.target ?? "",
      fields: message.fields,
      body: message.body ?? Bytes()
    )
  }

  /// Returns the request without secrets.
  ///
  /// - Parameter listed: The made-up values of the exchange that it was aligned with, which stay.
  func redacted(
    by redactor: Redactor,
    _ listed: [Scenario.RedactedLeaf] = []
  ) throws(RedactionError) -> LiveRequest {
    try redactor.learn([message])
    return LiveRequest(try redactor.redact(message, side: "request", listed: listed).message)
  }
}

extension AlignedRequests: HidesContent {}
extension AlignedRequest: HidesContent {}
extension ReplayMatch: HidesContent {}
