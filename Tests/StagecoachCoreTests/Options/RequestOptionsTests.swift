import HTTPTypes
import Stagecoach
import Testing

private enum Colour: RequestOptionKey {
  static let defaultValue = "black"
}

private enum Size: RequestOptionKey {
  static let defaultValue: Int? = nil
}

@Suite struct RequestOptionsTests {
  @Test func whatIsUnsetHasItsDefault() {
    let options = RequestOptions()
    #expect(options[Colour.self] == "black")
    #expect(options[Size.self] == nil)
    #expect(!options.isSet(Colour.self))
  }

  @Test func whatIsSetToItsDefaultCountsAsSet() {
    var options = RequestOptions()
    options[Colour.self] = "black"
    options[Size.self] = nil
    #expect(options.isSet(Colour.self))
    #expect(options.isSet(Size.self))
    options.unset(Colour.self)
    #expect(!options.isSet(Colour.self))
    #expect(options.isSet(Size.self))
  }

  @Test func bagsAreValues() {
    var first = RequestOptions()
    first[Colour.self] = "red"
    var second = first
    second[Colour.self] = "blue"
    second[Size.self] = 3
    first.unset(Colour.self)
    #expect(first[Colour.self] == "black")
    #expect(second[Colour.self] == "blue")
    #expect(!first.isSet(Size.self))
  }

  @Test func aKeyIsNamedAfterItsType() {
    #expect(Colour.name == "Colour")
    #expect(TotalTimeout.name == "totalTimeout")
  }

  /// What a transport below one client, or two, sees of an option.
  private static func effective(
    request: String?,
    client: String?,
    outer: String? = nil
  ) async throws -> (value: String, isSet: Bool) {
    let transport = HandlerTransport { _ in Response(.ok) }
    let inner = try Client(
      Pipeline(over: transport, stages: []),
      configuration: .init(defaults: defaults(client))
    )
    let through = HandlerTransport { try await inner.send($0) }
    let client = try Client(
      Pipeline(over: through, stages: []),
      configuration: .init(defaults: defaults(outer))
    )
    var sent = Request.get("http://h/")
    if let request { sent.options[Colour.self] = request }
    _ = try await client.send(sent)
    let options = try #require(transport.requests.first).options
    return (options[Colour.self], options.isSet(Colour.self))
  }

  private static func defaults(_ colour: String?) -> Client.Defaults {
    var options = RequestOptions()
    options[Size.self] = 1
    if let colour { options[Colour.self] = colour }
    return Client.Defaults(fields: [:], options: options)
  }

  @Test(
    arguments: [
      (nil, nil, nil, "black"), ("red", nil, nil, "red"), (nil, "blue", nil, "blue"),
      ("red", "blue", nil, "red"),
      ("black", "blue", nil, "black"), (nil, nil, "green", "green"), (nil, "blue", "green", "green"),
      ("red", "blue", "green", "red"), ("black", "blue", "green", "black"), (nil, "blue", "black", "black"),
    ] as [(String?, String?, String?, String)]
  )
  func theRequestBeatsTheClientAndTheOuterClientTheInner(
    request: String?,
    client: String?,
    outer: String?,
    effective: String
  ) async throws {
    let seen = try await Self.effective(request: request, client: client, outer: outer)
    #expect(seen.value == effective)
    #expect(seen.isSet == (request != nil))
  }

  @Test func whatAStageUnsetsInheritsAgain() async throws {
    struct Unset: Middleware {
      func handle(_ request: Request, next: Next) async throws -> Response {
        var request = request
        request.options.unset(Colour.self)
        return try await next(request)
      }
    }
    let transport = HandlerTransport { _ in Response(.ok) }
    let client = try Client(
      Pipeline(over: transport) { Unset() },
      configuration: .init(defaults: Self.defaults("blue"))
    )
    _ = try await client.send(.get("http://h/").with(Colour.self, "red"))
    #expect(transport.requests.first?.options[Colour.self] == "blue")
  }
}
