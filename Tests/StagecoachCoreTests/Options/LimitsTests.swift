import Testing

@testable import StagecoachCore
@testable import StagecoachSerializers

@Suite struct LimitsTests {
  private static func check<Value: Equatable & Sendable>(
    _ option: RequestOption<Value>,
    _ path: WritableKeyPath<RequestOptions, Value>,
    name: String,
    byDefault: Value,
    other: Value
  ) {
    var options = RequestOptions()
    #expect(option.name == name)
    #expect(options[keyPath: path] == byDefault)
    #expect(option.defaultValue == byDefault)
    options[keyPath: path] = other
    #expect(options[option] == other)
    #expect(options.isSet(option))
    options[keyPath: path] = byDefault
    #expect(options[option] == byDefault)
    #expect(options.isSet(option))
  }

  @Test func haveTheirDocumentedDefaults() {
    var small = ResponseHeadLimits()
    small.fields = 1
    Self.check(
      RequestOptions.connectTimeout,
      \.connectTimeout,
      name: "connectTimeout",
      byDefault: .seconds(10),
      other: nil
    )
    Self.check(
      RequestOptions.poolTimeout,
      \.poolTimeout,
      name: "poolTimeout",
      byDefault: .seconds(30),
      other: nil
    )
    Self.check(
      RequestOptions.headTimeout,
      \.headTimeout,
      name: "headTimeout",
      byDefault: .seconds(30),
      other: .zero
    )
    Self.check(
      RequestOptions.idleTimeout,
      \.idleTimeout,
      name: "idleTimeout",
      byDefault: .seconds(30),
      other: nil
    )
    Self.check(
      RequestOptions.totalTimeout,
      \.totalTimeout,
      name: "totalTimeout",
      byDefault: nil,
      other: .seconds(1)
    )
    Self.check(RequestOptions.bodyLimit, \.bodyLimit, name: "bodyLimit", byDefault: 16_777_216, other: 0)
    Self.check(
      RequestOptions.errorBodyLimit,
      \.errorBodyLimit,
      name: "errorBodyLimit",
      byDefault: 65_536,
      other: 1
    )
    Self.check(
      RequestOptions.requestHeadLimit,
      \.requestHeadLimit,
      name: "requestHeadLimit",
      byDefault: 65_536,
      other: 1
    )
    Self.check(
      RequestOptions.responseHeadLimits,
      \.responseHeadLimits,
      name: "responseHeadLimits",
      byDefault: ResponseHeadLimits(),
      other: small
    )
    Self.check(
      RequestOptions.expectedContent,
      \.expectedContent,
      name: "expectedContent",
      byDefault: nil,
      other: .json
    )
    Self.check(RequestOptions.textCharset, \.textCharset, name: "textCharset", byDefault: nil, other: .utf8)
  }

  @Test(arguments: [
    (ExchangeError.Phase.pool, RequestOptions.poolTimeout.name),
    (.connect, RequestOptions.connectTimeout.name), (.head, RequestOptions.headTimeout.name),
    (.idle, RequestOptions.idleTimeout.name), (.total, RequestOptions.totalTimeout.name),
  ])
  func aTimeoutNamesTheOptionThatSetsIt(phase: ExchangeError.Phase, option: String) {
    let error = ExchangeError.timeout(phase, after: .seconds(2))
    #expect(error.limit?.option == option)
    #expect(error.limit?.value == "2 s")
    #expect(error.advice?.contains("options.\(option)") == true)
    #expect(error.kind == .timeout(phase))
  }
}
