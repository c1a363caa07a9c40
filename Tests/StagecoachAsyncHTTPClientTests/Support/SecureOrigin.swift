#if Tool
  import Stagecoach
  import StagecoachAsyncHTTPClient
  import StagecoachOrigin
  import TestSupport

  /// An identity of a server for the tests.
  enum ServerIdentity: String, Sendable {
    /// Issued by the tests' authority for `localhost`.
    case good
    /// Issued by the tests' authority for another name.
    case otherName
    /// Issued by the tests' authority for `localhost`, and expired.
    case expired
    /// Issued by itself for `localhost`.
    case selfSigned
    /// Issued by itself for `localhost`, which is its common name and no alternative one.
    case commonName

    var certificate: String {
      switch self {
      case .good: TestCertificates.server
      case .otherName: TestCertificates.other
      case .expired: TestCertificates.expired
      case .selfSigned: TestCertificates.selfSigned
      case .commonName: TestCertificates.commonName
      }
    }

    var key: String {
      switch self {
      case .good: TestCertificates.serverKey
      case .otherName: TestCertificates.otherKey
      case .expired: TestCertificates.expiredKey
      case .selfSigned: TestCertificates.selfSignedKey
      case .commonName: TestCertificates.commonNameKey
      }
    }
  }

  extension Certificate {
    static func test(_ pem: String) throws -> Certificate {
      try Certificate.fromPEM(pem)[0]
    }
  }

  extension Trust {
    /// Trust in the tests' authority alone.
    static func tests(pins: Set<Pin>? = nil) throws -> Trust {
      Trust(roots: .only([try .test(TestCertificates.ca)]), pins: pins)
    }
  }

  extension Pin {
    /// The public key of a certificate.
    static func key(of pem: String) throws -> Pin {
      try Certificate.test(pem).publicKeyPin
    }
  }

  /// An origin that speaks TLS, and a client over a transport with a trust.
  func withSecureOrigin(
    _ identity: ServerIdentity = .good,
    trust: Trust,
    connections: ConnectionOptions = .init(),
    monitors: [any EventMonitor] = [],
    _ body: (Origin, Client, String) async throws -> Void
  ) async throws {
    var configuration = Origin.Configuration()
    configuration.tls = .init(
      certificateChain: .pem(identity.certificate),
      privateKey: .pem(identity.key)
    )
    let origin = try await Origin.start(configuration)
    let client = try Client(
      bare(AsyncHTTPClientTransport(connections: connections, trust: trust)),
      configuration: .init(monitors: monitors)
    )
    do {
      try await body(origin, client, "https://localhost:\(origin.port)/json")
    } catch {
      await client.pipeline.shutdown()
      try await origin.stop()
      throw error
    }
    await client.pipeline.shutdown()
    try await origin.stop()
  }
#endif
