import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct ClientDefaultsTests {
  private static let left = HTTPField.Name("X-Left")!
  private static let right = HTTPField.Name("X-Right")!

  private static func fields(
    request: HTTPFields,
    defaults: HTTPFields
  ) async throws -> [String] {
    let transport = HandlerTransport { _ in Response(.ok) }
    let client = try Client(
      Pipeline(over: transport, stages: []),
      configuration: .init(defaults: .init(fields: defaults))
    )
    _ = try await client.send(Request(.get, "http://h/", fields: request))
    return try #require(transport.requests.first).fields.map { "\($0.name.rawName): \($0.value)" }
  }

  @Test(
    arguments: [
      ([:], [:], []),
      ([left: "1"], [:], ["X-Left: 1"]),
      ([:], [left: "1", right: "2"], ["X-Left: 1", "X-Right: 2"]),
      ([left: "own"], [left: "1", right: "2"], ["X-Left: own", "X-Right: 2"]),
      ([left: ""], [left: "1"], ["X-Left: "]),
      ([right: "own"], [left: "1", left: "2"], ["X-Right: own", "X-Left: 1", "X-Left: 2"]),
      ([HTTPField.Name("x-LEFT")!: "own"], [left: "1", left: "2"], ["x-LEFT: own"]),
    ] as [(HTTPFields, HTTPFields, [String])]
  )
  func aFieldOfTheRequestBeatsAllDefaultsOfItsName(
    request: HTTPFields,
    defaults: HTTPFields,
    sent: [String]
  ) async throws {
    #expect(try await Self.fields(request: request, defaults: defaults) == sent)
  }

  @Test func theSystemsFieldsAreTheDefault() async throws {
    let transport = HandlerTransport { _ in Response(.ok) }
    let client = try Client(over: transport)
    _ = try await client.send(.get("http://h/"))
    #expect(client.defaults.fields == DefaultFields.system)
    #expect(
      transport.requests.first?.fields[.userAgent]?.hasSuffix("Stagecoach/\(DefaultFields.libraryVersion)")
        == true
    )
  }

  @Test func everyLimitCanBeOverriddenForOneRequest() async throws {
    let transport = HandlerTransport { _ in Response(.ok) }
    var options = RequestOptions()
    options.connectTimeout = .seconds(1)
    options.poolTimeout = .seconds(2)
    options.headTimeout = .seconds(3)
    options.idleTimeout = .seconds(4)
    options.totalTimeout = .seconds(5)
    options.bodyLimit = 6
    options.errorBodyLimit = 7
    options.requestHeadLimit = 8000
    options.responseHeadLimits.bytes = 9
    let client = try Client(over: transport, configuration: .init(defaults: .init(options: options)))
    _ = try await client.send(.get("http://h/"))
    var own = Request.get("http://h/")
    own.options.connectTimeout = nil
    own.options.poolTimeout = nil
    own.options.headTimeout = nil
    own.options.idleTimeout = nil
    own.options.totalTimeout = nil
    own.options.bodyLimit = 60
    own.options.errorBodyLimit = 70
    own.options.requestHeadLimit = 80_000
    own.options.responseHeadLimits.bytes = 90
    _ = try await client.send(own)
    let seen = transport.requests.map(\.options)
    #expect(
      seen.map { [$0.connectTimeout, $0.poolTimeout, $0.headTimeout, $0.idleTimeout, $0.totalTimeout] }
        == [(1...5).map { .seconds($0) }, [nil, nil, nil, nil, nil]]
    )
    #expect(
      seen.map { [$0.bodyLimit, $0.errorBodyLimit, $0.requestHeadLimit, $0.responseHeadLimits.bytes] }
        == [[6, 7, 8000, 9], [60, 70, 80_000, 90]]
    )
  }

  @Test func aRequestTakesItsDefaultsWhenItIsSent() async throws {
    let transport = HandlerTransport { _ in Response(.ok) }
    let client = try Client(over: transport, configuration: .init(defaults: .init(fields: [Self.left: "1"])))
    let request = Request.get("http://h/")
    client.updateDefaults { $0.fields[Self.left] = "2" }
    _ = try await client.send(request)
    client.updateDefaults { $0.fields[Self.left] = nil }
    _ = try await client.send(request)
    #expect(transport.requests.map { $0.fields[Self.left] } == ["2", nil])
    #expect(request.fields.isEmpty)
  }

  @Test func aThousandWritersAndAThousandRequestsDoNotTearADefault() async throws {
    let torn = Counter()
    let transport = HandlerTransport(recordLimit: 0) { request in
      let left = request.fields[values: Self.left]
      let right = request.fields[values: Self.right]
      if left != right || left.count != 1 || request.options.bodyLimit != Int(left[0]) { torn.add() }
      return Response(.ok)
    }
    var options = RequestOptions()
    options.bodyLimit = 0
    let client = try Client(
      over: transport,
      configuration: .init(defaults: .init(fields: [Self.left: "0", Self.right: "0"], options: options))
    )
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 1...1000 {
        group.addTask {
          client.updateDefaults { defaults in
            defaults.fields[Self.left] = "\(index)"
            defaults.fields[Self.right] = "\(index)"
            defaults.options.bodyLimit = index
          }
        }
        group.addTask { _ = try await client.send(.get("http://h/\(index)")) }
      }
      try await group.waitForAll()
    }
    #expect(torn.value == 0)
  }
}
