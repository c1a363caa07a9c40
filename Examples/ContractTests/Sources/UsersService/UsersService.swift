public import Stagecoach

/// The service: what a server framework would call for each request.
public enum UsersService {
  /// Answers a request.
  public static func answer(_ request: Request) async throws -> Response {
    switch (request.method, request.head.path) {
    case (.get, "/users/42"): json(.ok, #"{"id":42,"name":"Ada","since":"2026-11-25"}"#)
    case (.get, _): json(.notFound, #"{"title":"no such user"}"#)
    case (.post, "/users"): json(.created, #"{"id":43,"name":"Grace"}"#)
    default: Response(.methodNotAllowed)
    }
  }

  private static func json(_ status: HTTPResponse.Status, _ text: String) -> Response {
    Response(status, fields: [.contentType: "application/json"], body: .bytes(Bytes(text)))
  }
}
