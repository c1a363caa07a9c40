import HTTPTypes
public import StagecoachCore
import StagecoachStages

/// Whose stored responses a request may get.
enum CachePartition {
  /// The partition of responses that a shared cache keeps for everybody.
  static let everybody = "shared"

  /// Returns a hash of all that decides who answers, and whom; where that is the URL alone, ``everybody`` in a shared
  /// cache, and an empty string in a private one.
  static func of(
    _ request: Request,
    _ origin: TargetURI.Origin,
    over peer: PeerIdentity?,
    isShared: Bool,
    _ salt: Bytes
  ) -> String {
    // A private cache keeps what a shared one over the same store must not give to others.
    var parts = isShared ? [everybody] : []
    if let own = request.options.cachePartition {
      parts.append("partition \(own)")
    } else if !isShared {
      if let user = request.options.authenticatedUser {
        parts.append("user \(user)")
      } else if let field = request.fields.first(of: .authorization) {
        parts.append("authorization \(field)")
      }
    }
    if let peer = request.options.peer(for: origin.host, over: peer) { parts.append("peer \(peer)") }
    if parts.isEmpty || parts == [everybody] { return parts.first ?? "" }
    return Concealment.hash(parts.joined(separator: "\n"), salt)
  }
}

/// Replaces values that must not be readable in a store by salted hashes.
struct Concealment: Sendable {
  private let request: Request
  private let salt: Bytes

  init(_ request: Request, _ salt: Bytes) {
    self.request = request
    self.salt = salt
  }

  /// Returns what is kept of the value of a sensitive request field; `nil` for other fields.
  func callAsFunction(_ name: String, _ value: String) -> String? {
    guard let fieldName = HTTPField.Name(name), SensitiveFields.of(request).contains(fieldName) else {
      return nil
    }
    return "#" + Self.hash("\(name): \(value)", salt)
  }

  static func hash(_ text: String, _ salt: Bytes) -> String {
    var hash = SHA256()
    hash.update(salt)
    hash.update(Bytes(text))
    return hash.digest().prefix(16).hexadecimal
  }
}

extension RequestOptions {
  static let cachePartition = RequestOption<String?>("cachePartition", default: nil)

  /// Whose responses the request may get from the ``Cache``, and to whom its own is given: requests of different
  /// partitions share nothing.
  ///
  /// If it is `nil`, which is the default, a private cache takes a hash of whom `Authentication` answers for, or of
  /// the Authorization field of the caller. A shared cache has one partition unless this is set.
  public var cachePartition: String? {
    get { self[Self.cachePartition] }
    set { self[Self.cachePartition] = newValue }
  }
}
