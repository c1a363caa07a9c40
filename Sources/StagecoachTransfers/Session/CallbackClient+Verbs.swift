public import HTTPTypes
public import StagecoachCore
public import StagecoachSerializers

extension CallbackClient {
  /// Sends a GET request and decodes the response.
  ///
  /// The content is added to the query, such as `.parameters(["page": 2])`. The other verbs have the same parameters.
  ///
  /// - Parameters:
  ///   - reference: An absolute URL, or a reference relative to the base URL of the client.
  ///   - content: The content of the request.
  ///   - fields: The fields of this request, which replace default fields of the same names.
  ///   - serializer: Decodes the response; by default as an untyped JSON value, null if there is no content.
  ///   - success: Gets the value.
  ///   - failure: Gets the error.
  ///   - progress: Gets the progress in both directions, at most ten times a second.
  @discardableResult
  public func get<Serializer: ResponseSerializer>(
    _ reference: String,
    _ content: RequestContent? = nil,
    fields: HTTPFields = [:],
    as serializer: Serializer = JSONValueResponseSerializer(),
    success: @escaping @Sendable (Transfer<Serializer.Output>, Serializer.Output) -> Void,
    failure: @escaping @Sendable (Transfer<Serializer.Output>, any Error) -> Void,
    progress: (@Sendable (TransferProgress) -> Void)? = nil
  ) -> Transfer<Serializer.Output> {
    let request = Request(.get, reference, fields: fields)
    return send(request, content, as: serializer, success: success, failure: failure, progress: progress)
  }

  /// Sends a POST request and decodes the response.
  ///
  /// Parameters are sent with `.parameters(["name": "jack"])` as a form, with `.parameters(["name": "jack"], in: .json)`
  /// as JSON. Without content nothing is sent. (AFNetworking sent an empty form: `.parameters([:])`.)
  @discardableResult
  public func post<Serializer: ResponseSerializer>(
    _ reference: String,
    _ content: RequestContent? = nil,
    fields: HTTPFields = [:],
    as serializer: Serializer = JSONValueResponseSerializer(),
    success: @escaping @Sendable (Transfer<Serializer.Output>, Serializer.Output) -> Void,
    failure: @escaping @Sendable (Transfer<Serializer.Output>, any Error) -> Void,
    progress: (@Sendable (TransferProgress) -> Void)? = nil
  ) -> Transfer<Serializer.Output> {
    let request = Request(.post, reference, fields: fields)
    return send(request, content, as: serializer, success: success, failure: failure, progress: progress)
  }

  /// Sends a PUT request and decodes the response.
  @discardableResult
  public func put<Serializer: ResponseSerializer>(
    _ reference: String,
    _ content: RequestContent? = nil,
    fields: HTTPFields = [:],
    as serializer: Serializer = JSONValueResponseSerializer(),
    success: @escaping @Sendable (Transfer<Serializer.Output>, Serializer.Output) -> Void,
    failure: @escaping @Sendable (Transfer<Serializer.Output>, any Error) -> Void,
    progress: (@Sendable (TransferProgress) -> Void)? = nil
  ) -> Transfer<Serializer.Output> {
    let request = Request(.put, reference, fields: fields)
    return send(request, content, as: serializer, success: success, failure: failure, progress: progress)
  }

  /// Sends a PATCH request and decodes the response.
  @discardableResult
  public func patch<Serializer: ResponseSerializer>(
    _ reference: String,
    _ content: RequestContent? = nil,
    fields: HTTPFields = [:],
    as serializer: Serializer = JSONValueResponseSerializer(),
    success: @escaping @Sendable (Transfer<Serializer.Output>, Serializer.Output) -> Void,
    failure: @escaping @Sendable (Transfer<Serializer.Output>, any Error) -> Void,
    progress: (@Sendable (TransferProgress) -> Void)? = nil
  ) -> Transfer<Serializer.Output> {
    let request = Request(.patch, reference, fields: fields)
    return send(request, content, as: serializer, success: success, failure: failure, progress: progress)
  }

  /// Sends a DELETE request and decodes the response. Parameters are added to the query.
  @discardableResult
  public func delete<Serializer: ResponseSerializer>(
    _ reference: String,
    _ content: RequestContent? = nil,
    fields: HTTPFields = [:],
    as serializer: Serializer = JSONValueResponseSerializer(),
    success: @escaping @Sendable (Transfer<Serializer.Output>, Serializer.Output) -> Void,
    failure: @escaping @Sendable (Transfer<Serializer.Output>, any Error) -> Void,
    progress: (@Sendable (TransferProgress) -> Void)? = nil
  ) -> Transfer<Serializer.Output> {
    let request = Request(.delete, reference, fields: fields)
    return send(request, content, as: serializer, success: success, failure: failure, progress: progress)
  }

  /// Sends a HEAD request. Its result is the head of the response, ``Transfer/response``.
  @discardableResult
  public func head(
    _ reference: String,
    _ content: RequestContent? = nil,
    fields: HTTPFields = [:],
    success: @escaping @Sendable (Transfer<Void>) -> Void,
    failure: @escaping @Sendable (Transfer<Void>, any Error) -> Void
  ) -> Transfer<Void> {
    let request = Request(.head, reference, fields: fields)
    return send(
      request,
      content,
      as: .ignored,
      success: { transfer, _ in success(transfer) },
      failure: failure
    )
  }
}
