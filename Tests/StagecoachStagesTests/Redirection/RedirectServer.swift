import HTTPTypes
import Stagecoach
import TestSupport

extension EventRecorder {
  /// What was decided about redirects, in order.
  var redirects: [RedirectEvent] {
    events.sorted { $0.sequence < $1.sequence }.compactMap { event in
      if case .stage(let redirect as RedirectEvent) = event.kind { redirect } else { nil }
    }
  }
}

/// What became of a request, with all that can be seen of it.
struct RedirectOutcome {
  let transport: HandlerTransport
  let recorder = EventRecorder()
  private(set) var response: Response?
  private(set) var error: ExchangeError?

  init(_ request: Request, _ redirects: Redirects, over transport: HandlerTransport) async throws {
    self.transport = transport
    let pipeline = Pipeline(over: transport, stages: [redirects])
    // A clock that stands still: no content of a redirect is too slow to be read.
    let client = try Client(
      pipeline,
      configuration: .init(defaults: Client.Defaults(fields: [:]), monitors: [recorder], clock: ManualTime())
    )
    do { response = try await client.send(request) } catch let error as ExchangeError { self.error = error }
  }

  init(_ request: Request, over transport: HandlerTransport) async throws {
    try await self.init(request, Redirects(), over: transport)
  }

  init(_ request: Request, _ redirects: Redirects, _ answers: [String: Response]) async throws {
    try await self.init(request, redirects, over: redirectServer(answers))
  }

  init(_ request: Request, _ answers: [String: Response]) async throws {
    try await self.init(request, Redirects(), over: redirectServer(answers))
  }

  var urls: [String] { transport.requests.map(\.url) }
  /// The fields that the request of each hop had, in their order.
  var names: [[String]] { transport.requests.map { $0.fields.map(\.name.rawName) } }
}
