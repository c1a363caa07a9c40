package import StagecoachCore

/// A response that several requests share.
package struct SharedResponse: Sendable {
  /// The response without its body.
  private let bare: Response
  /// The body; `nil` if there is none.
  package let body: SharedBody?
  private let length: Int64?

  /// Creates a response from another.
  ///
  /// - Parameters:
  ///   - limit: The number of bytes that are kept in memory for slower readers.
  ///   - tape: Keeps the body; `nil` if it is kept in memory alone.
  package init(_ response: Response, limit: Int, tape: (any BodyTape)? = nil) {
    body = response.body.isEmpty ? nil : SharedBody(response, limit: limit, tape: tape)
    length = response.body.length
    var bare = Response(
      head: response.head,
      source: response.source,
      version: response.version,
      connection: response.connection
    )
    bare.history = response.history
    self.bare = bare
  }

  /// Whether a response without a tape can be shared: without a strong validator the readers wait for all of the body,
  /// which must be known to fit.
  ///
  /// - Parameter limit: The number of bytes that are kept in memory for slower readers.
  package static func canShare(_ response: Response, limit: Int) -> Bool {
    let body = response.body
    return body.isEmpty || SharedBody.fits(body, limit) || SharedContent(response.head).hasStrongValidator
  }

  /// Returns the response of one reader.
  ///
  /// - Parameters:
  ///   - request: The request of the reader, which is sent if it reads too slowly.
  ///   - reader: What ``SharedBody/join()`` returned.
  ///   - next: Where to send the request.
  ///   - isFirst: Whether the request is the one that was sent, whose exchange hears of the bytes already.
  ///   - waitEnd: How long the reader waits for the body to be complete, where it must; `nil` for
  ///     ``SharedBody/patience`` from its first read on.
  ///   - detached: Called when the reader is cut loose, with the number of bytes that it has read.
  package func response(
    for request: Request,
    reader: Int,
    next: Next,
    isFirst: Bool,
    waitEnd: ContinuousClock.Instant? = nil,
    detached: @escaping @Sendable (Int64) -> Void
  ) -> Response {
    guard let body else { return bare }
    var response = bare
    let source = SharedBodyReader(
      body,
      reader,
      head: bare.head,
      request: request,
      next: next,
      waitEnd: waitEnd,
      detached: detached
    )
    response.body =
      isFirst
      ? Response.Body(transforming: source, length: length) : Response.Body(source: source, length: length)
    return response
  }
}
