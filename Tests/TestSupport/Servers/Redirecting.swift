package import HTTPTypes
package import StagecoachCore

/// Answers by URL; 200 where it knows nothing.
package func redirectServer(_ answers: [String: Response]) -> HandlerTransport {
  HandlerTransport { request in answers[request.url] ?? Response(.ok, body: .bytes("end")) }
}

/// A response that redirects.
package func redirect(_ location: String, _ code: Int = 302, _ fields: HTTPFields = [:]) -> Response {
  Response(HTTPResponse.Status(code: code), fields: fields + [HTTPField(name: .location, value: location)])
}

extension Request {
  /// The URL as it was sent.
  package var url: String { "\(head.scheme ?? "")://\(head.authority ?? "")\(head.path ?? "")" }
}
