public import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The expected hash of a file.
///
/// ```swift
/// let checksum = Checksum("sha-256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")
/// ```
public struct Checksum: Sendable, Hashable, Codable, CustomStringConvertible {
  /// A hash function.
  @nonexhaustive
  public enum Algorithm: String, Sendable, Hashable, Codable, CaseIterable {
    /// SHA-256.
    case sha256 = "sha-256"
    /// SHA-512.
    case sha512 = "sha-512"
    /// MD5, which finds accidents and no attacks.
    case md5

    /// The length of a hash in bytes.
    public var length: Int {
      switch self {
      case .sha256: 32
      case .sha512: 64
      case .md5: 16
      }
    }

    /// A hash of nothing yet.
    func makeHash() -> any HashFunction {
      switch self {
      case .sha256: SHA256()
      case .sha512: SHA512()
      case .md5: MD5()
      }
    }
  }

  /// The hash function.
  public let algorithm: Algorithm
  /// The hash.
  public let value: [UInt8]

  /// Creates a checksum; `nil` if the value has another length than the algorithm's hashes.
  public init?(_ algorithm: Algorithm, _ value: [UInt8]) {
    guard value.count == algorithm.length else { return nil }
    self.algorithm = algorithm
    self.value = value
  }

  /// Creates a checksum from text such as `sha-256:9f86…`: the name of the algorithm, in any case, with or without its
  /// hyphen, a colon and hexadecimal digits; `nil` if it is not valid.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let name = parts[0].lowercased().filter { $0 != "-" }
    guard let algorithm = Algorithm.allCases.first(where: { $0.rawValue.filter { $0 != "-" } == name }),
      parts[1].utf8.count == algorithm.length * 2, let value = Hexadecimal.decode(parts[1].utf8)
    else { return nil }
    self.init(algorithm, value)
  }

  /// The name of the algorithm, a colon and hexadecimal digits.
  public var description: String { "\(algorithm.rawValue):\(value.hexadecimal)" }

  /// Decodes the text form.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let checksum = Checksum(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "invalid checksum")
    }
    self = checksum
  }

  /// Encodes the text form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  /// Reads the strongest known hash of the field Repr-Digest or Content-Digest (RFC 9530 2, 3); `nil` if there is none.
  package init?(digestField field: String) {
    var best: Checksum?
    for member in field.split(separator: ",").prefix(16) {
      guard let equals = member.firstIndex(of: "=") else { continue }
      let name = member[..<equals].filter { $0 != " " && $0 != "\t" }
      // A byte sequence stands between colons (RFC 9651 3.3.5); parameters after it do not matter.
      let value = member[member.index(after: equals)...].split(
        separator: ":",
        omittingEmptySubsequences: false
      )
      guard value.count >= 3, let algorithm = Algorithm(rawValue: name), algorithm != .md5,
        let data = Data(base64Encoded: String(value[1])), let checksum = Checksum(algorithm, Array(data))
      else { continue }
      if best == nil || algorithm == .sha512 { best = checksum }
    }
    guard let best else { return nil }
    self = best
  }
}

/// The content of a response has another hash than expected.
public struct ChecksumFailure: StageFailure {
  /// The expected hash.
  public let expected: Checksum
  /// The hash of what was received.
  public let actual: Checksum

  /// The stable name.
  public var description: String { "checksum.mismatch" }
  /// The advice.
  public var advice: String? { "fetch it again, or ask the server's owner for the right checksum" }

  /// Returns the error of a mismatch.
  ///
  /// - Parameter what: What was checked, such as `the file`.
  func error(of what: String) -> ExchangeError {
    ExchangeError(.stageFailure(self), "\(what) has the checksum \(actual) (expected \(expected))")
  }
}
