// What the examples of the documentation take for granted, see `.ci/examples`: compiled, never run.

public import Stagecoach

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// A client with a base URL.
public let client: Client = absent()
/// What answers.
public let transport: any Transport = absent()
/// A request, which examples change.
public nonisolated(unsafe) var request: Request = absent()
/// A response, which examples change.
public nonisolated(unsafe) var response: Response = absent()
/// A request of Foundation.
public let urlRequest: URLRequest = absent()
/// A certificate authority, in PEM.
public let ourCA: String = absent()
/// Who the client says it is.
public let identity: ClientIdentity = absent()
/// Any bytes.
public let bytes: Bytes = absent()
/// Any bytes, in pieces.
public let chunks: [Bytes] = absent()

/// What servers send and take.
public struct User: Codable, Sendable {
  /// A number.
  public var id: Int
  /// A name.
  public var name: String
}

/// A user.
public let user: User = absent()

/// The reader's own.
public struct MyTransport: Transport {
  /// As most transports are made.
  public init(connections: ConnectionOptions, trust: Trust, clock: any TimeSource) {}

  /// Sends a request.
  public func send(_ request: Request) async throws -> Response { absent() }
}

private func absent<Value>() -> Value { fatalError() }
