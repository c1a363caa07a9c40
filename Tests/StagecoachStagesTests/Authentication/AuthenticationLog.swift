import HTTPTypes
import Stagecoach
import Synchronization

/// Keeps the events of authentication.
final class AuthenticationLog: EventMonitor {
  private let list = Mutex<[AuthenticationEvent]>([])

  var all: [AuthenticationEvent] { list.withLock { $0 } }

  func receive(_ event: Event) {
    if case .stage(let event as AuthenticationEvent) = event.kind { list.withLock { $0.append(event) } }
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
