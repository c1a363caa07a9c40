public import StagecoachCore

/// A machine-readable description of a problem from a server (RFC 9457).
///
/// As the error model of a request it is part of the error of a refused response:
///
/// ```swift
/// var request = Request.get("users/7")
/// request.options.errorModel = ErrorModel(.problemDetails)
/// do {
///   print(try await client.value(for: request, as: .json(User.self)))
/// } catch let error as ExchangeError {
///   let problem = error.decoded(as: ProblemDetails.self)
///   print(problem?.title as Any, problem?.extensions["balance"] as Any)
/// }
/// ```
///
/// It is not verified: its status is only advisory, and its texts must not be interpreted as markup.
public struct ProblemDetails: Sendable, Hashable {
  /// A URI reference that identifies the type of the problem; `about:blank` if absent, which means that the status
  /// describes the problem (RFC 9457 3.1.1).
  public var type: String
  /// A short human-readable summary of the type of the problem.
  public var title: String?
  /// The status code that the server generated (RFC 9457 3.1.2).
  public var status: Int?
  /// A human-readable explanation of this occurrence of the problem.
  public var detail: String?
  /// A URI reference that identifies this occurrence of the problem.
  public var instance: String?
  /// All other members, in order (RFC 9457 3.2).
  public var extensions: JSONObject

  /// Creates problem details.
  public init(
    type: String = "about:blank",
    title: String? = nil,
    status: Int? = nil,
    detail: String? = nil,
    instance: String? = nil,
    extensions: JSONObject = JSONObject()
  ) {
    self.type = type
    self.title = title
    self.status = status
    self.detail = detail
    self.instance = instance
    self.extensions = extensions
  }

  /// Creates problem details from a JSON object. A member with a value of the wrong type is ignored (RFC 9457 3.1).
  public init(_ object: JSONObject) {
    self.init(
      type: object["type"]?.stringValue ?? "about:blank",
      title: object["title"]?.stringValue,
      status: object["status"]?.intValue,
      detail: object["detail"]?.stringValue,
      instance: object["instance"]?.stringValue,
      extensions: JSONObject(object.members.filter { !Self.names.contains($0.key) })
    )
  }

  private static let names: Set<String> = ["type", "title", "status", "detail", "instance"]
}

extension ProblemDetails: Decodable {
  /// Decodes a JSON object. Whether the order of other members and the digits of numbers are kept depends on the
  /// decoder; ``ResponseSerializer/problemDetails`` keeps all.
  ///
  /// - Throws: `DecodingError.typeMismatch` for anything but an object.
  public init(from decoder: any Decoder) throws {
    let value = try JSONValue(from: decoder)
    guard let object = value.objectValue else {
      throw DecodingError.typeMismatch(
        JSONObject.self,
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: "problem details are an object"
        )
      )
    }
    self.init(object)
  }
}

/// A serializer that reads problem details (RFC 9457).
public struct ProblemDetailsResponseSerializer: ResponseSerializer {
  /// The accepted content: `application/problem+json`, with any status from 200 to 599.
  public var accepts: Acceptance

  /// Creates a serializer.
  public init(accepting accepts: Acceptance = .problemDetails) {
    self.accepts = accepts
  }

  /// Collects the body, up to the request's body limit, and parses it.
  ///
  /// - Throws: ``ExchangeError`` of kind `serialization` if it is not a JSON object.
  public func serialize(_ response: Response) async throws -> ProblemDetails {
    let value = try await JSONValueResponseSerializer().serialize(response)
    guard let object = value.objectValue else {
      throw ExchangeError(.serialization, "the body is not a JSON object, as problem details must be")
    }
    return ProblemDetails(object)
  }
}

extension Acceptance {
  /// `application/problem+json` with any final status, because problems usually have an error status.
  public static let problemDetails = Acceptance(
    mediaTypes: [MediaRange(.problemJSON)],
    statuses: [200..<600]
  )
}

extension ResponseSerializer where Self == ProblemDetailsResponseSerializer {
  /// A serializer that reads problem details (RFC 9457).
  public static var problemDetails: ProblemDetailsResponseSerializer { ProblemDetailsResponseSerializer() }
}
