/// What a server says of a problem in a form for machines (RFC 9457).
///
/// As the error model of a request it is in the error of a refused response:
///
/// ```swift
/// var request = Request.get("orders/7")
/// request.options.errorModel = ErrorModel(.problemDetails)
/// do {
///   let order: Order = try await client.value(for: request, as: .json(Order.self))
/// } catch let error as ExchangeError {
///   let problem = error.decoded(as: ProblemDetails.self)
///   print(problem?.title as Any, problem?.extensions["balance"] as Any)
/// }
/// ```
///
/// Nobody but the server vouches for it: its status is advice, and its texts are not to be taken for markup.
public struct ProblemDetails: Sendable, Hashable {
  /// A URI reference that identifies the type of the problem; `about:blank` if there is none, and then the
  /// problem is what the status says (RFC 9457 3.1.1).
  public var type: String
  /// A short summary of the type of the problem, for a person.
  public var title: String?
  /// The status code that the server generated (RFC 9457 3.1.2).
  public var status: Int?
  /// What is particular to this occurrence of the problem, for a person.
  public var detail: String?
  /// A URI reference that identifies this occurrence of the problem.
  public var instance: String?
  /// All other members, in order (RFC 9457 3.2).
  public var extensions: JSONObject

  /// A problem.
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

  /// The problem that an object describes. A member whose value is not of its type is ignored, as
  /// RFC 9457 3.1 demands.
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
  /// Reads an object. The order of the other members, and digits of their numbers, are as far as the decoder keeps
  /// them; ``ResponseSerializer/problemDetails`` keeps all.
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

/// Reads problem details (RFC 9457).
public struct ProblemDetailsResponseSerializer: ResponseSerializer {
  /// What it can read: `application/problem+json`, with any status from 200 up to 599.
  public var accepts: Acceptance

  /// A serializer.
  public init(accepting accepts: Acceptance = .problemDetails) {
    self.accepts = accepts
  }

  /// Collects the body within the request's body limit and reads it.
  ///
  /// - Throws: ``ExchangeError`` of kind `serialization` if it is no JSON object.
  public func serialize(_ response: Response) async throws -> ProblemDetails {
    let value = try await JSONValueResponseSerializer().serialize(response)
    guard let object = value.objectValue else {
      throw ExchangeError(.serialization, "problem details are an object, the body is not")
    }
    return ProblemDetails(object)
  }
}

extension Acceptance {
  /// `application/problem+json` with any final status: a problem is mostly what an error status brings.
  public static let problemDetails = Acceptance(
    mediaTypes: [MediaRange(.problemJSON)],
    statuses: [200..<600]
  )
}

extension ResponseSerializer where Self == ProblemDetailsResponseSerializer {
  /// Problem details (RFC 9457).
  public static var problemDetails: ProblemDetailsResponseSerializer { ProblemDetailsResponseSerializer() }
}
