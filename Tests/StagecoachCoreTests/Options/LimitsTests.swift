import Stagecoach
import Testing

@Suite struct LimitsTests {
  private static func check<Key: RequestOptionKey>(
    _ key: Key.Type,
    _ path: WritableKeyPath<RequestOptions, Key.Value>,
    name: String,
    byDefault: Key.Value,
    other: Key.Value
  ) where Key.Value: Equatable {
    var options = RequestOptions()
    #expect(Key.name == name)
    #expect(options[keyPath: path] == byDefault)
    #expect(Key.defaultValue == byDefault)
    options[keyPath: path] = other
    #expect(options[key] == other)
    #expect(options.isSet(key))
    options[keyPath: path] = byDefault
    #expect(options[key] == byDefault)
    #expect(options.isSet(key))
  }

  @Test func haveTheirDocumentedDefaults() {
    var small = ResponseHeadLimits()
    small.fields = 1
    Self.check(
      ConnectTimeout.self,
      \.connectTimeout,
      name: "connectTimeout",
      byDefault: .seconds(10),
      other: nil
    )
    Self.check(PoolTimeout.self, \.poolTimeout, name: "poolTimeout", byDefault: .seconds(30), other: nil)
    Self.check(HeadTimeout.self, \.headTimeout, name: "headTimeout", byDefault: .seconds(30), other: .zero)
    Self.check(IdleTimeout.self, \.idleTimeout, name: "idleTimeout", byDefault: .seconds(30), other: nil)
    Self.check(TotalTimeout.self, \.totalTimeout, name: "totalTimeout", byDefault: nil, other: .seconds(1))
    Self.check(BodyLimit.self, \.bodyLimit, name: "bodyLimit", byDefault: 16_777_216, other: 0)
    Self.check(ErrorBodyLimit.self, \.errorBodyLimit, name: "errorBodyLimit", byDefault: 65_536, other: 1)
    Self.check(
      RequestHeadLimit.self,
      \.requestHeadLimit,
      name: "requestHeadLimit",
      byDefault: 65_536,
      other: 1
    )
    Self.check(
      ResponseHeadLimitsOption.self,
      \.responseHeadLimits,
      name: "responseHeadLimits",
      byDefault: ResponseHeadLimits(),
      other: small
    )
    Self.check(
      ExpectedContent.self,
      \.expectedContent,
      name: "expectedContent",
      byDefault: nil,
      other: .json
    )
    Self.check(TextCharset.self, \.textCharset, name: "textCharset", byDefault: nil, other: .utf8)
  }

  @Test(arguments: [
    (ExchangeError.Phase.pool, PoolTimeout.name), (.connect, ConnectTimeout.name), (.head, HeadTimeout.name),
    (.idle, IdleTimeout.name), (.total, TotalTimeout.name),
  ])
  func aTimeoutNamesTheOptionThatSetsIt(phase: ExchangeError.Phase, option: String) {
    let error = ExchangeError.timeout(phase, after: .seconds(2))
    #expect(error.limit?.option == option)
    #expect(error.limit?.value == "2 s")
    #expect(error.advice?.contains("options.\(option)") == true)
    #expect(error.kind == .timeout(phase))
  }
}
