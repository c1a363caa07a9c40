import HTTPTypes
package import StagecoachCore
import StagecoachStages

extension Response {
  /// A refusal with challenges, each in a field of its own.
  package static func challenge(_ challenges: String..., body: Response.Body = .empty) -> Response {
    var response = Response(.unauthorized, body: body)
    for challenge in challenges {
      response.fields.append(HTTPField(name: .wwwAuthenticate, value: challenge))
    }
    return response
  }
}

extension Request {
  /// A request with a credential.
  package static func get(_ url: String, as user: String, _ password: String) -> Request {
    var request = Request.get(url)
    request.options.credential = Credential(user: user, password: password)
    return request
  }

  /// The credentials that it carries.
  package var authorization: String? { fields[.authorization] }
}
