public import StagecoachCore

extension Client {
  /// Sends a GET request and decodes the JSON response.
  ///
  /// ```swift
  /// let users: [User] = try await client.get("users", .query(["page": 2]))
  /// ```
  ///
  /// - Parameters:
  ///   - reference: An absolute URL, or a reference relative to the base URL.
  ///   - content: The content of the request, such as a query.
  /// - Throws: ``ExchangeError``; `CancellationError` if the task is cancelled.
  @concurrent
  public func get<Value: Decodable & Sendable>(
    _ reference: String,
    _ content: RequestContent? = nil
  ) async throws -> Value {
    try await value(for: .get(reference), sending: content, as: .json(Value.self))
  }

  /// Sends a GET request and decodes the response.
  @concurrent
  public func get<Serializer: ResponseSerializer>(
    _ reference: String,
    _ content: RequestContent? = nil,
    as serializer: Serializer
  ) async throws -> Serializer.Output {
    try await value(for: .get(reference), sending: content, as: serializer)
  }

  /// Sends a POST request and discards the content of the response.
  ///
  /// ```swift
  /// try await client.post("users/7/visits")
  /// let place = try await client.post("users", .json(user)).fields[.location]
  /// ```
  ///
  /// - Returns: The head, history and timings of the response, without a value.
  @concurrent @discardableResult
  public func post(
    _ reference: String,
    _ content: RequestContent? = nil
  ) async throws -> DecodedResponse<Void> {
    try await response(for: .post(reference), sending: content, as: .ignored)
  }

  /// Sends a POST request and decodes the JSON response.
  ///
  /// ```swift
  /// let created: User = try await client.post("users", .json(user))
  /// ```
  @concurrent
  public func post<Value: Decodable & Sendable>(
    _ reference: String,
    _ content: RequestContent? = nil
  ) async throws -> Value {
    try await value(for: .post(reference), sending: content, as: .json(Value.self))
  }

  /// Sends a POST request and decodes the response.
  @concurrent
  public func post<Serializer: ResponseSerializer>(
    _ reference: String,
    _ content: RequestContent? = nil,
    as serializer: Serializer
  ) async throws -> Serializer.Output {
    try await value(for: .post(reference), sending: content, as: serializer)
  }

  /// Sends a PUT request and discards the content of the response.
  @concurrent @discardableResult
  public func put(
    _ reference: String,
    _ content: RequestContent? = nil
  ) async throws -> DecodedResponse<Void> {
    try await response(for: .put(reference), sending: content, as: .ignored)
  }

  /// Sends a PUT request and decodes the JSON response.
  @concurrent
  public func put<Value: Decodable & Sendable>(
    _ reference: String,
    _ content: RequestContent? = nil
  ) async throws -> Value {
    try await value(for: .put(reference), sending: content, as: .json(Value.self))
  }

  /// Sends a PUT request and decodes the response.
  @concurrent
  public func put<Serializer: ResponseSerializer>(
    _ reference: String,
    _ content: RequestContent? = nil,
    as serializer: Serializer
  ) async throws -> Serializer.Output {
    try await value(for: .put(reference), sending: content, as: serializer)
  }

  /// Sends a PATCH request and discards the content of the response.
  @concurrent @discardableResult
  public func patch(
    _ reference: String,
    _ content: RequestContent? = nil
  ) async throws -> DecodedResponse<Void> {
    try await response(for: .patch(reference), sending: content, as: .ignored)
  }

  /// Sends a PATCH request and decodes the JSON response.
  @concurrent
  public func patch<Value: Decodable & Sendable>(
    _ reference: String,
    _ content: RequestContent? = nil
  ) async throws -> Value {
    try await value(for: .patch(reference), sending: content, as: .json(Value.self))
  }

  /// Sends a PATCH request and decodes the response.
  @concurrent
  public func patch<Serializer: ResponseSerializer>(
    _ reference: String,
    _ content: RequestContent? = nil,
    as serializer: Serializer
  ) async throws -> Serializer.Output {
    try await value(for: .patch(reference), sending: content, as: serializer)
  }

  /// Sends a DELETE request and discards the content of the response.
  @concurrent @discardableResult
  public func delete(
    _ reference: String,
    _ content: RequestContent? = nil
  ) async throws -> DecodedResponse<Void> {
    try await response(for: .delete(reference), sending: content, as: .ignored)
  }

  /// Sends a DELETE request and decodes the JSON response.
  @concurrent
  public func delete<Value: Decodable & Sendable>(
    _ reference: String,
    _ content: RequestContent? = nil
  ) async throws -> Value {
    try await value(for: .delete(reference), sending: content, as: .json(Value.self))
  }

  /// Sends a DELETE request and decodes the response.
  @concurrent
  public func delete<Serializer: ResponseSerializer>(
    _ reference: String,
    _ content: RequestContent? = nil,
    as serializer: Serializer
  ) async throws -> Serializer.Output {
    try await value(for: .delete(reference), sending: content, as: serializer)
  }

  /// Sends a HEAD request; the response has no content.
  @concurrent
  public func head(_ reference: String) async throws -> DecodedResponse<Void> {
    try await response(for: .head(reference), as: .ignored)
  }
}
