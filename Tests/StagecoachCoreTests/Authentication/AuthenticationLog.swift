import HTTPTypes
import Stagecoach
import Synchronization

/// Keeps the events of authentication.
final class AuthenticationLog: EventMonitor {
  private let list = Mutex<[AuthenticationEvent]>([])

  var all: [AuthenticationEvent] { list.withLock { $0 } }

  func receive(_ event: Event) {
    if case .authentication(let event) = event.kind { list.withLock { $0.append(event) } }
  }

  func count(_ event: AuthenticationEvent) -> Int { all.count { $0 == event } }
}

extension Authentication {
  /// A client of this stage alone.
  func client(
    over transport: any Transport,
    _ monitors: any EventMonitor...,
    time: any TimeSource = SystemTime()
  ) throws -> Client {
    try Client(Pipeline(over: transport) { self }, configuration: .init(monitors: monitors, clock: time))
  }
}

extension Response {
  /// A refusal with challenges, each in a field of its own.
  static func challenge(_ challenges: String..., body: Response.Body = .empty) -> Response {
    var response = Response(.unauthorized, body: body)
    for challenge in challenges {
      response.fields.append(HTTPField(name: .wwwAuthenticate, value: challenge))
    }
    return response
  }
}

extension Request {
  /// A request with a credential.
  static func get(_ url: String, as user: String, _ password: String) -> Request {
    var request = Request.get(url)
    request.options.credential = Credential(user: user, password: password)
    return request
  }

  var authorization: String? { fields[.authorization] }
}
