import Stagecoach
import TestSupport
import Testing

@Suite struct TransportCapabilitiesTests {
  @Test func eachHasOneNameByWhichItIsFound() {
    let all = TransportCapabilities(rawValue: .max)
    let names = "\(all)".split(separator: ", ").map(String.init)
    #expect(Set(names).count == names.count)
    for name in names { #expect(TransportCapabilities(named: name).map { "\($0)" } == name) }
    #expect(TransportCapabilities(named: "teleports") == nil)
  }

  private func refused(_ body: () throws -> Void) -> ExchangeError.Kind? {
    do {
      try body()
      return nil
    } catch {
      return (error as? ExchangeError)?.kind
    }
  }

  @Test func refusesAnUndeclaredCapability() throws {
    let none: TransportCapabilities = []
    let uses = [
      NetworkUse(allowsCellularAccess: false), NetworkUse(pipelines: true), NetworkUse(serviceType: .voice),
      NetworkUse(newConnection: true),
    ]
    for use in uses { #expect(refused { try none.check(use, transport: "T") } == .unsupported) }
    for use in [
      nil, NetworkUse(), NetworkUse(allowsCellularAccess: true, pipelines: false, serviceType: .standard),
    ] {
      #expect(refused { try none.check(use, transport: "T") } == nil)
    }
    let changes: [(inout ConnectionOptions) -> Void] = [
      { $0.unixSocket = "/x" }, { $0.addresses = ["a": "127.0.0.1"] }, { $0.localAddress = "127.0.0.1" },
      { $0.versions = .http2 }, { $0.versions = [] },
    ]
    for change in changes {
      var options = ConnectionOptions()
      change(&options)
      #expect(refused { try none.check(options, transport: "T") } == .unsupported)
    }
    #expect(refused { try none.check(ConnectionOptions(), transport: "T") } == nil)
    let certificate = try Certificate.fromPEM(SampleCertificates.server)[0]
    var trusts = [Trust(roots: .only([certificate])), Trust(pins: [Pin(certificate)]), Trust(pins: [])]
    for change in [{ $0.minimumVersion = .tls13 }, { $0.verification = .noneForTesting }]
      as [(inout Trust) -> Void]
    {
      var trust = Trust()
      change(&trust)
      trusts.append(trust)
    }
    for trust in trusts { #expect(refused { try none.check(trust, transport: "T") } == .unsupported) }
    #expect(refused { try none.check(Trust(), transport: "T") } == nil)
    #expect(refused { try none.check(Proxy("http://p"), transport: "T") } == .unsupported)
    #expect(
      refused { try TransportCapabilities.httpProxies.check(Proxy("socks5://p"), transport: "T") }
        == .unsupported
    )
  }
}
