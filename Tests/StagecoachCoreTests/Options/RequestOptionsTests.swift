import HTTPTypes
import Stagecoach
import Testing

extension RequestOptions {
  fileprivate static let colour = RequestOption("colour", default: "black")
  fileprivate static let size = RequestOption<Int?>("size", default: nil)

  fileprivate var colour: String {
    get { self[Self.colour] }
    set { self[Self.colour] = newValue }
  }

  fileprivate var size: Int? {
    get { self[Self.size] }
    set { self[Self.size] = newValue }
  }
}

@Suite struct RequestOptionsTests {
  @Test func whatIsUnsetHasItsDefault() {
    let options = RequestOptions()
    #expect(options.colour == "black")
    #expect(options.size == nil)
    #expect(!options.isSet(RequestOptions.colour))
  }

  @Test func whatIsSetToItsDefaultCountsAsSet() {
    var options = RequestOptions()
    options.colour = "black"
    options.size = nil
    #expect(options.isSet(RequestOptions.colour))
    #expect(options.isSet(RequestOptions.size))
    options.unset(RequestOptions.colour)
    #expect(!options.isSet(RequestOptions.colour))
    #expect(options.isSet(RequestOptions.size))
  }

  @Test func bagsAreValues() {
    var first = RequestOptions()
    first.colour = "red"
    var second = first
    second.colour = "blue"
    second.size = 3
    first.unset(RequestOptions.colour)
    #expect(first.colour == "black")
    #expect(second.colour == "blue")
    #expect(!first.isSet(RequestOptions.size))
  }

  @Test func anotherOptionOfTheSameNameIsAnotherOne() {
    let (first, second) = (RequestOption("twin", default: 0), RequestOption("twin", default: 0))
    var options = RequestOptions()
    options[first] = 1
    #expect(options[first] == 1)
    #expect(options[second] == 0)
    #expect(options.description == "twin")
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
    if let request { sent.options.colour = request }
    _ = try await client.send(sent)
    let options = try #require(transport.requests.first).options
    return (options.colour, options.isSet(RequestOptions.colour))
  }

  private static func defaults(_ colour: String?) -> Client.Defaults {
    var options = RequestOptions()
    options.size = 1
    if let colour { options.colour = colour }
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
        request.options.unset(RequestOptions.colour)
        return try await next(request)
      }
    }
    let transport = HandlerTransport { _ in Response(.ok) }
    let client = try Client(
      Pipeline(over: transport) { Unset() },
      configuration: .init(defaults: Self.defaults("blue"))
    )
    _ = try await client.send(.get("http://h/").with(\.colour, "red"))
    #expect(transport.requests.first?.options.colour == "blue")
  }
}
