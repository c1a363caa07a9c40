extension Client {
  /// Sends GET and decodes the JSON answer.
  ///
  /// ```swift
  /// let users: [User] = try await client.get("users", .query(["page": 2]))
  /// ```
  ///
  /// - Parameters:
  ///   - reference: An absolute URL, or a reference relative to the base URL.
  ///   - content: What to put into the request: a query.
  /// - Throws: ``ExchangeError``; `CancellationError` if the task is cancelled.
  @concurrent
  public func get<Value: Decodable & Sendable>(
    _ reference: String,
    _ content: RequestContent? = nil
  ) async throws -> Value {
    try await value(for: .get(reference), sending: content, as: .json(Value.self))
  }

  /// Sends GET and makes a value of the answer.
  @concurrent
  public func get<Serializer: ResponseSerializer>(
    _ reference: String,
    _ content: RequestContent? = nil,
    as serializer: Serializer
  ) async throws -> Serializer.Output {
    try await value(for: .get(reference), sending: content, as: serializer)
  }

  /// Sends POST; the content of the answer is read and forgotten.
  ///
  /// ```swift
  /// try await client.post("users/7/visits")
  /// let place = try await client.post("users", .json(draft)).fields[.location]
  /// ```
  ///
  /// - Returns: The head of the answer and what led to it; without a value.
  @concurrent @discardableResult
  public func post(
    _ reference: String,
    _ content: RequestContent? = nil
  ) async throws -> DecodedResponse<Void> {
    try await response(for: .post(reference), sending: content, as: .ignored)
  }

  /// Sends POST and decodes the JSON answer.
  ///
  /// ```swift
  /// let created: User = try await client.post("users", .json(draft))
  /// ```
  @concurrent
  public func post<Value: Decodable & Sendable>(
    _ reference: String,
    _ content: RequestContent? = nil
  ) async throws -> Value {
    try await value(for: .post(reference), sending: content, as: .json(Value.self))
  }

  /// Sends POST and makes a value of the answer.
  @concurrent
  public func post<Serializer: ResponseSerializer>(
    _ reference: String,
    _ content: RequestContent? = nil,
    as serializer: Serializer
  ) async throws -> Serializer.Output {
    try await value(for: .post(reference), sending: content, as: serializer)
  }

  /// Sends PUT; the content of the answer is read and forgotten.
  @concurrent @discardableResult
  public func put(
    _ reference: String,
    _ content: RequestContent? = nil
  ) async throws -> DecodedResponse<Void> {
    try await response(for: .put(reference), sending: content, as: .ignored)
  }

  /// Sends PUT and decodes the JSON answer.
  @concurrent
  public func put<Value: Decodable & Sendable>(
    _ reference: String,
    _ content: RequestContent? = nil
  ) async throws -> Value {
    try await value(for: .put(reference), sending: content, as: .json(Value.self))
  }

  /// Sends PUT and makes a value of the answer.
  @concurrent
  public func put<Serializer: ResponseSerializer>(
    _ reference: String,
    _ content: RequestContent? = nil,
    as serializer: Serializer
  ) async throws -> Serializer.Output {
    try await value(for: .put(reference), sending: content, as: serializer)
  }

  /// Sends PATCH; the content of the answer is read and forgotten.
  @concurrent @discardableResult
  public func patch(
    _ reference: String,
    _ content: RequestContent? = nil
  ) async throws -> DecodedResponse<Void> {
    try await response(for: .patch(reference), sending: content, as: .ignored)
  }

  /// Sends PATCH and decodes the JSON answer.
  @concurrent
  public func patch<Value: Decodable & Sendable>(
    _ reference: String,
    _ content: RequestContent? = nil
  ) async throws -> Value {
    try await value(for: .patch(reference), sending: content, as: .json(Value.self))
  }

  /// Sends PATCH and makes a value of the answer.
  @concurrent
  public func patch<Serializer: ResponseSerializer>(
    _ reference: String,
    _ content: RequestContent? = nil,
    as serializer: Serializer
  ) async throws -> Serializer.Output {
    try await value(for: .patch(reference), sending: content, as: serializer)
  }

  /// Sends DELETE; the content of the answer is read and forgotten.
  @concurrent @discardableResult
  public func delete(
    _ reference: String,
    _ content: RequestContent? = nil
  ) async throws -> DecodedResponse<Void> {
    try await response(for: .delete(reference), sending: content, as: .ignored)
  }

  /// Sends DELETE and decodes the JSON answer.
  @concurrent
  public func delete<Value: Decodable & Sendable>(
    _ reference: String,
    _ content: RequestContent? = nil
  ) async throws -> Value {
    try await value(for: .delete(reference), sending: content, as: .json(Value.self))
  }

  /// Sends DELETE and makes a value of the answer.
  @concurrent
  public func delete<Serializer: ResponseSerializer>(
    _ reference: String,
    _ content: RequestContent? = nil,
    as serializer: Serializer
  ) async throws -> Serializer.Output {
    try await value(for: .delete(reference), sending: content, as: serializer)
  }

  /// Sends HEAD; the answer is a head without content.
  @concurrent
  public func head(_ reference: String) async throws -> DecodedResponse<Void> {
    try await response(for: .head(reference), as: .ignored)
  }
}
