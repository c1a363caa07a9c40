import StagecoachCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A transfer as a value that can be stored: its request, its state, and what it has received or how it ended.
///
/// ```swift
/// let transfer = client.transfer(.get("users/7"), as: .data)
/// let data = try transfer.snapshot().encoded
/// // later, also in another process:
/// let snapshot = try TransferSnapshot(decoding: data)
/// let restored = try client.restore(snapshot, as: .data)
/// ```
///
/// Kept are:
/// - The method, the URL, the header fields without secrets, and content in memory or in a file.
/// - The options connectTimeout, poolTimeout, headTimeout, idleTimeout, totalTimeout, bodyLimit, errorBodyLimit,
///   fileBodyLimit, requestHeadLimit, elementLimit, redirectLimit, authenticationAttempts, priority, isIdempotent,
///   coalesces, usesStoredCredentials, usesCircuitBreaker and sensitiveFields. ``omittedOptions`` names the others.
/// - The state and the head of the response, without secrets.
/// - The bytes that were received to memory, if the rest can be asked for (RFC 9110 13.1.5); the path, the policies,
///   the checksum and the number of parts of a download, whose bytes are in its file.
/// - The value of a finished transfer, if it is `Codable`, `Bytes`, a file or nothing; the text of its failure.
///
/// The query of the URL and the content of the request are kept as they are: if they are secret, so is the snapshot.
public struct TransferSnapshot: Sendable {
  /// The version of the form that this library writes and reads.
  public static let currentVersion = 1

  /// The version of the form.
  public let version: Int
  /// The state at the time of the snapshot. One that was executing or paused is restored as ready.
  public let state: TransferState

  let work: ArchivedWork
  let response: ArchivedResponse?
  let outcome: ArchivedOutcome?
  /// The bytes of the response so far, and in all.
  let received: Int64
  let total: Int64?

  /// The method of the request.
  public var method: String { work.request.method }
  /// The URL of the request, or the reference that its client resolves.
  public var reference: String { work.request.reference }
  /// The name of the serializer, which has to be given anew.
  public var serializer: String { work.serializer }
  /// The media types that the serializer accepts, in order of preference; empty for any.
  public var acceptedTypes: [String] { work.accepts.types }
  /// Whether the transfer is a download to a file; see `Client.restoreDownload(_:)`.
  public var isDownload: Bool { work.file != nil }
  /// The names of the header fields that were left out because they are secret.
  public var omittedFields: [String] { work.request.omittedFields }
  /// The names of the options that were left out because they have no form in an archive.
  public var omittedOptions: [String] { work.request.omittedOptions }

  init(
    _ state: TransferState,
    _ work: ArchivedWork,
    _ response: ArchivedResponse?,
    _ outcome: ArchivedOutcome?,
    _ progress: TransferProgress.Count
  ) {
    version = Self.currentVersion
    self.state = state
    self.work = work
    self.response = response
    self.outcome = outcome
    received = progress.bytes
    total = progress.total
  }

  /// Decodes a snapshot.
  ///
  /// - Parameters:
  ///   - data: The ``encoded`` form.
  ///   - limit: The maximum size in bytes; 64 MiB by default.
  /// - Throws: `ExchangeError` of kind `serialization` if the data is malformed, contradicts itself or has another
  ///   version; of kind `limit(.body)` if it is larger than the limit.
  public init(decoding data: Data, limit: Int = 64 << 20) throws {
    guard data.count <= limit else {
      throw ExchangeError.limit(
        .body,
        "the snapshot is \(data.count) bytes long (limit \(limit) bytes)",
        advice: "raise the limit of TransferSnapshot.init(decoding:limit:)",
        limit: ("limit", "\(limit) bytes")
      )
    }
    do {
      self = try JSONDecoder().decode(Self.self, from: data)
    } catch {
      throw ExchangeError(
        .serialization,
        "malformed snapshot of a transfer: \(Self.reason(error))",
        advice: "take it from TransferSnapshot.encoded of the same version of the library",
        underlying: error
      )
    }
  }

  /// The snapshot as JSON.
  ///
  /// - Throws: `ExchangeError` of kind `serialization`.
  public var encoded: Data {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      do {
        return try encoder.encode(self)
      } catch {
        throw ExchangeError(
          .serialization,
          "the snapshot cannot be encoded: \(Format.describe(error))",
          underlying: error
        )
      }
    }
  }

  private static func reason(_ error: any Error) -> String {
    guard let error = error as? DecodingError else { return Format.describe(error) }
    let context: DecodingError.Context
    var what = "a value has another type"
    switch error {
    case .keyNotFound(let key, let found): (context, what) = (found, "\"\(key.stringValue)\" is missing")
    case .valueNotFound(_, let found): (context, what) = (found, "a value is missing")
    case .typeMismatch(_, let found): context = found
    case .dataCorrupted(let found): (context, what) = (found, found.debugDescription)
    @unknown default: return Format.describe(error)
    }
    let path = context.codingPath.map(\.stringValue).joined(separator: ".")
    return Format.oneLine(path.isEmpty ? what : "\(what), in \(path)")
  }
}

extension TransferSnapshot: Codable {
  private enum CodingKeys: String, CodingKey {
    case version, state, work, response, outcome, received, total
  }

  /// Decodes the snapshot, and refuses one that contradicts itself.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func refuse(_ key: CodingKeys, _ reason: String) -> DecodingError {
      .dataCorruptedError(forKey: key, in: container, debugDescription: reason)
    }
    version = try container.decode(Int.self, forKey: .version)
    guard version == Self.currentVersion else {
      throw refuse(.version, "its version is \(version) (supported: \(Self.currentVersion))")
    }
    state = try container.decode(TransferState.self, forKey: .state)
    work = try container.decode(ArchivedWork.self, forKey: .work)
    if let reason = work.contradiction { throw refuse(.work, reason) }
    response = try container.decodeIfPresent(ArchivedResponse.self, forKey: .response)
    if let reason = response?.contradiction { throw refuse(.response, reason) }
    outcome = try container.decodeIfPresent(ArchivedOutcome.self, forKey: .outcome)
    guard (outcome != nil) == (state == .finished) else {
      throw refuse(.outcome, "only a finished transfer has an outcome")
    }
    received = try container.decode(Int64.self, forKey: .received)
    total = try container.decodeIfPresent(Int64.self, forKey: .total)
    // The limit leaves room to count on.
    guard 0...(1 << 60) ~= received, total ?? 0 >= 0 else {
      throw refuse(.received, "a number of bytes is out of range")
    }
  }

  /// Encodes the snapshot.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(version, forKey: .version)
    try container.encode(state, forKey: .state)
    try container.encode(work, forKey: .work)
    try container.encodeIfPresent(response, forKey: .response)
    try container.encodeIfPresent(outcome, forKey: .outcome)
    try container.encode(received, forKey: .received)
    try container.encodeIfPresent(total, forKey: .total)
  }
}
