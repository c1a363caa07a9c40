import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite struct MonitorsOptionTests {
  private let ofClient = EventRecorder()
  private let log = Log<String>()

  private func client(monitors: [any EventMonitor]) throws -> Client {
    try Client(
      over: HandlerTransport { _ in Response(.ok, body: .bytes("ab")) },
      configuration: .init(monitors: monitors)
    )
  }

  @Test(arguments: [false, true])
  func monitorsOfARequestObserveBesidesTheClients(clientHasSome: Bool) async throws {
    let client = try client(monitors: clientHasSome ? [ofClient] : [])
    var request = Request.get("http://h/")
    request.options.monitors = [HandlerMonitor { [log] in log.add($0.kind.word) }]
    _ = try await client.value(for: request, as: .data)
    #expect(log.all.first == "exchangeStarted(GET)")
    #expect(log.all.contains("serializationFinished(DataResponseSerializer)"))
    #expect(log.all.last == "exchangeFinished")
    let count = log.all.count
    #expect(ofClient.events.count == (clientHasSome ? count : 0))
    _ = try await client.value(for: .get("http://h/"), as: .data)
    #expect(log.all.count == count)
  }

  @Test func theClientsDefaultsMayHaveMonitors() async throws {
    let client = try client(monitors: [])
    client.updateDefaults { [log] in
      $0.options.monitors = [HandlerMonitor { [log] in log.add($0.kind.word) }]
    }
    _ = try await client.value(for: .get("http://h/"), as: .data)
    #expect(log.all.last == "exchangeFinished")
    var request = Request.get("http://h/")
    request.options.monitors = []
    let count = log.all.count
    _ = try await client.value(for: request, as: .data)
    #expect(log.all.count == count)
  }
}
